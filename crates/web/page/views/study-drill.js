// Practice with a book: the other side plays from it, you are asked for its moves; what was known is asked later, not soon.

import { api, showError } from "/lib/api.js";
import { h, speak } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { wayOf } from "/board/arrows.js";
import { Board } from "/board/board.js";
import { moveWords, sideName } from "/board/names.js";
import { gameDescriptor } from "/lib/descriptors.js";
import { moveNumber, remember, saveButton, segments } from "./study-common.js";

export async function show(root, name, query) {
  const drill = new Drill(root, name, query);
  await drill.begin();
}

class Drill {
  constructor(root, name, query) {
    Object.assign(this, {
      root,
      name,
      side: Number(query.get("side")) || 0,
      seed: Number(query.get("seed")) || 0,
      line: (query.get("line") ?? "").split(" ").filter(Boolean),
      right: 0,
      asked: 0,
      isFirst: true,
    });
  }

  get path() {
    return `books/${encodeURIComponent(this.name)}`;
  }

  async begin() {
    let page;
    try {
      page = await api.get(this.path);
      this.sheet = await gameDescriptor(page.game);
    } catch (error) {
      showError(error);
      this.root.append(
        h("p", { class: "card" }, error.message, " ", h("a", { href: "#/study/openings" }, t("study.books"))),
      );
      return;
    }
    this.board = new Board(this.sheet, { onMove: (text) => this.answer(text), flipped: this.side === 1 });
    this.said = h("div", { class: "study-verdict", role: "status" });
    this.score = h("section", { class: "card study-score" });
    this.tellButton = h("button", { type: "button", onclick: () => this.answer(null) }, t("study.tell"));
    this.next = h(
      "button",
      { type: "button", class: "first", hidden: true, onclick: () => this.newLine() },
      t("study.nextLine"),
    );
    this.lineShown = h("div", { class: "study-line" });
    this.sides = h("div");
    this.root.append(
      h(
        "div",
        { class: "row" },
        h(
          "a",
          { href: `#/study/openings/${encodeURIComponent(this.name)}`, class: "quiet" },
          `‹ ${this.name}`,
        ),
        h("h1", null, t("study.practise")),
      ),
      h(
        "div",
        { class: "beside study-beside" },
        h(
          "section",
          { class: "study-board" },
          this.board.element,
          this.said,
          h(
            "div",
            { class: "row" },
            this.tellButton,
            this.next,
            saveButton(this.sheet, () => ({
              game: page.game,
              position: page.start ?? undefined,
              moves: this.line,
            })),
          ),
          this.lineShown,
        ),
        h("div", { class: "study-side" }, this.sides, this.score),
      ),
    );
    this.drawSides();
    if (!this.seed) this.newLine();
    else await this.ask();
  }

  drawSides() {
    this.sides.replaceChildren(
      segments(
        t("study.yourSide"),
        [0, 1].map((side) => [side, sideName(this.sheet, side)]),
        this.side,
        (side) => {
          this.side = side;
          this.board.turnTo(side === 1 ? 2 : 0);
          this.drawSides();
          this.newLine();
        },
      ),
    );
  }

  newLine() {
    this.seed = 1 + Math.floor(Math.random() * 999_999);
    this.line = [];
    return this.ask();
  }

  keep() {
    remember(`openings/${encodeURIComponent(this.name)}/practice`, {
      side: this.side || "",
      seed: this.seed,
      line: this.line.join(" "),
    });
  }

  say(text, kind = "") {
    this.said.className = `study-verdict ${kind}`;
    this.said.textContent = text;
    speak(text);
  }

  async ask(before = "") {
    try {
      const asked = await api.post(`${this.path}/practice`, {
        side: this.side,
        line: this.line.join(" "),
        seed: this.seed,
      });
      this.positionView = asked.position_view;
      this.line = asked.position_view.line.map((move) => move.text);
      this.isFirst = true;
      this.keep();
      this.board.set(asked.position_view, { animate: asked.played.length > 0 });
      this.board.allow(asked.asked);
      this.tellButton.hidden = !asked.asked;
      this.next.hidden = asked.asked;
      this.lineShown.replaceChildren(
        ...asked.position_view.line.map((move, at) =>
          h("span", null, `${at % 2 === 0 ? moveNumber(at) : ""}${moveWords(move)} `),
        ),
      );
      const title = asked.title ? `${asked.title}. ` : "";
      const ends = asked.score.questions === 0 ? t("study.nothingToAsk") : t("study.lineEnds");
      this.say(`${before}${title}${asked.asked ? t("study.yourMove") : ends}`, before ? "good" : "");
      this.drawScore(asked.score);
    } catch (error) {
      showError(error);
    }
  }

  drawScore({ questions, due, new: fresh, right, wrong }) {
    const row = (key, value) => h("div", null, h("dt", null, t(key)), h("dd", null, value));
    this.score.replaceChildren(
      h(
        "dl",
        { class: "numbers" },
        row("study.due", `${due} / ${questions}`),
        row("study.neverAsked", fresh),
        row("study.thisTime", `${this.right} / ${this.asked}`),
        row("study.ever", `${right} / ${right + wrong}`),
      ),
      h("progress", { "max": questions || 1, "value": questions - due, "aria-label": t("study.known") }),
      h("p", { class: "faint small" }, t("study.dueHint")),
    );
  }

  async answer(text) {
    try {
      const told = await api.post(`${this.path}/practice/answer`, {
        side: this.side,
        line: this.line.join(" "),
        move: text,
        first: this.isFirst,
      });
      if (this.isFirst) {
        this.asked += 1;
        this.right += told.right ? 1 : 0;
      }
      this.isFirst = false;
      if (text === null) {
        const move = this.positionView.moves.find((one) => one.text === told.moves[0]);
        if (move?.from) this.board.arrows([{ ...wayOf(move), colour: "blue" }]);
        return this.say(t("study.bookPlays", { moves: told.sans.join(", ") }));
      }
      if (!told.right) {
        this.board.set(this.positionView);
        return this.say(t("study.notBook", { move: told.san }), "wrong");
      }
      this.line = [...this.line, text];
      const others = told.sans.filter((san) => san !== told.san);
      return this.ask(
        `${t("study.rightMove", { move: told.san })} ${others.length ? `${t("study.alsoBook", { moves: others.join(", ") })} ` : ""}`,
      );
    } catch (error) {
      this.board.set(this.positionView);
      return showError(error);
    }
  }
}
