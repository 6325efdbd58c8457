// A new game: which, with which changes, who sits where, clocks, where it starts.

import { gameAbout, gameName, said } from "/lib/library.js";
import { api, showError } from "/lib/api.js";
import { field, h, select } from "/lib/dom.js";
import { language, t } from "/lib/words.js";
import { sideName } from "/board/names.js";
import { miniature } from "/board/miniature.js";
import { CLOCKS, readClock } from "./play-clock.js";
import { freshState, keep, putAside } from "./play-keep.js";
import { seatChoice } from "./play-seats.js";

/** Opens the dialog; `start(state)` is called with the game that was chosen. */
export class NewGame {
  constructor(games, start) {
    Object.assign(this, { games, start });
    this.body = h("div", { class: "setup-body" });
    this.dialog = h(
      "dialog",
      { "class": "setup", "aria-label": t("play.newGame") },
      h(
        "form",
        {
          onsubmit: (event) => {
            event.preventDefault();
            this.begin();
          },
        },
        h("h1", null, t("play.newGame")),
        this.body,
        h(
          "div",
          { class: "row end buttons" },
          h("button", { class: "first", type: "submit" }, t("play.start")),
          h("button", { type: "button", onclick: () => this.dialog.close() }, t("cancel")),
        ),
      ),
    );
  }

  async open(sheet, state) {
    this.clock = state.clock ? `${state.clock.minutes}+${state.clock.seconds}` : "none";
    this.seats = [...state.seats];
    this.before = state;
    document.body.append(this.dialog);
    this.dialog.addEventListener("close", () => this.dialog.remove(), { once: true });
    await this.take(sheet);
    this.dialog.showModal();
  }

  /** Shows the choices of a game. */
  async take(sheet) {
    this.sheet = sheet;
    this.players = await api.get(`players?game=${encodeURIComponent(sheet.spec)}`).catch(() => []);
    const fresh = freshState(sheet).seats;
    this.seats = fresh.map((who, side) => (this.isOffered(this.seats[side]) ? this.seats[side] : who));
    this.editor = null;
    this.draw();
  }

  isOffered(who) {
    return (
      who === "human" ||
      this.players.some((one) => one.name === who) ||
      (Boolean(who) && this.sheet.spec === this.before.spec)
    );
  }

  async choose(spec) {
    try {
      await this.take(await api.get(`games/${encodeURIComponent(spec)}?lang=${language()}`));
    } catch (error) {
      showError(error);
    }
  }

  draw() {
    const { sheet } = this;
    const game = select(
      this.games.map((one) => [one.id, gameName(one)]),
      sheet.id,
      (id) => this.choose(id),
    );
    const seats = sheet.sides.map((_, side) =>
      field(
        sideName(sheet, side),
        seatChoice(this.players, this.seats[side], (who) => {
          this.seats[side] = who;
        }),
      ),
    );
    this.body.replaceChildren(
      h(
        "div",
        { class: "chosen" },
        miniature(sheet, sheet.start, { size: 132 }),
        h("div", null, field(t("play.game"), game), h("p", { class: "faint small" }, gameAbout(sheet))),
      ),
      sheet.changes.length ? this.changes() : "",
      h(
        "fieldset",
        null,
        h("legend", null, t("play.seats")),
        h("div", { class: "fields" }, seats),
        h("div", { class: "row" }, this.quick()),
      ),
      sheet.contest ? "" : this.clockChoice(),
      this.startChoice(),
      this.chance(),
    );
  }

  /** Seats that are often wanted, in one click. */
  quick() {
    const { sheet } = this;
    const program = this.seats.find((who) => who !== "human") ?? freshState(sheet).seats[1];
    const set = (key, seats) =>
      h(
        "button",
        {
          type: "button",
          class: "small",
          onclick: () => {
            this.seats = seats;
            this.draw();
          },
        },
        t(`play.quick.${key}`),
      );
    const n = sheet.sides.length;
    const alone = (seat) => Array.from({ length: n }, (_, side) => (side === seat ? "human" : program));
    return [
      set("program", alone(0)),
      set("second", alone(1)),
      set("people", Array(n).fill("human")),
      set("watch", Array(n).fill(program)),
    ];
  }

  changes() {
    const on = new Set(this.sheet.changes.filter((change) => change.on).map((change) => change.name));
    const box = (change) =>
      h(
        "label",
        { class: "change" },
        h("input", {
          type: "checkbox",
          checked: change.on,
          onchange: (event) => {
            if (event.target.checked) on.add(change.name);
            else on.delete(change.name);
            this.choose(
              [
                this.sheet.id,
                ...this.sheet.changes.map((one) => one.name).filter((name) => on.has(name)),
              ].join("+"),
            );
          },
        }),
        h(
          "span",
          null,
          h("strong", null, change.name),
          " ",
          h("span", { class: "faint" }, said(change.about)),
        ),
      );
    return h(
      "details",
      { open: on.size > 0 },
      h("summary", null, t("play.changes", { n: this.sheet.changes.length })),
      this.sheet.changes.map(box),
    );
  }

  clockChoice() {
    const known = CLOCKS.some(([key]) => key === this.clock);
    const own = readClock(this.clock) ?? { minutes: 20, seconds: 0 };
    const number = (value, label, most) =>
      field(
        label,
        h("input", { type: "number", min: 0, max: most, step: "any", value, required: true, onchange: read }),
      );
    const minutes = number(own.minutes, t("play.minutes"), 600);
    const seconds = number(own.seconds, t("play.seconds"), 600);
    const own_ = h("div", { class: "row", hidden: known }, minutes, seconds);
    function read() {
      change(`${minutes.querySelector("input").value}+${seconds.querySelector("input").value}`);
    }
    const change = (text) => {
      this.clock = text;
    };
    const choice = select(
      CLOCKS.map(([key]) => [key, key === "none" || key === "own" ? t(`play.clock.${key}`) : key]),
      known ? this.clock : "own",
      (key) => {
        own_.hidden = key !== "own";
        if (key === "own") read();
        else change(key);
      },
    );
    return h(
      "fieldset",
      null,
      h("legend", null, t("play.clock")),
      h("div", { class: "row end" }, field(t("play.clockKind"), choice), own_),
    );
  }

  startChoice() {
    const place = h("div");
    const open = async () => {
      const { Editor } = await import("/board/editor.js");
      this.editor = new Editor(this.sheet, { marks: false });
      this.editor.setStart();
      place.replaceChildren(this.editor.element);
    };
    return h(
      "details",
      {
        ontoggle: (event) => {
          if (event.target.open && !this.editor) open();
        },
      },
      h("summary", null, t("play.fromPosition")),
      place,
    );
  }

  /** The same seed, the same dice and the same choices of programs that do not go by time. */
  chance() {
    this.seed = h("input", { type: "number", min: 0, max: 2 ** 31, step: 1, placeholder: t("play.anySeed") });
    return h("details", null, h("summary", null, t("play.chance")), field(t("play.seed"), this.seed));
  }

  async begin() {
    const clock = this.sheet.contest ? null : readClock(this.clock);
    const position = this.editor && this.editor.text() !== this.sheet.start.text ? this.editor.text() : null;
    const times = clock && this.sheet.sides.map(() => clock.minutes * 60000);
    const { values = null, book = null } = this.before.spec === this.sheet.spec ? this.before : {};
    const state = freshState(this.sheet, {
      seats: this.seats,
      clock,
      times,
      values,
      book,
      position,
      ...(this.seed.value === "" ? {} : { seed: Number(this.seed.value) }),
    });
    try {
      if (state.position)
        state.position = (await api.post("position", { game: state.spec, position, moves: [] })).text;
    } catch (error) {
      showError(error);
      return;
    }
    putAside(state.spec);
    keep(state);
    this.dialog.close();
    this.start(state);
  }
}
