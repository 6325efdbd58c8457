// The solution of a problem: a tree beside a board. Click a move, walk with the arrow keys, or play it on the board.

import { api, showError } from "/lib/api.js";
import { download, h, notice } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { moveWords } from "/board/names.js";
import { Board } from "/board/board.js";
import { iconButton } from "./study-common.js";

export class Solution {
  constructor(problems) {
    this.problems = problems;
    this.path = [];
    this.asked = 0;
    this.steps = new Map();
    this.board = new Board(problems.sheet, { onMove: (text) => this.play(text) });
    this.where = h("div", { "class": "study-where mono", "aria-live": "polite" });
    const step = h(
      "div",
      { class: "study-steps row" },
      iconButton("|◀", t("study.toStart"), () => this.go([])),
      iconButton("◀", t("study.back"), () => this.go(this.path.slice(0, -1))),
      iconButton("▶", t("study.forward"), () => this.forward()),
      iconButton("⇅", t("study.flip"), () => this.board.flip()),
      h(
        "button",
        {
          type: "button",
          class: "quiet small",
          onclick: () => download("board.svg", this.board.svg(), "image/svg+xml"),
        },
        "SVG",
      ),
    );
    problems.board.replaceChildren(this.board.element, step, this.where);
    const tree = h("div", { class: "study-tree", onkeydown: (event) => this.key(event) });
    const { mate, tsume, lines } = problems.answer;
    problems.result.replaceChildren(
      h("section", { class: "card" }, h("h2", null, this.title(mate, tsume)), tree, problems.saveButtons()),
    );
    if (mate) this.drawMate(tree, mate);
    else this.drawTsume(tree, tsume);
    problems.result.dataset.lines = lines.length;
    this.go([]);
  }

  title(mate, tsume) {
    if (mate) {
      if (!mate.mate_in) return t("study.noMate", { n: mate.asked });
      return t(mate.keys.length === 1 ? "study.oneKey" : "study.manyKeys", {
        n: mate.mate_in,
        keys: mate.keys.length,
      });
    }
    if (tsume.answer === "mate") return t("study.tsumeFound", { n: tsume.plies, keys: tsume.keys.length });
    return tsume.answer === "never" ? t("study.tsumeNever") : t("study.tsumeNot", { n: tsume.plies });
  }

  /** A button for a move that leads to a path. */
  step(path, text, more = {}) {
    const button = h(
      "button",
      { type: "button", class: "step", onclick: () => this.go(path), ...more },
      text,
    );
    this.steps.set(path.join(" "), button);
    return button;
  }

  drawMate(tree, mate) {
    tree.append(
      h(
        "ul",
        { class: "lines" },
        mate.keys.map((key) => h("li", null, this.attack(key, [], 1, "key"))),
      ),
    );
    if (mate.tries.length === 0) return;
    const shown = mate.tries.slice(0, 60);
    tree.append(
      h(
        "details",
        { class: "tries" },
        h("summary", null, t("study.triesCount", { n: mate.tries.length })),
        h(
          "ul",
          { class: "lines" },
          shown.map((one) =>
            h(
              "li",
              null,
              this.step([one.coordinates], `1.${one.move}${one.refutations.length === 1 ? "?" : "??"}`),
              " ",
              one.replies.length === 0
                ? h("span", { class: "faint" }, t("study.noReply"))
                : one.replies.slice(0, 4).map((reply, at) => [
                    this.step([one.coordinates, reply], `1…${one.refutations[at]}!`, {
                      class: "step refutes",
                    }),
                    " ",
                  ]),
              one.replies.length > 4 &&
                h("span", { class: "faint" }, t("study.andMore", { n: one.replies.length - 4 })),
            ),
          ),
        ),
      ),
    );
  }

  /** A move of the attacker, what it threatens, and what answers each reply. */
  attack(attack, before, number, kind = "") {
    const path = [...before, attack.coordinates];
    const parts = [
      this.step(path, `${number}.${attack.move}${kind === "key" && attack.aim ? "!" : ""}`, {
        class: `step ${kind}`,
      }),
    ];
    if (attack.aim === "zugzwang") parts.push(h("span", { class: "aim" }, t("study.zugzwang")));
    if (attack.aim === "threat")
      parts.push(
        h(
          "span",
          { class: "aim" },
          t("study.threat", {
            moves: attack.threats.map((threat) => `${number + 1}.${threat.move}`).join(", "),
          }),
        ),
      );
    const defences = attack.defences ?? [];
    const parried = defences.filter((defence) => defence.parries || attack.aim !== "threat");
    const rows = new Map();
    for (const defence of parried) {
      const known = defence.continuations.map((next) => next.move).join(" ");
      const deep = defence.continuations.some((next) => next.defences?.length);
      const key = deep ? `${known} ${defence.coordinates}` : known;
      rows.set(key, [...(rows.get(key) ?? []), defence]);
    }
    if (rows.size)
      parts.push(
        h(
          "ul",
          { class: "lines" },
          [...rows.values()].map((same) => this.defences(same, path, number)),
        ),
      );
    const others = defences.filter((defence) => !parried.includes(defence));
    if (others.length)
      parts.push(
        h(
          "details",
          { class: "others" },
          h("summary", null, t("study.others", { n: others.length })),
          h("ul", { class: "lines" }, this.defences(others, path, number)),
        ),
      );
    return parts;
  }

  /** Replies with the same answer, on one line. */
  defences(same, path, number) {
    const replies = same.map((defence) =>
      this.step([...path, defence.coordinates], `${number}…${defence.move}`, { class: "step reply" }),
    );
    const [first] = same;
    const answers = first.continuations.map((next) =>
      this.attack(next, [...path, first.coordinates], number + 1),
    );
    for (const defence of same.slice(1))
      for (const next of defence.continuations)
        this.steps.set(
          [...path, defence.coordinates, next.coordinates].join(" "),
          this.steps.get([...path, first.coordinates, next.coordinates].join(" ")),
        );
    return h(
      "li",
      null,
      h("span", { class: "replies" }, replies),
      first.dual && h("span", { class: "dual", title: t("study.dualHint") }, t("study.dual")),
      answers,
    );
  }

  drawTsume(tree, tsume) {
    if (tsume.answer !== "mate") return;
    const words = (at) => h("span", { class: "words" }, tsume.moves[at]);
    const rows = tsume.line.map((_, at) =>
      h(
        "li",
        { class: at % 2 ? "reply" : "" },
        this.step(tsume.line.slice(0, at + 1), [h("span", { class: "ply" }, at + 1), words(at)]),
        at % 2 === 0 &&
          tsume.choices[at / 2] > 1 &&
          h("span", { class: "dual" }, t("study.asSoon", { n: tsume.choices[at / 2] })),
      ),
    );
    tree.append(h("ol", { class: "lines tsume" }, rows));
    // As the game's own players write it.
    const { game, position } = this.problems;
    api.post("problems/position", { game, position, moves: tsume.line }).then(
      ({ line }) =>
        line.forEach((move, at) => {
          rows[at].querySelector(".words").textContent = moveWords(move);
        }),
      showError,
    );
    const others = tsume.keys.filter((key) => key !== tsume.line[0]);
    if (others.length)
      tree.append(
        h(
          "p",
          { class: "faint" },
          t("study.otherKeys"),
          " ",
          others.map((key) => this.step([key], key)),
        ),
      );
  }

  async go(path, { animate = true } = {}) {
    const turn = ++this.asked;
    const { game, position } = this.problems;
    try {
      const positionView = await api.post("problems/position", { game, position, moves: path });
      if (turn !== this.asked) return;
      this.path = path;
      this.board.set(positionView, { animate });
      this.where.textContent = positionView.line.map(moveWords).join(" ") || t("study.atStart");
    } catch (error) {
      showError(error);
    }
    this.mark();
  }

  mark() {
    for (const button of this.problems.result.querySelectorAll(".step[aria-current]"))
      button.removeAttribute("aria-current");
    const button = this.steps.get(this.path.join(" "));
    if (!button) return;
    button.setAttribute("aria-current", "true");
    for (let up = button.closest("details"); up; up = up.parentElement.closest("details")) up.open = true;
    button.scrollIntoView({ block: "nearest" });
  }

  /** The first known move from here. */
  forward() {
    const depth = this.path.length;
    const next = [...this.steps.keys()]
      .map((key) => key.split(" "))
      .find((path) => path.length === depth + 1 && this.path.every((move, at) => path[at] === move));
    if (next) this.go(next);
  }

  play(text) {
    const path = [...this.path, text];
    if (this.steps.has(path.join(" "))) return this.go(path, { animate: false });
    notice(t("study.notInTree"));
    return this.go(this.path, { animate: false });
  }

  key(event) {
    const all = [...this.problems.result.querySelectorAll(".step")].filter((one) => one.offsetParent);
    const at = all.indexOf(document.activeElement);
    const focus = (button) => {
      button?.focus();
      button?.click();
      event.preventDefault();
    };
    if (event.key === "ArrowDown") focus(all[at + 1]);
    else if (event.key === "ArrowUp") focus(all[Math.max(0, at - 1)]);
    else if (event.key === "ArrowLeft") focus(this.steps.get(this.path.slice(0, -1).join(" ")));
    else if (event.key === "ArrowRight") {
      this.forward();
      event.preventDefault();
    }
  }
}
