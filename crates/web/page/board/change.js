// What happened between two position views: for the eye (which piece came from where) and for the ear.

import { t } from "/lib/words.js";
import { kindName, pieceName } from "./names.js";

const bySquare = (positionView) => new Map((positionView.board ?? []).map((piece) => [piece.square, piece]));
const isSame = (a, b) => a && b && a.kind === b.kind && a.side === b.side;

/** Which pieces have come from where: [{ from, to }]; `from` is a square, or a hand's { hand, kind }. */
export function ways(before, after) {
  const [was, is] = [bySquare(before), bySquare(after)];
  if (!was.size) return [];
  const gone = [...was.values()].filter((piece) => !isSame(piece, is.get(piece.square)));
  const come = [...is.values()].filter((piece) => !isSame(piece, was.get(piece.square)));
  if (come.length > 4) return [];
  const found = [];
  for (const piece of come) {
    const { last } = after;
    const others = gone.filter((one) => one.side === piece.side && one.square !== piece.square);
    const from =
      others.find((one) => last?.to === piece.square && one.square === last.from) ??
      others.find((one) => isSame(one, piece)) ??
      (come.length === 1 ? others[0] : undefined);
    if (from) {
      gone.splice(gone.indexOf(from), 1);
      found.push({ from: from.square, to: piece.square });
    } else if (held(before, piece) > held(after, piece))
      found.push({ from: { hand: piece.side, kind: piece.kind }, to: piece.square });
  }
  return found;
}

function held(positionView, { side, kind }) {
  return positionView.hands?.[side]?.find((one) => one.kind === kind)?.count ?? 0;
}

/** The last move in words: "white knight g1 to f3, check". */
export function movedWords(sheet, before, after) {
  const { last } = after;
  if (!last?.to) return "";
  const [was, is] = [bySquare(before), bySquare(after)];
  const mover = last.from ? was.get(last.from) : is.get(last.to);
  const now = is.get(last.to);
  if (!mover || !now) return "";
  const taken = last.from && was.get(last.to);
  const onWay = last.middle && was.get(last.middle);
  const given = {
    piece: pieceName(sheet, mover),
    from: last.from,
    to: last.to,
    what: taken && taken.side !== mover.side ? pieceName(sheet, taken) : "",
  };
  const said = [t(!last.from ? "board.dropped" : given.what ? "board.took" : "board.moved", given)];
  if (onWay) {
    const captured = { ...given, what: pieceName(sheet, onWay), square: last.middle };
    if (last.from === last.to) said[0] = t("board.tookAndBack", captured);
    else said.push(t("board.tookOnWay", captured));
  }
  if (now.kind !== mover.kind) said.push(t("board.becomes", { kind: kindName(sheet, now.kind) }));
  if (after.check?.length) said.push(t("board.check"));
  return said.join(t("board.comma"));
}
