// Where everything of a board is drawn, in units of a hundredth of a square: the board, its frame, the hands beside it
// (where there is room) or above and below it.

import { s } from "/lib/dom.js";
import { places } from "./geometry.js";
import { ringMiddle, ringOutline, ringPlace } from "./ring.js";

const FRAME = 40;
const SHELF = 104;

/** Places of squares and hands for a sheet, a view and a way to show hands: "sides", "strips" or "none". */
export class Layout {
  constructor(sheet, view, hands) {
    Object.assign(this, { sheet, view, hands: sheet.hand ? hands : "none", ...places(sheet, view) });
    const frame = sheet.look === "chess" && !sheet.ring ? 0 : FRAME;
    const beside = this.hands === "sides" ? SHELF + 26 : 0;
    const above = this.hands === "strips" ? SHELF + 12 : 0;
    this.frame = frame;
    this.left = beside + frame;
    this.top = above + frame;
    this.boxWidth = this.width * 100 + 2 * this.left;
    this.boxHeight = this.height * 100 + 2 * this.top;
    this.holdable = sheet.kinds
      .map((kind, index) => ({ kind, index }))
      .filter(({ kind }) => kind.hand)
      .map(({ index }) => index)
      .reverse();
  }

  /** The middle of a square. */
  middle(name) {
    const square = this.squares.get(name);
    if (square && this.sheet.ring) return ringMiddle(square, this);
    return square && [this.left + square.x * 100 + 50, this.top + square.y * 100 + 50];
  }

  /** A square as something to be drawn; `inset` leaves so much of it free. */
  area({ x, y, ...square }, attributes, inset = 0) {
    if (this.sheet.ring) return s("path", { ...attributes, d: ringOutline(square, this) });
    const size = 100 - 2 * inset;
    return s("rect", {
      ...attributes,
      x: this.left + x * 100 + inset,
      y: this.top + y * 100 + inset,
      width: size,
      height: size,
    });
  }

  /** How large pieces are drawn: those of the inner ring need room. */
  get pieceScale() {
    return this.sheet.ring ? 0.82 : 1;
  }

  /** A piece as large as it is drawn on the board. */
  sized(piece) {
    return this.sheet.ring ? s("g", { transform: `scale(${this.pieceScale})` }, piece) : piece;
  }

  /** Whether a side's hand is the one below: its own view, or the second of more than two is above. */
  isBelow(side) {
    return this.sheet.sides[side].quarters === this.view;
  }

  /** The area of a side's hand. */
  shelf(side) {
    if (this.hands === "none" || side > 1) return null;
    const below = this.isBelow(side);
    const inner = { width: this.width * 100 + 2 * this.frame, height: this.height * 100 + 2 * this.frame };
    if (this.hands === "strips")
      return { x: 0, y: below ? this.boxHeight - SHELF : 0, width: inner.width, height: SHELF, across: true };
    const height = Math.min(inner.height * 0.62, this.holdable.length * 98 + 16);
    return {
      x: below ? this.boxWidth - SHELF : 0,
      y: below ? inner.height - height : 0,
      width: SHELF,
      height,
      across: false,
    };
  }

  /** The middle of a kind's place in a hand, and how large it is drawn. */
  held(side, kind) {
    const shelf = this.shelf(side);
    const at = this.holdable.indexOf(kind);
    if (!shelf || at < 0) return null;
    const n = this.holdable.length;
    const order = this.isBelow(side) ? at : n - 1 - at;
    const room = (shelf.across ? shelf.width : shelf.height) - 16;
    const pitch = Math.min(shelf.across ? 116 : 98, room / n);
    const scale = Math.min(0.88, pitch / 100);
    if (shelf.across)
      return {
        x: shelf.x + shelf.width / 2 + (order - (n - 1) / 2) * pitch,
        y: shelf.y + shelf.height / 2,
        scale,
        pitch,
      };
    return { x: shelf.x + shelf.width / 2, y: shelf.y + 8 + pitch * (order + 0.5), scale, pitch };
  }

  /** What is at a point: { square } or { hand: side, kind } or nothing. */
  spotAt(x, y) {
    const { column, row } = this.sheet.ring
      ? ringPlace(x, y, this)
      : { column: Math.floor((x - this.left) / 100), row: Math.floor((y - this.top) / 100) };
    for (const square of this.squares.values())
      if (square.x === column && square.y === row) return { square: square.name };
    for (const side of [0, 1]) {
      for (const kind of this.hands === "none" ? [] : this.holdable) {
        const place = this.held(side, kind);
        const [dx, dy] = [Math.abs(x - place.x), Math.abs(y - place.y)];
        const shelf = this.shelf(side);
        if (dx <= (shelf.across ? place.pitch / 2 : 50) && dy <= (shelf.across ? 50 : place.pitch / 2))
          return { hand: side, kind };
      }
    }
    return null;
  }

  /** How far a side's pieces are turned as they are seen. */
  quarters(side) {
    return (this.sheet.sides[side].quarters - this.view + 4) % 4;
  }
}
