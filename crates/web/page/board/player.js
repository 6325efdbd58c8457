// Moving pieces on a board that shows a position view: what is picked up, where it may go, which move is meant.

import { speak } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { askWhich } from "./chooser.js";
import { pieceName } from "./names.js";
import { explainIllegalMove } from "./illegal-move.js";

const isSpot = (a, b) =>
  a && b && (a.square ? a.square === b.square : a.hand === b.hand && a.kind === b.kind);

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
    const moves = board.selected ? this.movesOf(board.selected) : this.shownDrops();
    const found = new Map();
    for (const { to, captures } of moves)
      if (to)
        found.set(to, {
          square: to,
          captures: (captures && board.at({ square: to }) !== undefined) || found.get(to)?.captures,
        });
    return [...found.values()];
  }

  shownDrops() {
    const { positionView, layout } = this.board;
    return layout.hands === "none" ? (positionView.moves ?? []).filter((move) => !move.from && move.to) : [];
  }

  /** A pointer goes down: what is dragged, if anything. */
  grab(spot) {
    const { board } = this;
    if (!this.canHold(spot)) return null;
    if (board.selected && spot.square && !isSpot(board.selected, spot) && this.movesTo(spot.square).length)
      return null;
    this.wasSelected = isSpot(board.selected, spot);
    if (!this.wasSelected) board.select(spot);
    return board.at(spot);
  }

  /** A pointer comes up after a drag. */
  put(from, to) {
    if (isSpot(from, to)) return;
    if (to?.square && this.movesTo(to.square).length) this.go(to.square, { isCarried: true });
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
    if (spot?.square && this.movesTo(spot.square).length) {
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

  movesTo(square) {
    const { board } = this;
    const moves = board.selected ? this.movesOf(board.selected) : this.shownDrops();
    return moves.filter((move) => move.to === square);
  }

  go(square, { isCarried = false } = {}) {
    const { board } = this;
    const moves = this.movesTo(square);
    const from = board.selected;
    const play = (move) => {
      board.closeChooser = undefined;
      if (move && isCarried) this.carry(from, move);
      board.select(null);
      if (board.drawing.contains(document.activeElement)) board.focus(square);
      if (move) board.options.onMove?.(move.text, move);
    };
    // A turn spent on the piece's own square is asked about even if it is the only one: a second click may mean "let go".
    if (moves.length === 1 && moves[0].from !== square) return play(moves[0]);
    const piece = board.selected
      ? board.at(board.selected)
      : { kind: moves[0].drop, side: board.positionView.turn };
    board.closeChooser = askWhich(board, moves, piece, square, (move) => {
      play(move);
      if (!move) board.focus(square);
    });
  }

  /** What was carried lies where it was put, before anybody has answered: it does not go back and come again. */
  carry(from, { to, becomes }) {
    const { board } = this;
    const piece = board.at(from);
    const rest = board.positionView.board.filter((one) => one.square !== to && one.square !== from?.square);
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
