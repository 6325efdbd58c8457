// What sides and kinds are called, on the page and for people who hear it.

import { addWords, language, t } from "/lib/words.js";
import words from "/words/board.js";

addWords(words);

/** A kind, given by its number in the sheet or its name. */
export function kindAt(sheet, kind) {
  return typeof kind === "number" ? sheet.kinds[kind] : sheet.kinds.find((one) => one.name === kind);
}

/** "White": a sheet has names in the language that it was asked for. */
export function sideName(sheet, side) {
  const { name, label = name } = sheet.sides[side];
  return label;
}

/** "promoted lance". */
export function kindName(sheet, kind) {
  const { name, label = name } = kindAt(sheet, kind);
  return label.replaceAll("-", " ");
}

/** "white pawn". */
export function pieceName(sheet, { kind, side }) {
  return t("board.piece", {
    side: language() === "en" ? sideName(sheet, side).toLowerCase() : sideName(sheet, side),
    kind: kindName(sheet, kind),
  });
}

/** How positions and queries write a piece: "K", "+r", "gK". */
export function pieceText(sheet, { kind, side }) {
  const { letter } = kindAt(sheet, kind);
  if (sheet.sides.length !== 2) return sheet.sides[side].letter + letter;
  return side === 0 ? letter : letter.toLowerCase();
}

/** A move as the reader writes it: in Japanese as on score sheets there, else in the letters of its pieces. */
export function moveWords({ san, local }) {
  return language() === "ja" ? (local ?? san) : (san ?? local);
}
