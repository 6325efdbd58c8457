// The sheet of a game is asked for once in each language, until a game of one's own is written anew.

import { api } from "./api.js";
import { gameName } from "./library.js";
import { language } from "./words.js";

const sheets = new Map();

/** The sheet of `shatranj+double-step`; `isFresh` asks for it again. */
export function sheetOf(spec, isFresh = false) {
  const key = `${language()} ${spec}`;
  if (isFresh || !sheets.has(key)) {
    const asked = api.get(`games/${encodeURIComponent(spec)}?lang=${language()}`).then((sheet) => ({ ...sheet, name: gameName(sheet) }));
    asked.catch(() => sheets.delete(key));
    sheets.set(key, asked);
  }
  return sheets.get(key);
}

/** A game of one's own was written or deleted. */
export function forgetSheets() {
  sheets.clear();
}
