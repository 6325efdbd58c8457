// "Try it yourself": play the solution on the board; a wrong move is refuted, a right one defended as long as can be.

import { api, showError } from "/lib/api.js";
import { h, speak } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { Board } from "/board/board.js";

export class Trial {
  constructor(problems) {
    this.problems = problems;
    this.moves = [];
    this.board = new Board(problems.sheet, { onMove: (text) => this.play(text) });
    this.said = h("div", { class: "study-verdict", role: "status" });
    this.again = h("button", { type: "button", onclick: () => this.begin() }, t("study.again"));
    this.back = h(
      "button",
      { type: "button", hidden: true, onclick: () => this.takeBack() },
      t("study.takeBack"),
    );
    problems.board.replaceChildren(
      this.board.element,
      this.said,
      h(
        "div",
        { class: "row" },
        this.back,
        this.again,
        h("button", { type: "button", onclick: () => problems.solve() }, t("study.showSolution")),
      ),
    );
    problems.result.replaceChildren();
    this.begin();
  }

  say(text, kind = "") {
    this.said.className = `study-verdict ${kind}`;
    this.said.textContent = text;
    speak(text);
  }

  async begin() {
    clearTimeout(this.replying);
    const { game, position } = this.problems;
    this.moves = [];
    this.back.hidden = true;
    try {
      this.positionView = await api.post("problems/position", { game, position, moves: [] });
      this.board.set(this.positionView);
      this.board.allow(true);
      this.left = await this.length();
      if (this.left === undefined) return this.say(t("study.nothingToFind"), "wrong");
      this.say(t(this.problems.byChecks ? "study.findTsume" : "study.findMate", { n: this.left }));
    } catch (error) {
      showError(error);
    }
    return undefined;
  }

  /** How long the mate is: what was found, or what is found now. */
  async length() {
    const { game, position, byChecks } = this.problems;
    const answer =
      this.problems.answer ??
      (await api.post("problems/solve", { game, position, ...this.problems.wanted(), keys: !byChecks }));
    if (byChecks) return answer.tsume.answer === "mate" ? answer.tsume.plies : undefined;
    return answer.mate.mate_in ?? undefined;
  }

  async play(text) {
    const { game, position, byChecks } = this.problems;
    const left = byChecks
      ? { tsume: true, plies: this.left, ignore_futile: this.problems.futile }
      : { mate: this.left };
    try {
      const told = await api.post("problems/try", { game, position, moves: this.moves, move: text, ...left });
      const moves = [text, ...(told.reply ? [told.reply] : [])];
      const between = await api.post("problems/position", { game, position, moves: [...this.moves, text] });
      this.board.set(between);
      if (told.reply)
        this.replying = setTimeout(() => this.board.set(told.position_view, { animate: true }), 350);
      this.tell(told, moves);
    } catch (error) {
      this.board.set(this.positionView);
      showError(error);
    }
  }

  tell(told, moves) {
    if (told.verdict === "right") {
      this.moves.push(...moves);
      this.positionView = told.position_view;
      this.left = told.left;
      if (!told.reply) {
        this.board.allow(false);
        return this.say(t("study.solved"), "good");
      }
      return this.say(
        t(this.problems.byChecks ? "study.rightPlies" : "study.rightMoves", {
          reply: told.reply_san,
          n: told.left,
        }),
        "good",
      );
    }
    this.back.hidden = false;
    this.board.allow(false);
    if (told.verdict === "no-check") return this.say(t("study.noCheck"), "wrong");
    return this.say(told.reply ? t("study.refuted", { reply: told.reply_san }) : t("study.notMate"), "wrong");
  }

  takeBack() {
    // The reply may still be on its way; what is taken back needs none.
    clearTimeout(this.replying);
    this.back.hidden = true;
    this.board.set(this.positionView);
    this.board.allow(true);
    this.say(t(this.problems.byChecks ? "study.findTsume" : "study.findMate", { n: this.left }));
  }
}
