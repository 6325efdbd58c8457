// Names that the server gives, in Japanese: sides, pieces, games. Sentences come from the server in the language of the page.

import { kindWord } from "/lib/kinds.js";
import { gameWord } from "/lib/library.js";

const SIDES = { White: "白", Black: "黒", Red: "赤", Green: "緑", Yellow: "黄", Cho: "楚", Han: "漢" };

/** A name in Japanese, where it is known. */
export function inJapanese(name) {
  return SIDES[name] ?? kindWord(name) ?? (/^[\w+-]+$/.test(name) ? gameWord(name) : name);
}
