// The list of moves, in the notation of the game; a click goes there. A record is shown with all that it says.

import { h } from "/lib/dom.js";
import { MoveTree } from "/lib/move-tree.js";
import { language, t } from "/lib/words.js";
import { sideName } from "/board/names.js";
import { TreeView } from "./tree-view.js";

export class MoveList {
  constructor(session) {
    this.session = session;
    const go = (node) => (session.tree ? session.goTo(node) : session.show(node));
    this.view = new TreeView(session.sheet, {
      go,
      label: t("play.moves"),
      className: "moves",
      single: session.sheet.look === "shogi",
    });
    this.element = this.view.element;
    this.element.tabIndex = 0;
    this.drawn = "";
  }

  /** Draws the list; only what is current changes while no move was added. */
  draw() {
    const { session } = this;
    const line = session.latest?.line ?? [];
    const tree = session.tree ?? MoveTree.ofLine(line);
    const key = `${language()} ${tree.plies} ${tree.nodes.map((node) => `${node.parent}${node.text}`).join(" ")}`;
    if (key !== this.drawn) {
      this.drawn = key;
      if (session.sheet.contest && line.length) this.element.replaceChildren(...this.turns(line));
      else this.view.draw(tree, { none: t("play.noMoves") });
    }
    const current = session.sheet.contest
      ? this.markTurn()
      : this.view.mark(session.tree ? session.node : session.state.at);
    const top = current ? current.offsetTop - this.element.clientHeight / 2 : 0;
    const isLast = session.isLatest && current && !session.tree;
    this.element.scrollTo({ top: isLast ? this.element.scrollHeight : top });
  }

  markTurn() {
    const buttons = [...this.element.querySelectorAll("button")];
    buttons.forEach((button) => button.removeAttribute("aria-current"));
    const current = buttons.find((button) => Number(button.dataset.ply) === this.session.state.at);
    current?.setAttribute("aria-current", "step");
    return current;
  }

  /** Of a contest: whose turn, what was thrown, what was done. */
  turns(line) {
    const rows = [];
    const { session } = this;
    const { movers = [] } = session.state;
    line.forEach((move, at) => {
      const mover = movers[at];
      const isThrow = /^\d+(-\d+)?$/.test(move.text);
      if (isThrow || !rows.length || !rows.at(-1).open) {
        rows.push(
          h(
            "li",
            { class: "turn" },
            h(
              "span",
              { class: "who" },
              mover === undefined ? `${rows.length + 1}` : sideName(session.sheet, mover),
            ),
          ),
        );
      }
      const row = rows.at(-1);
      row.open = isThrow;
      row.append(
        isThrow
          ? h(
              "button",
              { "class": "quiet move thrown", "data-ply": at + 1, "onclick": () => session.show(at + 1) },
              `⚄ ${move.text}`,
            )
          : h(
              "button",
              { "class": "quiet move", "data-ply": at + 1, "onclick": () => session.show(at + 1) },
              move.text === "-" ? t("play.passes") : move.text,
            ),
      );
    });
    return rows;
  }
}
