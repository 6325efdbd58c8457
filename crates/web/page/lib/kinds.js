// Names of pieces in the language of the page, as far as a sheet has told them: refusals of the server name them in English.

const known = new Map();

/** Remembers the names of a game's pieces. */
export function knowKinds(sheet) {
  sheet.kinds?.forEach(({ name, label }) => known.set(name, label ?? name));
}

/** A piece in the language of the page, if it is known. */
export function kindWord(name) {
  return known.get(name);
}
