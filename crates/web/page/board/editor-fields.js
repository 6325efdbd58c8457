// Controls for what a position says besides its pieces: rights, a square passed over, counters, the state of a contest.

import { field, h, select } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { pieceName, sideName } from "./names.js";
import {
  castlingLetters,
  castlingsAtHome,
  castlingsLeft,
  firstMovesAtHome,
  firstMovesLeft,
  passedNow,
  placed,
  squaresPassed,
  writesSfen,
} from "./position-fields.js";

/** The controls of an editor; `draw()` shows what the editor's fields say now. */
export class FieldControls {
  constructor(editor) {
    this.editor = editor;
    this.sheet = editor.sheet;
    this.shows = [];
    this.element = h(
      "details",
      { class: "position-fields", open: !this.sheet.contest },
      h("summary", null, t("board.fields")),
      h("div", { class: "fields" }, this.parts()),
    );
  }

  draw() {
    this.shows.forEach((show) => show());
  }

  get fields() {
    return this.editor.fields;
  }

  get on() {
    return placed(this.editor.pieces());
  }

  parts() {
    const { sheet } = this;
    if (sheet.contest)
      return [
        this.counter("number", "board.turns", 0),
        sheet.position.contest.rolls.length > 0 && this.roll(),
        sheet.sides.map((_, side) => this.fate(side)),
      ];
    if (writesSfen(sheet)) return [this.counter("number", "board.nextPly", 1)];
    return [
      sheet.position.castlings.length > 0 && this.castlings(),
      sheet.position.first_moves.length > 0 && this.firstMoves(),
      sheet.position.en_passant && this.passed(),
      this.counter("quiet", "board.quiet", 0),
      this.counter("number", "board.round", 1),
    ];
  }

  counter(name, key, least) {
    const take = () => {
      this.fields[name] = Math.min(1_000_000, Math.max(least, Math.floor(Number(input.value)) || least));
      this.editor.changed();
    };
    const input = h("input", { type: "number", min: least, max: 1_000_000, step: 1, onchange: take });
    this.shows.push(() => {
      input.value = this.fields[name];
    });
    return field(t(key), input);
  }

  /** A box to tick; `show()` says whether it is ticked and whether it can be. */
  box(label, show, change) {
    const input = h("input", {
      type: "checkbox",
      onchange: () => {
        change(input.checked);
        this.editor.changed();
      },
    });
    this.shows.push(() => {
      const { checked, enabled = true } = show();
      input.checked = checked;
      input.disabled = !enabled;
    });
    return h("label", { class: "toggle" }, input, label);
  }

  /** Boxes for rights: those that can be had, those that are; ticking one states them all. */
  rights(legend, name, all, { atHome, left }) {
    const boxes = all.map(([right, label]) =>
      this.box(
        label,
        () => ({ checked: left().includes(right), enabled: atHome().includes(right) }),
        (isOn) => {
          this.fields[name] = new Set(isOn ? [...left(), right] : left().filter((other) => other !== right));
        },
      ),
    );
    return h("fieldset", null, h("legend", null, t(legend)), h("div", { class: "row" }, boxes));
  }

  castlings() {
    const { sheet } = this;
    const letters = (list) => list.map(({ letter }) => letter);
    const label = ({ letter, side, royal }) =>
      t("board.castlingOf", { side: sideName(sheet, side), letter, from: royal[0], to: royal[1] });
    const first = (letter) => sheet.position.castlings.find((castling) => castling.letter === letter);
    return this.rights(
      "board.castling",
      "rights",
      castlingLetters(sheet).map((letter) => [letter, label(first(letter))]),
      {
        atHome: () => letters(castlingsAtHome(sheet, this.on)),
        left: () => letters(castlingsLeft(sheet, this.fields, this.on)),
      },
    );
  }

  firstMoves() {
    const { sheet } = this;
    const label = (square) =>
      `${square} ${pieceName(
        sheet,
        sheet.start.board.find((piece) => piece.square === square),
      )}`;
    return this.rights(
      "board.unmoved",
      "unmoved",
      sheet.position.first_moves.map((square) => [square, label(square)]),
      {
        atHome: () => firstMovesAtHome(sheet, this.on),
        left: () => firstMovesLeft(sheet, this.fields, this.on),
      },
    );
  }

  passed() {
    const element = h("select", {
      onchange: () => {
        this.fields.passed = element.value === "-" ? null : element.value;
        this.editor.changed();
      },
    });
    this.shows.push(() => {
      const passed = passedNow(this.sheet, this.fields, this.on, this.editor.side);
      const found = squaresPassed(this.sheet, this.on, this.editor.side);
      const all = ["-", ...found, ...(passed && !found.includes(passed) ? [passed] : [])];
      element.replaceChildren(
        ...all.map((square) => h("option", { value: square }, square === "-" ? t("board.none") : square)),
      );
      element.value = passed ?? "-";
    });
    return field(t("board.passed"), element);
  }

  roll() {
    const rolls = [
      ["-", t("board.notThrown")],
      ...this.sheet.position.contest.rolls.map((roll) => [roll, roll]),
    ];
    const element = select(rolls, "-", (roll) => {
      this.fields.roll = roll === "-" ? null : roll;
      this.editor.changed();
    });
    this.shows.push(() => {
      element.value = this.fields.roll ?? "-";
    });
    return field(t("board.roll"), element);
  }

  /** What became of a side's royal piece, and what it may do. */
  fate(side) {
    const { sheet } = this;
    const may = sheet.position.contest;
    const fate = () => this.fields.fates[side];
    const others = sheet.sides
      .map((_, other) => [String(other), t("board.heldBy", { side: sideName(sheet, other) })])
      .filter((_, other) => other !== side);
    const royal = select(
      [["board", t("board.onBoard")], ...others, ...(may.returns ? [["back", t("board.comesBack")]] : [])],
      "board",
      (value) => {
        Object.assign(fate(), {
          holder: /^\d$/.test(value) ? Number(value) : null,
          returning: value === "back",
        });
        if (value !== "board") fate().taken = Math.max(1, fate().taken);
        this.editor.changed();
      },
    );
    const count = (name, most) => {
      const input = h("input", {
        type: "number",
        min: 0,
        max: most,
        step: 1,
        onchange: () => {
          fate()[name] = Math.min(most, Math.max(0, Math.floor(Number(input.value)) || 0));
          this.editor.changed();
        },
      });
      this.shows.push(() => {
        input.value = fate()[name];
      });
      return field(t(`board.${name}`), input);
    };
    const flag = (name) =>
      this.box(
        t(`board.${name}`),
        () => ({ checked: fate()[name] }),
        (isOn) => {
          fate()[name] = isOn;
        },
      );
    this.shows.push(() => {
      royal.value = fate().holder !== null ? String(fate().holder) : fate().returning ? "back" : "board";
    });
    return h(
      "fieldset",
      null,
      h("legend", null, sideName(sheet, side)),
      h(
        "div",
        { class: "row end" },
        field(t("board.royal"), royal),
        count("taken", 99),
        may.points && count("points", 65535),
        may.commands && flag("commanding"),
        may.exchanges && [flag("asked"), flag("agreed")],
      ),
    );
  }
}
