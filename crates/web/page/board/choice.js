// The set of pieces that was chosen last, for all boards.

const KEY = "pieces";

/** "auto", "kanji" or "western". */
export function chosenPieces() {
  try {
    return localStorage.getItem(KEY) ?? "auto";
  } catch {
    return "auto";
  }
}

/** Remembers a set. */
export function choosePieces(pieces) {
  try {
    localStorage.setItem(KEY, pieces);
  } catch {
    /* a private window */
  }
}
