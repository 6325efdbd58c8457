// A board with an ending on it: every move's worth as a mark on the board and in a table; practice with the best defence.

import { api, showError } from "/lib/api.js";
import { download, h, s, speak } from "/lib/dom.js";
import { addWords, t } from "/lib/words.js";
import words from "/words/play.js";
import { wayOf } from "/board/arrows.js";
import { Board } from "/board/board.js";
import { moveWords, sideName } from "/board/names.js";
import { csv } from "/lib/csv.js";
import { outcomeWords } from "./play-words.js";
import { iconButton, saveButton } from "./study-common.js";

addWords(words);

/** Moves until the end, from plies. */
export const movesOf = (plies) => Math.ceil(plies / 2);

function worthWords({ result, plies }) {
  if (result === "draw") return t("study.draws");
  return t(result === "win" ? "study.winsIn" : "study.losesIn", { n: movesOf(plies) });
}

/** A mark with a shape of its own for each result: people who do not see the colours see the shapes. */
function mark(result, isBest) {
  const r = isBest ? 17 : 12;
  if (result === "win") return s("circle", { class: `worth won${isBest ? " best" : ""}`, r });
  if (result === "draw")
    return s("rect", { class: "worth drawn", x: -r, y: -r, width: 2 * r, height: 2 * r });
  return s("path", { class: "worth lost", d: `M0 ${-r - 2} L${r + 2} ${r} L${-r - 2} ${r} Z` });
}

export class EndingBoard {
  constructor(sheet, options) {
    this.sheet = sheet;
    this.options = options;
    this.board = new Board(sheet, { onMove: (text) => this.play(text) });
    this.board.input.over = () => this.marks();
    this.element = h("div", null, this.board.element);
    this.verdict = h("div", { class: "study-verdict", role: "status" });
    this.moves = [];
    this.judged = [];
    const hint = h("button", { type: "button", onclick: () => this.hint() }, t("study.hint"));
    this.controls = h(
      "div",
      { class: "row study-steps" },
      iconButton("|◀", t("study.toStart"), () => this.to(0)),
      iconButton("◀", t("study.back"), () => this.to(this.moves.length - (options.practise ? 2 : 1))),
      iconButton("⇅", t("study.flip"), () => this.board.flip()),
      options.practise
        ? hint
        : h("button", { type: "button", onclick: () => this.best() }, t("study.bestMove")),
      h(
        "button",
        {
          type: "button",
          class: "quiet small",
          onclick: () => download("board.svg", this.board.svg(), "image/svg+xml"),
        },
        "SVG",
      ),
      saveButton(sheet, () => ({ game: options.game, position: this.position, moves: this.moves })),
    );
  }

  /** Begins at a position; `moves` were played before a reload. */
  async start(position, moves = []) {
    this.position = position;
    this.judged = [];
    this.moves = [];
    await this.look(moves);
    if (this.options.practise)
      this.say(t("study.winIn", { n: movesOf(this.probed?.worth.plies ?? this.options.practise) }));
  }

  /** Asks where the moves lead and what everything there is worth. */
  async look(moves, { animate = false } = {}) {
    const place = { game: this.options.game, position: this.position, moves };
    const positionView = await api.post("position", place);
    const probed = positionView.outcome ? undefined : await api.post("endings/probe", place);
    Object.assign(this, { moves, positionView, probed });
    this.board.set(positionView, { animate });
    this.draw();
    this.options.onPlay?.(moves);
  }

  say(text, kind = "") {
    this.verdict.className = `study-verdict ${kind}`;
    this.verdict.textContent = text;
    speak(text);
  }

  /** Marks on the board and rows of the table. In practice only after a hint: it would tell everything. */
  draw() {
    this.board.drawOver();
    if (this.options.values && this.probed) return this.options.table?.replaceChildren(this.rows());
    return this.options.table?.replaceChildren(
      ...(this.positionView?.outcome
        ? [h("p", { class: "card" }, outcomeWords(this.sheet, this.positionView.outcome))]
        : []),
    );
  }

  /** What the board draws over its squares; while a piece is held, its own moves alone. */
  marks() {
    if (!this.options.values || !this.probed) return [];
    const held = this.board.selected?.square;
    const best = this.probed.moves[0]?.worth;
    const bySquare = new Map();
    for (const one of this.probed.moves) {
      const move = this.positionView.moves.find((known) => known.text === one.coordinates);
      if (move?.to && (!held || move.from === held))
        bySquare.set(move.to, [...(bySquare.get(move.to) ?? []), one.worth]);
    }
    const drawn = [...bySquare].flatMap(([square, worths]) =>
      worths.map((worth, n) => {
        const [x, y] = this.board.layout.middle(square);
        const isBest = worth.result === best.result && worth.plies === best.plies;
        return s(
          "g",
          {
            "transform": `translate(${x + (n - (worths.length - 1) / 2) * 38} ${y})`,
            "data-worth": worth.result,
          },
          mark(worth.result, isBest),
        );
      }),
    );
    return [s("g", { class: "worth-marks" }, drawn)];
  }

  rows() {
    const { worth, moves, position } = this.probed;
    const show = (one) => {
      const move = this.positionView.moves.find((known) => known.text === one.coordinates);
      if (move?.from)
        this.board.arrows([
          {
            ...wayOf(move),
            colour: { win: "green", draw: "yellow", loss: "red" }[one.worth.result],
          },
        ]);
    };
    const written = (one) => {
      const move = this.positionView.moves.find((known) => known.text === one.coordinates);
      return move ? moveWords(move) : one.move;
    };
    const row = (one) =>
      h(
        "tr",
        { onmouseenter: () => show(one) },
        h(
          "td",
          null,
          s(
            "svg",
            { "viewBox": "-22 -22 44 44", "width": 16, "height": 16, "aria-hidden": "true" },
            mark(one.worth.result, false),
          ),
        ),
        h(
          "td",
          null,
          h(
            "button",
            {
              type: "button",
              class: "quiet",
              onfocus: () => show(one),
              onclick: () => this.play(one.coordinates),
            },
            written(one),
          ),
        ),
        h("td", null, worthWords(one.worth)),
      );
    const rows = () => [
      ["position", "move", "result", "plies"],
      ...moves.map((one) => [position, one.coordinates, one.worth.result, one.worth.plies]),
    ];
    return h(
      "section",
      { class: "card", onmouseleave: () => this.board.arrows([]) },
      h(
        "h2",
        null,
        t("study.toMoveWorth", {
          side: sideName(this.sheet, this.positionView.turn),
          worth: worthWords(worth),
        }),
      ),
      h(
        "div",
        { class: "scroll tall" },
        h(
          "table",
          null,
          h(
            "thead",
            null,
            h("tr", null, h("th"), h("th", null, t("study.move")), h("th", null, t("study.worth"))),
          ),
          h("tbody", null, moves.map(row)),
        ),
      ),
      h(
        "button",
        { type: "button", class: "small", onclick: () => download("moves.csv", csv(rows()), "text/csv") },
        t("study.saveCsv"),
      ),
    );
  }

  async play(text) {
    try {
      if (this.options.practise) await this.practise(text);
      else await this.look([...this.moves, text], { animate: true });
    } catch (error) {
      this.board.set(this.positionView);
      showError(error);
    }
  }

  /** Judges a move, then plays the longest defence. */
  async practise(text) {
    const before = this.probed;
    const mine = before.moves.find((one) => one.coordinates === text);
    const best = before.moves[0];
    await this.look([...this.moves, text]);
    if (mine.worth.result !== "win") {
      this.judged.push("lost");
      this.board.allow(false);
      return this.say(t("study.winGone", { best: best.move }), "wrong");
    }
    const slower = mine.worth.plies - best.worth.plies;
    this.judged.push(slower ? "slower" : "best");
    if (this.positionView.outcome) return this.finish();
    const replies = this.probed.moves.filter((one) => one.worth.plies === this.probed.moves[0].worth.plies);
    const reply = replies[Math.floor(Math.random() * replies.length)];
    const line = this.moves;
    await new Promise((done) => {
      setTimeout(done, 250);
    });
    // Whoever went back meanwhile wants no reply.
    if (this.moves !== line) return undefined;
    await this.look([...this.moves, reply.coordinates], { animate: true });
    const left = movesOf(this.probed?.worth.plies ?? 0);
    const said = slower
      ? t("study.slower", {
          move: mine.move,
          now: movesOf(mine.worth.plies),
          was: movesOf(best.worth.plies),
          best: best.move,
        })
      : t("study.best", { move: mine.move });
    return this.say(
      `${said} ${t("study.replied", { reply: reply.move, n: left })}`,
      slower ? "so-so" : "good",
    );
  }

  finish() {
    const played = this.moves.length;
    const score = Math.round((100 * this.options.practise) / Math.max(played, this.options.practise, 1));
    const best = this.judged.filter((one) => one === "best").length;
    this.say(t("study.finished", { n: this.judged.length, best, score }), "good");
  }

  hint() {
    const [best] = this.probed?.moves ?? [];
    const move = this.positionView.moves.find((known) => known.text === best?.coordinates);
    if (!move) return;
    this.board.arrows([{ ...wayOf(move), colour: "green" }]);
    this.say(t("study.hintWords", { move: moveWords(move) }));
  }

  best() {
    const [best] = this.probed?.moves ?? [];
    if (best) this.play(best.coordinates);
  }

  async to(n) {
    try {
      await this.look(this.moves.slice(0, Math.max(0, n)));
      this.board.allow(true);
      if (this.options.practise) this.say(t("study.winIn", { n: movesOf(this.probed?.worth.plies ?? 0) }));
    } catch (error) {
      showError(error);
    }
  }
}
