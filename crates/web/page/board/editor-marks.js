// What a query may say of a square, how it is written and how it is drawn: a mark is { any, empty, sides, pieces, not }.

import { s } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { pieceName, pieceText, sideName } from "./names.js";
import { drawPiece, paintOf } from "./piece.js";

/** Sides as queries call them. */
export const ORDER = ["first", "second", "third", "fourth"];
const same = (a, b) => a.kind === b.kind && a.side === b.side;

/** The mark after a tool was used on a square; nothing if nothing is left. `together` makes "one of" of pieces. */
export function withTool(mark, tool, { together = false, not = false } = {}) {
  if (tool.type === "erase") return null;
  if (tool.type === "not") return mark && { ...mark, not: !mark.not };
  const fresh = { not };
  if (tool.type === "empty" || tool.type === "any") return { ...fresh, [tool.type]: true };
  const [list, item] =
    tool.type === "side" ? ["sides", tool.side] : ["pieces", { kind: tool.kind, side: tool.side }];
  if (!together || !mark || mark.any || mark.empty) return { ...fresh, [list]: [item] };
  const before = mark[list] ?? [];
  const has = before.some((one) => (list === "sides" ? one === item : same(one, item)));
  const after = has
    ? before.filter((one) => (list === "sides" ? one !== item : !same(one, item)))
    : [...before, item];
  const made = { ...mark, [list]: after };
  return (made.pieces?.length ?? 0) + (made.sides?.length ?? 0) ? made : null;
}

/** Whether a mark is just a piece that stands there. */
export function plainPiece(mark) {
  return mark && !mark.not && !mark.any && !mark.empty && !mark.sides?.length && mark.pieces?.length === 1
    ? mark.pieces[0]
    : null;
}

/** `e4=P|N`, `e4!=any`. */
export function markText(sheet, square, mark) {
  const named = [
    ...(mark.pieces ?? []).map((piece) => pieceText(sheet, piece)),
    ...(mark.sides ?? []).map((side) => ORDER[side]),
  ];
  const parts = mark.empty ? ["empty"] : mark.any ? ["any"] : named;
  return `${square}${mark.not ? "!=" : "="}${parts.join("|")}`;
}

/** A query as marks: { marks, hands, turn, isWhole }; not whole if it says anything that cannot be drawn. */
export function readQuery(sheet, text) {
  const pieces = new Map(
    sheet.sides.flatMap((_, side) =>
      sheet.kinds.map((_, kind) => [pieceText(sheet, { kind, side }), { kind, side }]),
    ),
  );
  const squares = new Set(sheet.squares.flat().filter(Boolean));
  const read = { marks: new Map(), hands: sheet.sides.map(() => new Map()), turn: "any", isWhole: true };
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const [, square, not, content] = /^(\w+)(!?)=(\S+)$/.exec(word) ?? [];
    const [, held, count] = /^hand\((\S+)\)>=(\d+)$/.exec(word) ?? [];
    const mark = squares.has(square) && readMark(content, pieces);
    if (mark) read.marks.set(square, { ...mark, not: not === "!" });
    else if (pieces.has(held)) read.hands[pieces.get(held).side].set(pieces.get(held).kind, Number(count));
    else if (square === "turn" && ORDER.includes(content)) read.turn = ORDER.indexOf(content);
    else read.isWhole = false;
  }
  return read;
}

function readMark(content, pieces) {
  if (content === "empty" || content === "any") return { [content]: true };
  const parts = content.split("|");
  const sides = parts.filter((part) => ORDER.includes(part)).map((part) => ORDER.indexOf(part));
  const found = parts.filter((part) => pieces.has(part)).map((part) => pieces.get(part));
  return sides.length + found.length === parts.length ? { sides, pieces: found } : null;
}

/** "not white pawn or white knight". */
export function markWords(sheet, mark) {
  const parts = mark.empty
    ? [t("board.empty")]
    : mark.any
      ? [t("board.anyPiece")]
      : [
          ...(mark.pieces ?? []).map((piece) => pieceName(sheet, piece)),
          ...(mark.sides ?? []).map((side) => t("board.anyOf", { side: sideName(sheet, side) })),
        ];
  const said = parts.join(t("board.or"));
  return mark.not ? t("board.notThis", { what: said }) : said;
}

function icons(sheet, mark, { set, quarters }) {
  if (mark.empty) return [emptyIcon()];
  if (mark.any) return [anyIcon()];
  const pieces = (mark.pieces ?? []).map(({ kind, side }) =>
    drawPiece(sheet, kind, side, { set, quarters: quarters(side) }),
  );
  return [...pieces, ...(mark.sides ?? []).map((side) => anyIcon(paintOf(sheet, side)))];
}

/** A mark in a box of 100 by 100 around 0, 0: several things stand side by side in a dashed frame. */
export function drawMark(sheet, mark, options) {
  const all = icons(sheet, mark, options);
  const across = all.length > 4 ? 3 : all.length > 1 ? 2 : 1;
  const [cell, rows] = [96 / across, Math.ceil(all.length / across)];
  const placed = all.map((icon, at) => {
    const [x, y] = [
      ((at % across) - (across - 1) / 2) * cell,
      (Math.floor(at / across) - (rows - 1) / 2) * cell,
    ];
    return s("g", { transform: `translate(${x} ${y}) scale(${0.94 / across})` }, icon);
  });
  const frame = {
    "x": -48,
    "y": -48,
    "width": 96,
    "height": 96,
    "rx": 10,
    "fill": "#2d6fc833",
    "stroke": "#2d6fc8",
    "stroke-width": 3,
    "stroke-dasharray": "8 6",
  };
  const struck = [
    s("path", { "d": "M-40 -40 L40 40", "stroke": "#c8372d", "stroke-width": 10, "stroke-linecap": "round" }),
    s("circle", { "r": 44, "fill": "none", "stroke": "#c8372d", "stroke-width": 7 }),
  ];
  return s("g", { class: "mark" }, all.length > 1 && s("rect", frame), placed, mark.not && struck);
}

/** Nothing stands there. */
export function emptyIcon() {
  return s(
    "g",
    null,
    s("rect", {
      "x": -34,
      "y": -34,
      "width": 68,
      "height": 68,
      "rx": 8,
      "fill": "#ffffff66",
      "stroke": "#2d6fc8",
      "stroke-width": 5,
      "stroke-dasharray": "12 9",
    }),
  );
}

/** Something stands there; of a side, in its colours. */
export function anyIcon(paint = { fill: "#2d6fc8", stroke: "#12345f", detail: "#ffffff" }) {
  return s(
    "g",
    null,
    s("circle", { "r": 36, "fill": paint.fill, "stroke": paint.stroke, "stroke-width": 4 }),
    s("path", {
      "d": "M0 -20 V20 M-17.3 -10 L17.3 10 M-17.3 10 L17.3 -10",
      "stroke": paint.detail,
      "stroke-width": 7,
      "stroke-linecap": "round",
    }),
  );
}
