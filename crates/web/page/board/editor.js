// A board to set pieces on: a position to start from, or the squares of a query.

import { api, showError } from "/lib/api.js";
import { copy, field, h, notice, s, select } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { Board } from "./board.js";
import { FieldControls } from "./editor-fields.js";
import { EditInput } from "./editor-input.js";
import { ORDER, drawMark, markText, markWords, plainPiece, readQuery, withTool } from "./editor-marks.js";
import { pieceText, sideName } from "./names.js";
import { drawPalette, isTool } from "./palette.js";
import { freshFields, writesSfen } from "./position-fields.js";
import { readPosition, writePosition } from "./position-text.js";

export class Editor {
  constructor(sheet, options = {}) {
    this.sheet = sheet;
    this.options = { marks: true, ...options };
    this.marks = new Map();
    this.hands = sheet.sides.map(() => new Map());
    this.turn = this.options.marks ? "any" : 0;
    this.fields = freshFields(sheet);
    this.fieldControls = this.options.marks ? null : new FieldControls(this);
    this.tool = { type: "piece", kind: 0, side: 0 };
    this.together = false;
    this.board = new Board(sheet, {
      announce: false,
      pieces: options.pieces,
      input: (board) => new EditInput(board, this),
      label: t("board.editor"),
    });
    this.palette = drawPalette(this);
    this.turnChoice = select(
      [
        ...(this.options.marks ? [["any", t("board.turnAny")]] : []),
        ...sheet.sides.map((_, side) => [String(side), sideName(sheet, side)]),
      ],
      String(this.turn),
      (value) => {
        this.turn = value === "any" ? "any" : Number(value);
        this.changed();
      },
    );
    this.textField = h("input", {
      "class": "mono",
      "spellcheck": "false",
      "autocomplete": "off",
      "aria-label": writesSfen(sheet) ? "SFEN" : "FEN",
      "onchange": () => this.take(this.textField.value),
    });
    this.element = h(
      "div",
      { class: `editor${this.options.marks ? " with-marks" : ""}` },
      this.board.element,
      this.palette,
      this.controls(),
    );
    this.draw();
  }

  controls() {
    const button = (key, run) => h("button", { type: "button", onclick: run }, t(`board.${key}`));
    const together =
      this.options.marks &&
      h(
        "label",
        { class: "together" },
        h("input", {
          type: "checkbox",
          onchange: (event) => {
            this.together = event.target.checked;
          },
        }),
        t("board.together"),
      );
    return h(
      "div",
      { class: "editor-controls" },
      h("div", { class: "row end" }, field(t("board.toMove"), this.turnChoice), together),
      this.fieldControls?.element,
      h(
        "div",
        { class: "row" },
        button("clear", () => this.clear()),
        button("start", () => this.setStart()),
        button("copy", () => this.copy()),
        button("paste", () => this.paste()),
        button("flip", () => this.board.flip()),
      ),
      field(writesSfen(this.sheet) ? "SFEN" : "FEN", this.textField),
      h("p", { class: "faint small" }, t(this.options.marks ? "board.editorHelpMarks" : "board.editorHelp")),
    );
  }

  /** Sets pieces from a text; says what is wrong with it by an error. */
  setText(text) {
    const { board, hands, turn, fields } = readPosition(this.sheet, text);
    this.marks = new Map(board.map(({ square, kind, side }) => [square, { pieces: [{ kind, side }] }]));
    this.hands = hands.map((hand) => new Map(hand.map(({ kind, count }) => [kind, count])));
    Object.assign(this, { turn, fields });
    this.changed();
  }

  /** Pieces that are certain. */
  pieces() {
    return [...this.marks].flatMap(([square, mark]) => {
      const piece = plainPiece(mark);
      return piece ? [{ square, ...piece }] : [];
    });
  }

  /** The side to move; the first where either may be. */
  get side() {
    return this.turn === "any" ? 0 : this.turn;
  }

  /** The whole position: pieces that are certain, hands, side to move, rights, counters. */
  text() {
    const hands = this.hands.map((hand) => [...hand].map(([kind, count]) => ({ kind, count })));
    return writePosition(this.sheet, { board: this.pieces(), hands, turn: this.side, fields: this.fields });
  }

  /** The squares, hands and side to move as a query. */
  query() {
    const all = this.sheet.squares
      .flat()
      .filter((square) => this.marks.has(square))
      .map((square) => markText(this.sheet, square, this.marks.get(square)));
    const held = this.hands.flatMap((hand, side) =>
      [...hand]
        .filter(([, count]) => count > 0)
        .map(([kind, count]) => `hand(${pieceText(this.sheet, { kind, side })})>=${count}`),
    );
    const turn = this.turn === "any" ? [] : [`turn=${ORDER[this.turn]}`];
    return [...all, ...held, ...turn].join(" ");
  }

  /** Sets marks from a query that was written here; what says more than squares, hands and turn is left out and makes it false. */
  setQuery(text) {
    const read = readQuery(this.sheet, text);
    Object.assign(this, {
      marks: read.marks,
      hands: read.hands,
      turn: read.turn,
      fields: freshFields(this.sheet),
    });
    this.changed();
    return read.isWhole;
  }

  /** Nothing on the board. */
  clear() {
    this.marks.clear();
    this.hands.forEach((hand) => hand.clear());
    this.turn = this.options.marks ? "any" : 0;
    this.fields = freshFields(this.sheet);
    this.changed();
  }

  setStart() {
    this.setText(this.sheet.start.text);
  }

  /** Chooses a tool of the palette. */
  choose(tool) {
    this.tool = tool;
    for (const button of this.palette.querySelectorAll(".tool"))
      button.setAttribute("aria-pressed", String(isTool(button.tool, tool)));
  }

  /** Uses a tool on a square; the same piece a second time takes it away. */
  use(square, tool = this.tool) {
    const before = this.marks.get(square);
    const plain = plainPiece(before);
    const again =
      !this.together &&
      tool.type === "piece" &&
      plain &&
      plain.kind === tool.kind &&
      plain.side === tool.side;
    const after = again ? null : withTool(before, tool, { together: this.together });
    if (after) this.marks.set(square, after);
    else this.marks.delete(square);
    this.changed();
  }

  addToHand(side, kind, n) {
    const hand = this.hands[side];
    const count = Math.max(0, Math.min(99, (hand.get(kind) ?? 0) + n));
    if (count) hand.set(kind, count);
    else hand.delete(kind);
    this.changed();
  }

  changed() {
    this.draw();
    this.options.onChange?.(this.options.marks ? this.query() : this.text());
  }

  draw() {
    const board = this.pieces();
    const hands = this.hands.map((hand) =>
      this.board.layout.holdable.map((kind) => ({ kind, count: hand.get(kind) ?? 0 })),
    );
    this.board.set({ board, hands, moves: [], check: [], turn: 0 });
    this.turnChoice.value = String(this.turn);
    this.fieldControls?.draw();
    if (document.activeElement !== this.textField) this.textField.value = this.text();
  }

  /** What is drawn over the squares: everything that is no plain piece. */
  drawMarks() {
    const { layout, pieces } = this.board;
    return [...this.marks]
      .filter(([, mark]) => !plainPiece(mark))
      .map(([square, mark]) =>
        s(
          "g",
          { "data-mark": square, "transform": `translate(${layout.middle(square).join(" ")})` },
          drawMark(this.sheet, mark, { set: pieces, quarters: (side) => layout.quarters(side) }),
        ),
      );
  }

  words(square) {
    const mark = this.marks.get(square);
    return mark && !plainPiece(mark) ? markWords(this.sheet, mark) : undefined;
  }

  /** Shows a position that somebody gives; says so, and gives false, where it is none. */
  take(text) {
    try {
      this.setText(text);
      return true;
    } catch (error) {
      notice(t("board.badText", { what: error.message }), { hint: this.sheet.start.text, isError: true });
      return false;
    }
  }

  /** Copies the whole text, with rights and counters as the server writes them; what cannot be played is copied as it is. */
  async copy() {
    const position = this.text();
    const positionView = await api
      .post("position", { game: this.sheet.spec, position, moves: [] })
      .catch(() => null);
    await copy(positionView?.text ?? position, t("copied")).catch(showError);
  }

  async paste() {
    try {
      this.take(await navigator.clipboard.readText());
    } catch {
      this.textField.focus();
      this.textField.select();
      notice(t("board.pasteHere"));
    }
  }
}
