// The list of moves, in the notation of the game; a click goes to that ply.

import { h } from "/lib/dom.js";
import { language, t } from "/lib/words.js";
import { moveWords, sideName } from "/board/names.js";

export class MoveList {
  constructor(sitting) {
    this.sitting = sitting;
    this.element = h("ol", { class: "moves", "aria-label": t("play.moves"), tabindex: 0 });
    this.drawn = "";
  }

  /** Draws the list; only what is current changes while no move was added. */
  draw() {
    const { sitting } = this;
    const line = sitting.latest?.line ?? [];
    const key = language() + line.map((move) => move.text).join(" ");
    if (key !== this.drawn) {
      this.drawn = key;
      this.element.replaceChildren(...(line.length ? this.rows(line) : [h("li", { class: "faint none" }, t("play.noMoves"))]));
    }
    let current = null;
    for (const button of this.element.querySelectorAll("button")) {
      const isCurrent = Number(button.dataset.ply) === sitting.state.at;
      button.setAttribute("aria-current", isCurrent ? "step" : "false");
      if (isCurrent) current = button;
    }
    const top = current ? current.offsetTop - this.element.clientHeight / 2 : 0;
    this.element.scrollTo({ top: sitting.isLatest && current ? this.element.scrollHeight : top });
  }

  button(move, ply) {
    return h("button", { class: "quiet move", "data-ply": ply, onclick: () => this.sitting.show(ply) }, moveWords(move));
  }

  rows(line) {
    const { sheet } = this.sitting;
    if (sheet.contest) return this.turns(line);
    if (sheet.look === "shogi") return line.map((move, at) => h("li", { class: "single" }, h("span", { class: "number" }, move.ply), this.button(move, at + 1)));
    const rows = [];
    line.forEach((move, at) => {
      const isFirst = move.ply % 2 === 1;
      if (isFirst || !rows.length) rows.push(h("li", null, h("span", { class: "number" }, `${Math.ceil(move.ply / 2)}.`), !isFirst && h("span", { class: "gap" }, "…")));
      rows.at(-1).append(this.button(move, at + 1));
    });
    return rows;
  }

  /** Of a contest: whose turn, what was thrown, what was done. */
  turns(line) {
    const rows = [];
    const { sitting } = this;
    const { movers = [] } = sitting.state;
    line.forEach((move, at) => {
      const mover = movers[at];
      const isThrow = /^\d+(-\d+)?$/.test(move.text);
      if (isThrow || !rows.length || !rows.at(-1).open) {
        rows.push(h("li", { class: "turn" }, h("span", { class: "who" }, mover === undefined ? `${rows.length + 1}` : sideName(sitting.sheet, mover))));
      }
      const row = rows.at(-1);
      row.open = isThrow;
      row.append(isThrow ? h("button", { class: "quiet move thrown", "data-ply": at + 1, onclick: () => sitting.show(at + 1) }, `⚄ ${move.text}`)
        : h("button", { class: "quiet move", "data-ply": at + 1, onclick: () => sitting.show(at + 1) }, move.text === "-" ? t("play.passes") : move.text));
    });
    return rows;
  }
}
