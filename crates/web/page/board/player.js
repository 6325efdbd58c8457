// Moving pieces on a board that shows a position view: what is picked up, where it may go, which move is meant.

import { speak } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { askWhich } from "./chooser.js";
import { pieceName } from "./names.js";
import { explainIllegalMove } from "./illegal-move.js";

const isSpot = (a, b) =>
  a && b && (a.square ? a.square === b.square : a.hand === b.hand && a.kind === b.kind);

/** Adds the squares of captures on the way, and those that only such a capture leads to. */
function withCapturesOnWay(found, moves, board) {
  for (const { from, middle, to } of moves.filter((move) => move.middle)) {
    found.set(middle, { square: middle, captures: true, way: "through" });
    if (to !== from && !found.has(to))
      found.set(to, { square: to, captures: board.at({ square: to }) !== undefined, way: "only" });
  }
  return found;
}

export class Player {
  constructor(board) {
    this.board = board;
  }

  /** Moves of the piece on a spot. */
  movesOf(spot) {
    const { moves, turn } = this.board.positionView;
    if (!spot || !moves) return [];
    if (spot.square) return moves.filter((move) => move.from === spot.square);
    return spot.hand === turn ? moves.filter((move) => move.drop === spot.kind) : [];
  }

  canGrab(spot) {
    return this.board.interactive && this.movesOf(spot).length > 0;
  }

  /** Whether a piece may be taken up, if only to be told why it may not be put down elsewhere. */
  canHold(spot) {
    const { board } = this;
    if (this.canGrab(spot)) return true;
    const isToMove = board.interactive && board.options.onMove && board.positionView.moves?.length > 0;
    return Boolean(isToMove && spot?.square && board.at(spot)?.side === board.positionView.turn);
  }

  /** Squares that the selected piece may go to; without a hand on the board, those that something is put on. */
  targets() {
    const { board } = this;
    if (!board.interactive) return [];
    if (this.step) return this.step.targets;
    const moves = board.selected ? this.movesOf(board.selected) : this.shownDrops();
    const found = new Map();
    for (const { to, captures, middle } of moves)
      if (to && !middle)
        found.set(to, {
          square: to,
          captures: (captures && board.at({ square: to }) !== undefined) || found.get(to)?.captures,
        });
    return [...withCapturesOnWay(found, moves, board).values()];
  }

  /** The second step of a move that captures on the way, as long as its piece is selected. */
  get step() {
    return this.begun && this.board.selected === this.begun.from ? this.begun : undefined;
  }

  shownDrops() {
    const { positionView, layout } = this.board;
    return layout.hands === "none" ? (positionView.moves ?? []).filter((move) => !move.from && move.to) : [];
  }

  /** A pointer goes down: what is dragged, if anything. */
  grab(spot) {
    const { board } = this;
    if (!this.canHold(spot)) return null;
    if (board.selected && spot.square && !isSpot(board.selected, spot) && this.leadsTo(spot.square))
      return null;
    this.wasSelected = isSpot(board.selected, spot);
    if (!this.wasSelected) board.select(spot);
    return board.at(spot);
  }

  /** A pointer comes up after a drag. */
  put(from, to) {
    if (isSpot(from, to)) return;
    if (to?.square && this.leadsTo(to.square)) this.go(to.square, { isCarried: true });
    else this.refuseTo(from, to);
  }

  /** What was wanted is no move: somebody may say why. */
  refuseTo(from, to) {
    const { board } = this;
    board.select(null);
    if (!to?.square || !board.interactive || !board.options.onMove) return;
    explainIllegalMove(board.positionView, {
      from: from.square,
      drop: from.square ? undefined : from.kind,
      to: to.square,
    });
  }

  /** A click, or Enter. */
  press(spot, { byKey = false } = {}) {
    const { board } = this;
    if (!board.interactive) return;
    const isChosen = isSpot(board.selected, spot);
    if (spot?.square && this.leadsTo(spot.square)) {
      this.go(spot.square);
    } else if (this.canHold(spot)) {
      const again = isChosen && (byKey || this.wasSelected);
      board.select(again ? null : spot);
      this.say(again ? null : spot);
    } else {
      if (spot && byKey) this.refuse(spot);
      if (board.selected) this.refuseTo(board.selected, spot);
    }
    this.wasSelected = false;
  }

  letGo() {
    this.board.select(null);
    speak(t("board.letGo"));
  }

  /** Whether a click on a square is a move or its first step. */
  leadsTo(square) {
    return this.targets().some((target) => target.square === square);
  }

  /** A piece that is carried makes the direct move; a click on a piece that may be captured on the way asks for the second step. */
  go(square, { isCarried = false } = {}) {
    const { board } = this;
    if (this.step) return this.finish(this.step.moves.get(square), square, { isCarried });
    const moves = board.selected ? this.movesOf(board.selected) : this.shownDrops();
    const direct = moves.filter((move) => move.to === square && !move.middle);
    const through = moves.filter((move) => move.middle === square);
    const after = moves.filter((move) => move.to === square && move.middle);
    if (direct.length && (isCarried || !through.length)) return this.finish(direct, square, { isCarried });
    if (through.length)
      return this.begin(square, [
        ...direct.map((move) => [square, move]),
        ...through.map((move) => [move.to, move]),
      ]);
    if (after.length === 1) return this.finish(after, square, { isCarried });
    // Only a capture on the way leads there: which of several?
    return this.begin(
      square,
      after.map((move) => [move.middle, move]),
    );
  }

  /** Asks for the second step: `steps` are pairs of a square and the move that a click there makes. */
  begin(square, steps) {
    const { board } = this;
    const from = board.selected;
    const moves = new Map();
    for (const [at, move] of steps) moves.set(at, [...(moves.get(at) ?? []), move]);
    const way = (at) => (at === from.square ? "back" : at === square ? "stop" : undefined);
    const targets = [...moves.keys()].map((at) => ({
      square: at,
      captures: Boolean(board.at({ square: at })) && at !== from.square,
      way: way(at),
    }));
    this.begun = { from, square, moves, targets };
    board.mark();
    speak(t("board.secondStep", { square, count: targets.length }));
  }

  /** The square of the first step, while the second is awaited. */
  under(mark) {
    return this.step ? [mark(this.step.square, "first-step")] : [];
  }

  finish(moves, square, { isCarried }) {
    const { board } = this;
    const from = board.selected;
    const play = (move) => {
      board.closeChooser = undefined;
      if (move && isCarried) this.carry(from, move);
      board.select(null);
      if (board.drawing.contains(document.activeElement)) board.focus(square);
      if (move) board.options.onMove?.(move.text, move);
    };
    // A turn spent on the piece's own square is asked about even if it is the only one: a second click may mean "let go".
    if (moves.length === 1 && (moves[0].from !== square || moves[0].middle)) return play(moves[0]);
    const piece = board.selected
      ? board.at(board.selected)
      : { kind: moves[0].drop, side: board.positionView.turn };
    board.closeChooser = askWhich(board, moves, piece, square, (move) => {
      play(move);
      if (!move) board.focus(square);
    });
  }

  /** What was carried lies where it was put, before anybody has answered: it does not go back and come again. */
  carry(from, { middle, to, becomes }) {
    const { board } = this;
    const piece = board.at(from);
    const rest = board.positionView.board.filter((one) => ![from?.square, middle, to].includes(one.square));
    board.positionView = {
      ...board.positionView,
      board: [...rest, { square: to, side: piece.side, kind: becomes ?? piece.kind }],
      moves: [],
    };
    board.drawPieces();
  }

  say(spot) {
    if (!spot) return speak(t("board.letGo"));
    const given = {
      piece: pieceName(this.board.sheet, this.board.at(spot)),
      square: spot.square,
      count: this.movesOf(spot).length,
    };
    speak(t(spot.square ? "board.picked" : "board.pickedHand", given));
  }

  refuse({ square }) {
    const { board } = this;
    const piece = board.at({ square });
    if (board.selected) speak(t("board.notThere", { square }));
    else if (piece) speak(t("board.stuck", { piece: pieceName(board.sheet, piece), square }));
  }
}
