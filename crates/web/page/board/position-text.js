// Positions as text, FEN, SFEN or that of a contest, read and written for any sheet.

import { t } from "/lib/words.js";
import { pieceText } from "./names.js";
import { readFields, writeFields, writesSfen } from "./position-fields.js";

function allPieces(sheet) {
  const pieces = sheet.sides.flatMap((_, side) =>
    sheet.kinds.map((_, kind) => ({ kind, side, text: pieceText(sheet, { kind, side }) })),
  );
  return pieces.sort((a, b) => b.text.length - a.text.length);
}

/** A text as { board, hands, turn, fields }; throws what is wrong with it. */
export function readPosition(sheet, text) {
  const [first = "", turn, ...rest] = text.trim().split(/\s+/);
  const [, field, bracket] = /^([^[]*)(?:\[(.*)\])?$/.exec(first) ?? [null, first];
  const pieces = allPieces(sheet);
  const board = readBoard(sheet, field, pieces);
  const third = writesSfen(sheet) && !sheet.contest ? rest.shift() : "";
  // In SFEN a square in the place of the hands is where a remembered capture was made.
  const remembered = sheet.squares.flat().includes(third) ? third : null;
  const held = bracket ?? (remembered ? "" : third);
  const side = turn === undefined ? 0 : sheet.sides.findIndex((one) => one.letter === turn);
  if (side < 0) throw new Error(t("board.badTurn", { text: turn.slice(0, 20) }));
  const fields = { ...readFields(sheet, rest), remembered };
  return { board, hands: readHands(sheet, held ?? "", pieces), turn: side, fields };
}

function readBoard(sheet, field, pieces) {
  const rows = field.split("/");
  if (rows.length !== sheet.ranks) throw new Error(t("board.badRanks", { n: rows.length, of: sheet.ranks }));
  return rows
    .flatMap((row, y) => {
      const found = [];
      let x = 0;
      for (let rest = row; rest; ) {
        // A hole, where the board has none of its squares.
        if (rest.startsWith("*") && x < sheet.files && !sheet.squares[y][x]) {
          x += 1;
          rest = rest.slice(1);
          continue;
        }
        const number = /^\d+/.exec(rest)?.[0];
        const piece = number ? null : pieces.find((one) => rest.startsWith(one.text));
        if (!number && !piece) throw new Error(t("board.noPiece", { text: rest.slice(0, 4) }));
        if (piece) found.push({ square: sheet.squares[y][x], kind: piece.kind, side: piece.side });
        x += number ? Number(number) : 1;
        rest = rest.slice((number ?? piece.text).length);
      }
      if (x !== sheet.files) throw new Error(t("board.badRank", { row, n: x, of: sheet.files }));
      return found;
    })
    .filter((piece) => piece.square);
}

function readHands(sheet, held, pieces) {
  const hands = sheet.sides.map(() => []);
  for (let rest = held === "-" ? "" : held; rest; ) {
    const number = /^\d+/.exec(rest)?.[0] ?? "";
    const piece = pieces.find((one) => rest.slice(number.length).startsWith(one.text));
    if (!piece) throw new Error(t("board.noPiece", { text: rest.slice(0, 4) }));
    const before = hands[piece.side].find((one) => one.kind === piece.kind);
    if (before) before.count += Number(number || 1);
    else hands[piece.side].push({ kind: piece.kind, count: Number(number || 1) });
    rest = rest.slice(number.length + piece.text.length);
  }
  return hands;
}

/** The text of { board, hands, turn, fields }. */
export function writePosition(sheet, { board, hands, turn, fields }) {
  const on = new Map(board.map((piece) => [piece.square, piece]));
  const field = sheet.squares
    .map((row) => {
      const out = [];
      let empty = 0;
      for (const square of row) {
        const piece = on.get(square);
        if (square && !piece) {
          empty += 1;
          continue;
        }
        if (empty) out.push(empty);
        empty = 0;
        out.push(piece ? pieceText(sheet, piece) : "*");
      }
      return out.join("") + (empty || "");
    })
    .join("/");
  const isSfen = writesSfen(sheet) && !sheet.contest;
  // SFEN counts pieces of a kind, FEN has a letter for each.
  const times = (letter, count) => (isSfen ? (count > 1 ? count : "") + letter : letter.repeat(count));
  const held = hands
    .flatMap((hand, side) =>
      [...hand]
        .filter((one) => one.count > 0)
        .sort((a, b) => b.kind - a.kind)
        .map(({ kind, count }) => times(pieceText(sheet, { kind, side }), count)),
    )
    .join("");
  const bracket = sheet.hand && !isSfen && !sheet.contest ? `[${held}]` : "";
  return [
    field + bracket,
    sheet.sides[turn].letter,
    ...(isSfen ? [held || (on.has(fields.remembered) ? fields.remembered : "-")] : []),
    ...writeFields(sheet, fields, { board, turn }),
  ].join(" ");
}
