// The board of every game: what a sheet says is drawn, what a position view says stands on it, what may be moved can be moved.
//
// In: a sheet, position views. Out: `onMove(text)`. Never: rules; which moves there are is what the position view says.

import { h, s, speak, svgText } from "/lib/dom.js";
import { knowKinds } from "/lib/kinds.js";
import { t } from "/lib/words.js";
import { drawArrow } from "./arrows.js";
import { drawGround } from "./ground.js";
import { Layout } from "./layout.js";
import { kindName, pieceName, sideName } from "./names.js";
import { drawPiece } from "./piece.js";
import { drawTarget, targetWords } from "./target.js";
import { Player } from "./player.js";
import { listen } from "./pointer.js";
import { movedWords, ways } from "./change.js";
import { chosenPieces } from "./choice.js";

const WIDE = "(min-width: 900px)";
const LAYERS = ["under", "held-pieces", "pieces", "over", "drawn", "cells"];

/** What people who hear the page meet; the rest is only to be seen. */
const HEARD = ["held-pieces", "cells"];

/** Loads a style sheet once; gives when it is there, so that nothing moves afterwards. */
export function withStyle(href) {
  const known = document.querySelector(`link[href="${href}"]`);
  if (known) return known.loaded ?? Promise.resolve();
  const link = h("link", { rel: "stylesheet", href });
  link.loaded = new Promise((done) => {
    link.onload = done;
    link.onerror = done;
  });
  document.head.append(link);
  return link.loaded;
}

export class Board {
  constructor(sheet, options = {}) {
    withStyle("/board/board.css");
    knowKinds(sheet);
    this.sheet = sheet;
    this.options = options;
    this.interactive = options.interactive ?? true;
    this.pieces = options.pieces ?? chosenPieces();
    this.view = options.view ?? (options.flipped ? 2 : 0);
    this.positionView = { board: [], hands: [], moves: [], check: [] };
    this.selected = null;
    this.label = options.label ?? `${t("board.board")}, ${sheet.name}`;
    this.wide = matchMedia(WIDE);
    this.drawing = s("svg", {
      "class": `squares-of-board look-${sheet.look}`,
      "role": "group",
      "aria-label": this.label,
    });
    this.element = h("div", { class: `board look-${sheet.look}` }, this.drawing);
    this.input = options.input?.(this) ?? new Player(this);
    this.drawn = { given: [], own: [] };
    this.arrange();
    const turnOver = () => {
      if (this.element.isConnected) this.arrange();
      else this.wide.removeEventListener("change", turnOver);
    };
    this.wide.addEventListener("change", turnOver);
    listen(this);
  }

  get hands() {
    return this.options.hands ?? (this.wide.matches ? "sides" : "strips");
  }

  /** How wide it is for its height. */
  get ratio() {
    return this.layout.boxWidth / this.layout.boxHeight;
  }

  /** Draws what depends on view and room: at the start, when it is flipped, when the window becomes narrow. */
  arrange() {
    const { layout } = this;
    const focused = this.drawing.contains(document.activeElement) ? this.cursor : null;
    this.layout = new Layout(this.sheet, this.view, this.hands);
    this.cursor ??= this.sheet.squares.findLast((row) => row.some(Boolean)).find(Boolean);
    const { boxWidth, boxHeight } = this.layout;
    this.drawing.setAttribute("viewBox", `0 0 ${boxWidth} ${boxHeight}`);
    this.element.style.setProperty("--ratio", this.ratio);
    this.element.style.setProperty("--across", this.layout.width);
    this.layers = Object.fromEntries(
      LAYERS.map((name) => [
        name,
        s("g", { "class": name, "aria-hidden": HEARD.includes(name) ? undefined : "true" }),
      ]),
    );
    this.drawing.replaceChildren(
      drawGround(this.layout, this.options),
      ...LAYERS.map((name) => this.layers[name]),
    );
    this.makeCells();
    if (layout) {
      this.refresh();
      this.options.onArrange?.();
    }
    if (focused) this.focus(focused);
  }

  makeCells() {
    this.cells = new Map();
    const rows = new Map();
    for (const square of this.layout.squares.values()) {
      const { name, y } = square;
      const cell = this.layout.area(
        square,
        {
          "class": "square",
          "role": "gridcell",
          "tabindex": name === this.cursor ? 0 : -1,
          "data-square": name,
          "rx": 6,
        },
        3,
      );
      this.cells.set(name, cell);
      if (!rows.has(y)) rows.set(y, s("g", { role: "row" }));
      rows.get(y).append(cell);
    }
    const inOrder = [...rows].sort(([a], [b]) => a - b).map(([, row]) => row);
    const names = { "role": "grid", "aria-label": this.label, "aria-description": t("board.help") };
    for (const [name, value] of Object.entries(names)) this.layers.cells.setAttribute(name, value);
    this.layers.cells.replaceChildren(...inOrder);
    if (!this.interactive && this.options.still) this.layers.cells.remove();
  }

  /** Shows a position view. With `animate`, what has moved is seen moving and said aloud. */
  set(positionView, { animate = false, last } = {}) {
    const before = this.positionView;
    this.positionView = { moves: [], check: [], hands: [], ...positionView };
    if (last !== undefined) this.positionView.last = last;
    this.selected = null;
    this.closeChooser?.();
    this.drawn.given = [];
    this.refresh();
    if (!animate) return;
    this.animate(ways(before, this.positionView));
    const said = movedWords(this.sheet, before, this.positionView);
    if (said && this.options.announce !== false) speak(said);
  }

  /** Turns the board half around. */
  flip() {
    this.turnTo((this.view + 2) % 4);
  }

  /** Shows the board as the side with so many quarters sees it. */
  turnTo(quarters) {
    this.view = this.sheet.files === this.sheet.ranks ? quarters : quarters % 2 ? 0 : quarters;
    this.arrange();
  }

  /** Chooses the set: "kanji", "western" or "auto". */
  setPieces(pieces) {
    this.pieces = pieces;
    this.refresh();
  }

  /** Whether somebody may move; until then clicks do nothing. */
  allow(isAllowed) {
    this.interactive = isAllowed;
    this.element.classList.toggle("waiting", !isAllowed);
    if (!isAllowed) this.selected = null;
    this.mark();
  }

  /** Arrows that the program draws: [{ from, middle, to, colour }]; without `to` a circle, with `middle` two arrows. */
  arrows(list) {
    this.drawn.given = list;
    this.drawArrows();
  }

  /** The board as an SVG file. */
  svg() {
    const cells = this.layers.cells;
    cells.remove();
    this.drawing.setAttribute("width", this.layout.boxWidth / 2);
    this.drawing.setAttribute("height", this.layout.boxHeight / 2);
    const text = svgText(this.drawing);
    this.drawing.removeAttribute("width");
    this.drawing.removeAttribute("height");
    this.drawing.append(cells);
    return text;
  }

  /** Puts the keyboard's cursor on a square. */
  focus(square = this.cursor) {
    this.cells.get(this.cursor)?.setAttribute("tabindex", -1);
    this.cursor = square;
    const cell = this.cells.get(square);
    cell?.setAttribute("tabindex", 0);
    cell?.focus({ preventScroll: true });
  }

  /** What is under a point of the window: { square } or { hand, kind }. */
  spotAt(clientX, clientY) {
    const at = new DOMPoint(clientX, clientY).matrixTransform(this.drawing.getScreenCTM().inverse());
    return this.layout.spotAt(at.x, at.y);
  }

  /** What stands on a spot. */
  at(spot) {
    if (!spot) return undefined;
    if (spot.square) return this.positionView.board.find((piece) => piece.square === spot.square);
    const held = this.positionView.hands[spot.hand]?.find((one) => one.kind === spot.kind);
    return held && { kind: spot.kind, side: spot.hand, count: held.count };
  }

  /** Selects a spot, or nothing. */
  select(spot) {
    this.selected = spot;
    this.mark();
    if (spot?.square) this.options.onSelect?.(spot.square);
  }

  refresh() {
    this.drawPieces();
    this.mark();
  }

  /** Everything but the pieces on squares, which may be on their way. */
  mark() {
    this.drawHands();
    this.drawUnder();
    this.drawOver();
    this.drawArrows();
    this.nameCells();
  }

  make(kind, side) {
    return drawPiece(this.sheet, kind, side, { set: this.pieces, quarters: this.layout.quarters(side) });
  }

  drawPieces() {
    this.drawnPieces = new Map();
    const placed = this.positionView.board.map(({ square, kind, side }) => {
      const [x, y] = this.layout.middle(square);
      const moving = s("g", { class: "piece" }, this.layout.sized(this.make(kind, side)));
      this.drawnPieces.set(square, moving);
      return s("g", { "transform": `translate(${x} ${y})`, "data-piece": square }, moving);
    });
    this.layers.pieces.replaceChildren(...placed);
  }

  /** Pieces in hand. They are made anew only when there are others: a finger that holds one must not lose it. */
  drawHands() {
    const { layout, pieces } = this;
    const hands =
      layout.hands === "none"
        ? []
        : [0, 1].flatMap((side) => (this.positionView.hands[side] ?? []).map((one) => ({ side, ...one })));
    const key = JSON.stringify(hands);
    if (this.held?.key !== key || this.held.layout !== layout || this.held.pieces !== pieces) {
      const focused = document.activeElement?.dataset?.hand;
      const drawn = hands.map((one) => this.drawHeld(one));
      this.held = { key, layout, pieces, drawn };
      this.layers["held-pieces"].replaceChildren(...drawn);
      if (focused && document.activeElement === document.body)
        drawn.find((one) => one.dataset.hand === focused)?.focus();
    }
    hands.forEach((one, at) => this.dressHeld(this.held.drawn[at], one));
  }

  drawHeld({ side, kind, count }) {
    const place = this.layout.held(side, kind);
    if (!place) return s("g");
    const label = t("board.inHand", { piece: pieceName(this.sheet, { kind, side }), count });
    const held = s(
      "g",
      {
        "transform": `translate(${place.x} ${place.y}) scale(${place.scale})`,
        "role": "button",
        "aria-label": label,
        "data-hand": `${side}:${this.sheet.kinds[kind].name}`,
      },
      s("rect", { class: "slot", x: -48, y: -48, width: 96, height: 96, rx: 10 }),
      this.make(kind, side),
    );
    if (count > 1)
      held.append(
        s(
          "g",
          { class: "count", transform: "translate(33 33)" },
          s("circle", { r: 20 }),
          s("text", null, count),
        ),
      );
    return held;
  }

  /** What can be done with a piece in hand just now. */
  dressHeld(held, { side, kind, count }) {
    const isChosen = this.selected?.hand === side && this.selected.kind === kind;
    const canMove = this.interactive && this.input.canGrab({ hand: side, kind });
    held.setAttribute(
      "class",
      ["held", count === 0 && "none", isChosen && "chosen", canMove && "movable"].filter(Boolean).join(" "),
    );
    for (const [name, value] of [
      ["tabindex", canMove ? 0 : undefined],
      ["aria-pressed", canMove ? String(isChosen) : undefined],
    ]) {
      if (value === undefined) held.removeAttribute(name);
      else held.setAttribute(name, value);
    }
  }

  drawUnder() {
    const { layout, positionView, selected } = this;
    const mark = (square, name) => {
      const place = layout.squares.get(square);
      return place && layout.area(place, { class: name });
    };
    const { last, check = [] } = positionView;
    const glow = (square) => {
      const [x, y] = layout.middle(square);
      return s("circle", { class: "check", cx: x, cy: y, r: 47 });
    };
    this.layers.under.replaceChildren(
      ...[
        last?.from && last.from !== last.to && mark(last.from, "last"),
        last?.middle && mark(last.middle, "last on-way"),
        last?.to && mark(last.to, "last to"),
        ...check.map(glow),
        selected?.square && mark(selected.square, "chosen"),
        ...(this.input.under?.(mark) ?? []),
      ].filter(Boolean),
    );
  }

  drawOver() {
    const dots = this.input.targets().map((target) => drawTarget(target, this.layout.middle(target.square)));
    this.layers.over.replaceChildren(...dots, ...(this.input.over?.() ?? []));
  }

  drawArrows() {
    const all = [...this.drawn.given, ...this.drawn.own].flatMap((arrow) =>
      arrow.middle
        ? [
            { ...arrow, middle: undefined, to: arrow.middle },
            { ...arrow, middle: undefined, from: arrow.middle },
          ]
        : arrow,
    );
    const drawn = all.map(({ from, to, colour }) => {
      const [start, end] = [
        this.layout.middle(from) ?? this.heldMiddle(from),
        this.layout.middle(to ?? from),
      ];
      return start && end && drawArrow(start, end, colour);
    });
    this.layers.drawn.replaceChildren(...drawn.filter(Boolean));
  }

  /** An arrow may come from a hand: { hand, kind }. */
  heldMiddle(spot) {
    const place = spot && this.layout.held(spot.hand, spot.kind);
    return place && [place.x, place.y];
  }

  nameCells() {
    const targets = new Map(this.input.targets().map((one) => [one.square, one]));
    const pieces = new Map(this.positionView.board.map((piece) => [piece.square, piece]));
    for (const [square, cell] of this.cells) {
      const piece = pieces.get(square);
      const said = [piece ? pieceName(this.sheet, piece) : t("board.empty")];
      const extra = this.input.words?.(square);
      if (extra) said.push(extra);
      if (targets.has(square)) said.push(t(targetWords(targets.get(square))));
      if (this.selected?.square === square) said.push(t("board.selected"));
      cell.setAttribute("aria-label", t("board.square", { square, what: said.join(", ") }));
      cell.classList.toggle("movable", this.interactive && this.input.canGrab({ square }));
      cell.classList.toggle("target", targets.has(square));
    }
  }

  animate(moved) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const { from, to } of moved) {
      const piece = this.drawnPieces.get(to);
      const start = typeof from === "string" ? this.layout.middle(from) : this.heldMiddle(from);
      const end = this.layout.middle(to);
      if (!piece || !start || !end) continue;
      this.layers.pieces.append(piece.parentNode);
      const away = `translate(${start[0] - end[0]}px, ${start[1] - end[1]}px)`;
      piece.animate([{ transform: away }, { transform: "none" }], {
        duration: 190,
        easing: "cubic-bezier(.3,.7,.3,1)",
      });
    }
  }
}

export { kindName, pieceName, sideName };
