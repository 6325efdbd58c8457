// Why: the points of every move by name, and what the engine expects.

import { api, showError } from "/lib/api.js";
import { download, h, select } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { moveWords } from "/board/names.js";
import { scoreWords } from "./play-words.js";

const SHOWN = 8;
/** Plies that points can be added up over. */
const PLIES = ["1", "2", "3", "4"];

const signed = (points) => String(points).replace("-", "\u2212");

/** A table of the best moves with their points, or of all. */
export class Explanation {
  constructor(session, board) {
    Object.assign(this, { session, board, plies: "2" });
    this.element = h("section", { "class": "explanation card", "hidden": true, "aria-live": "polite" });
  }

  hide() {
    this.element.hidden = true;
  }

  async show() {
    const { session } = this;
    this.element.hidden = false;
    this.element.replaceChildren(h("p", { class: "faint" }, t("play.thinkingWhy")));
    try {
      const told = await api.post("explain", {
        ...session.place(session.state.at),
        level: Number(this.plies),
      });
      this.draw(told, SHOWN);
    } catch (error) {
      this.hide();
      showError(error);
    }
  }

  draw(told, n) {
    const { sheet } = this.session;
    const names = told.moves[0]?.parts.map((part) => part.name) ?? [];
    const used = names.filter((name) =>
      told.moves.some((move) => move.parts.find((part) => part.name === name).points !== 0),
    );
    const word = (name) =>
      h("th", { class: "number", title: t(`play.part.${name}.about`) }, t(`play.part.${name}`));
    const played = this.session.state.moves[this.session.state.at];
    const row = (move) =>
      h(
        "tr",
        { class: move.text === played ? "played" : "", onpointermove: () => this.point(move) },
        h(
          "th",
          { scope: "row" },
          h("button", { class: "quiet move", onclick: () => this.point(move) }, moveWords(move)),
        ),
        h("td", { class: "number" }, h("strong", null, signed(move.total))),
        h("td", { class: "number" }, signed(move.own)),
        used.map((name) =>
          h("td", { class: "number" }, signed(move.parts.find((part) => part.name === name).points)),
        ),
      );
    const { engine } = told;
    this.element.replaceChildren(
      h(
        "div",
        { class: "row" },
        h("h2", null, t("play.why")),
        h("button", { "class": "quiet end", "aria-label": t("close"), "onclick": () => this.hide() }, "×"),
      ),
      h(
        "p",
        null,
        t("play.engineSays", {
          score: scoreWords(sheet, engine.score),
          line: engine.line
            .slice(0, 6)
            .map((move) => moveWords(move))
            .join(" "),
        }),
      ),
      h(
        "div",
        { class: "scroll" },
        h(
          "table",
          null,
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              h("th", null, t("play.move")),
              ["total", "own"].map((key) => h("th", { class: "number" }, t(`play.${key}`))),
              used.map(word),
            ),
          ),
          h("tbody", null, told.moves.filter((move, at) => at < n || move.text === played).map(row)),
        ),
      ),
      h(
        "div",
        { class: "row small" },
        h(
          "label",
          { class: "row" },
          t("play.whyPlies"),
          select(
            PLIES.map((n) => [n, n]),
            this.plies,
            (n) => {
              this.plies = n;
              this.show();
            },
          ),
        ),
      ),
      h(
        "p",
        { class: "faint small" },
        t("play.whyAbout", { n: told.level }),
        played && ` ${t("play.whyPlayed")}`,
      ),
      h(
        "details",
        { class: "small" },
        h("summary", null, t("play.whyParts")),
        h(
          "dl",
          null,
          names.map((name) => [
            h("dt", null, t(`play.part.${name}`)),
            h("dd", null, t(`play.part.${name}.about`)),
          ]),
        ),
      ),
      h(
        "div",
        { class: "row" },
        told.moves.length > n &&
          h(
            "button",
            { onclick: () => this.draw(told, told.moves.length) },
            t("play.allMoves", { n: told.moves.length }),
          ),
        h("button", { onclick: () => this.save(told, names) }, t("play.saveTable")),
      ),
    );
  }

  point(move) {
    const found = this.session.shown.moves.find((one) => one.text === move.text);
    if (found?.to)
      this.board.arrows([
        {
          from: found.from ?? { hand: this.session.shown.turn, kind: found.drop },
          middle: found.middle,
          to: found.to,
          colour: "blue",
        },
      ]);
  }

  save(told, names) {
    const rows = told.moves.map((move) => [
      move.text,
      ...names.map((name) => move.parts.find((part) => part.name === name).points),
      move.own,
      move.total,
    ]);
    download(
      "points.csv",
      [["move", ...names, "own", "total"], ...rows].map((row) => row.join(",")).join("\n") + "\n",
      "text/csv",
    );
  }
}
