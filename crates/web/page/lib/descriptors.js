// Cache of game descriptors, by language; cleared when a game of the data folder changes.

import { api } from "./api.js";
import { gameName } from "./library.js";
import { language } from "./words.js";

const sheets = new Map();

/** The descriptor of `shatranj+double-step`; `isFresh` bypasses the cache. */
export function gameDescriptor(spec, isFresh = false) {
  const key = `${language()} ${spec}`;
  if (isFresh || !sheets.has(key)) {
    const asked = api
      .get(`games/${encodeURIComponent(spec)}?lang=${language()}`)
      .then((sheet) => ({ ...sheet, name: gameName(sheet) }));
    asked.catch(() => sheets.delete(key));
    sheets.set(key, asked);
  }
  return sheets.get(key);
}

export function clearDescriptors() {
  sheets.clear();
}
