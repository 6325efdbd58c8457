// One book of openings: a board to walk and to add by playing, the moves with their results, names, comments, the tree.

import { api, showError } from "/lib/api.js";
import { download, field, h, notice } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { wayOf } from "/board/arrows.js";
import { Board } from "/board/board.js";
import { moveWords, sideName } from "/board/names.js";
import { lookOf } from "/board/piece.js";
import { gameDescriptor } from "/lib/descriptors.js";
import { count, iconButton, moveNumber, remember } from "./study-common.js";
import { growForms } from "./study-grow.js";

const MARKS = ["!", "?", "!!", "??", "!?", "?!"];

export async function show(root, name, query) {
  const view = new BookView(root, name, (query.get("line") ?? "").split(" ").filter(Boolean));
  await view.begin();
  return () => document.removeEventListener("keydown", view.onkey);
}

class BookView {
  constructor(root, name, line) {
    Object.assign(this, { root, name, line, ahead: [] });
    this.onkey = (event) => this.key(event);
  }

  get path() {
    return `books/${encodeURIComponent(this.name)}`;
  }

  async begin() {
    let page;
    try {
      page = await api.get(`${this.path}?line=${encodeURIComponent(this.line.join(" "))}`);
    } catch (error) {
      showError(error);
      if (error.status !== 404 && this.line.length) {
        this.line = [];
        return this.begin();
      }
      this.root.append(
        h("p", { class: "card" }, error.message, " ", h("a", { href: "#/study/openings" }, t("study.books"))),
      );
      return undefined;
    }
    this.sheet = await gameDescriptor(page.game);
    this.board = new Board(this.sheet, { onMove: (text) => this.play(text) });
    this.undo = iconButton("↶", t("study.undo"), () => this.edit({ action: "undo" }));
    this.redo = iconButton("↷", t("study.redo"), () => this.edit({ action: "redo" }));
    this.head = h("div", { class: "study-book-head" });
    this.lineShown = h("div", { "class": "study-line", "aria-label": t("study.line") });
    this.side = h("div", { class: "study-side" });
    const steps = h(
      "div",
      { class: "row study-steps" },
      iconButton("|◀", t("study.toStart"), () => this.go([])),
      iconButton("◀", t("study.back"), () => this.back()),
      iconButton("▶", t("study.forward"), () => this.forward()),
      iconButton("⇅", t("study.flip"), () => this.board.flip()),
      h("span", { class: "gap" }),
      this.undo,
      this.redo,
    );
    this.root.append(
      this.head,
      h(
        "div",
        { class: "beside study-beside" },
        h("section", { class: "study-board" }, this.board.element, steps, this.lineShown),
        this.side,
      ),
    );
    document.addEventListener("keydown", this.onkey);
    this.drawHead();
    this.draw(page);
    return undefined;
  }

  drawHead() {
    const link = (format, text) =>
      h(
        "a",
        {
          class: "button",
          href: `/api/${this.path}/export?format=${format}`,
          download: `${this.name}.${format}`,
        },
        text,
      );
    const remove = async () => {
      if (!confirm(t("study.deleteAsk", { name: this.name }))) return;
      await api.delete(this.path).then(() => {
        location.hash = "#/study/openings";
      }, showError);
    };
    this.head.replaceChildren(
      h(
        "div",
        { class: "row" },
        h("a", { href: "#/study/openings", class: "quiet" }, `‹ ${t("study.books")}`),
        h("h1", null, this.name),
        h(
          "a",
          { class: "button first-link", href: `#/study/openings/${encodeURIComponent(this.name)}/practice` },
          t("study.practise"),
        ),
      ),
      h(
        "div",
        { class: "row" },
        link("pgn", t("study.savePgn")),
        this.sheet.look === "chess" && this.sheet.files === 8 && link("bin", "Polyglot"),
        link("book", t("study.saveBook")),
        h("button", { type: "button", class: "quiet", onclick: remove }, t("study.delete")),
      ),
    );
  }

  async go(line, { keepAhead = false, corrected } = {}) {
    this.corrected = corrected;
    try {
      const page = await api.get(`${this.path}?line=${encodeURIComponent(line.join(" "))}`);
      if (!keepAhead) this.ahead = [];
      this.line = line;
      this.draw(page, true);
    } catch (error) {
      showError(error);
    }
  }

  back() {
    if (!this.line.length) return;
    this.ahead.unshift(this.line.at(-1));
    this.go(this.line.slice(0, -1), { keepAhead: true });
  }

  forward() {
    const next = this.ahead.shift() ?? this.page.moves[0]?.coordinates;
    if (next) this.go([...this.line, next], { keepAhead: true });
  }

  key(event) {
    if (event.target.closest("input, textarea, select, .board, [role=tree]")) return;
    if (event.key === "ArrowLeft") this.back();
    else if (event.key === "ArrowRight") this.forward();
    else if (event.key === "z" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.edit({ action: event.shiftKey ? "redo" : "undo" });
    }
  }

  /** The next move that is played stands in the place of the last of this line; what followed that goes with it. */
  correct() {
    this.correctedWords = moveWords(this.page.position_view.line.at(-1));
    return this.go(this.line.slice(0, -1), { corrected: this.line });
  }

  play(text) {
    const line = [...this.line, text];
    if (this.corrected) return this.edit({ action: "correct", line: this.corrected, by: text });
    if (this.page.moves.some((known) => known.coordinates === text)) return this.go(line);
    return this.edit({ action: "add", line });
  }

  async edit(change, said) {
    const line = (change.line ?? this.line).join(" ");
    try {
      const page = await api.post(`${this.path}/edit`, { ...change, line });
      this.line = page.position_view.line.map((move) => move.text);
      this.corrected = undefined;
      this.draw(page, true);
      if (said) notice(said);
    } catch (error) {
      showError(error);
      this.board.set(this.page.position_view);
    }
  }

  draw(page, animate = false) {
    this.page = page;
    remember(`openings/${encodeURIComponent(this.name)}`, { line: this.line.join(" ") });
    this.board.set(page.position_view, { animate });
    this.undo.disabled = page.n_undo === 0;
    this.redo.disabled = page.n_redo === 0;
    this.drawLine();
    this.side.replaceChildren(this.here(), this.moves(), this.tree(), growForms(this));
    const current = this.side.querySelector(".tree .step[aria-current]");
    const box = current?.closest(".tree");
    if (box) box.scrollTop = Math.max(0, current.offsetTop - box.clientHeight / 2);
  }

  drawLine() {
    const { line } = this.page.position_view;
    this.lineShown.replaceChildren(
      ...(line.length
        ? line.map((move, at) =>
            h(
              "button",
              { type: "button", class: "step", onclick: () => this.go(this.line.slice(0, at + 1)) },
              `${at % 2 === 0 ? moveNumber(at) : ""}${moveWords(move)}`,
            ),
          )
        : [h("span", { class: "faint" }, t("study.playToAdd"))]),
    );
  }

  /** Name, comment and mark of the position. */
  here() {
    const { page } = this;
    if (this.corrected) {
      return h(
        "section",
        { class: "card" },
        h("p", { role: "status" }, t("study.correctHow", { move: this.correctedWords })),
        h("button", { type: "button", onclick: () => this.go(this.corrected) }, t("cancel")),
      );
    }
    if (!page.in_book) {
      return h(
        "section",
        { class: "card" },
        h("p", null, t("study.notInBook")),
        h(
          "button",
          { type: "button", class: "first", onclick: () => this.edit({ action: "add", line: this.line }) },
          t("study.addLine"),
        ),
      );
    }
    const name = h("input", {
      value: page.title ?? "",
      maxlength: 200,
      placeholder: t("study.namePlaceholder"),
      onchange: () => this.edit({ action: "name", text: name.value }),
    });
    const comment = h(
      "textarea",
      {
        rows: 2,
        maxlength: 4000,
        placeholder: t("study.commentPlaceholder"),
        onchange: () => this.edit({ action: "comment", text: comment.value }),
      },
      page.comment ?? "",
    );
    const marks = h(
      "div",
      { "class": "row marks", "role": "group", "aria-label": t("study.mark") },
      MARKS.map((mark) =>
        h(
          "button",
          {
            "type": "button",
            "aria-label": `${mark} ${t(`study.mark.${mark}`)}`,
            "title": t(`study.mark.${mark}`),
            "aria-pressed": String(page.mark === mark),
            "onclick": () => this.edit({ action: "mark", text: page.mark === mark ? "" : mark }),
          },
          mark,
        ),
      ),
    );
    const remove = h(
      "button",
      { type: "button", class: "quiet", onclick: () => this.edit({ action: "remove" }, t("study.removed")) },
      t("study.remove"),
    );
    const correct = h(
      "button",
      { type: "button", class: "quiet", onclick: () => this.correct() },
      t("study.correct"),
    );
    const also =
      page.also.length > 0 &&
      h(
        "div",
        { class: "also small" },
        h("strong", null, t("study.also")),
        page.also.map((way) =>
          h(
            "button",
            { type: "button", class: "step", onclick: () => this.go(way.map((move) => move.text)) },
            way.map((move, at) => `${at % 2 === 0 ? moveNumber(at) : ""}${move.san}`).join(" "),
          ),
        ),
      );
    return h(
      "section",
      { class: "card study-form" },
      field(t("study.positionName"), name),
      field(t("study.comment"), comment),
      this.line.length > 0 && h("div", { class: "row" }, marks, correct, remove),
      also,
    );
  }

  moves() {
    const { page, sheet } = this;
    if (!page.moves.length)
      return h("section", { class: "card" }, h("p", { class: "faint" }, t("study.endsHere")));
    const result = (known) => {
      const all = known.first_wins + known.draws + known.second_wins;
      if (!all) return null;
      const part = (n, said, look) =>
        n > 0 &&
        h(
          "span",
          {
            class: look ? "won" : "of-none",
            style: { ...look, flexGrow: String(n) },
            title: `${said} ${count(n)}`,
          },
          n / all > 0.18 ? `${Math.round((100 * n) / all)}%` : "",
        );
      return h(
        "div",
        {
          "class": "bars results",
          "role": "img",
          "aria-label": `${sideName(sheet, 0)} ${known.first_wins}, ${t("study.drawn")} ${known.draws}, ${sideName(sheet, 1)} ${known.second_wins}`,
        },
        part(known.first_wins, sideName(sheet, 0), lookOf(sheet, 0)),
        part(known.draws, t("study.drawn")),
        part(known.second_wins, sideName(sheet, 1), lookOf(sheet, 1)),
      );
    };
    const counted = page.moves.some((known) => known.games > 0);
    const row = (known) => {
      const move = page.position_view.moves.find((one) => one.text === known.coordinates);
      return h(
        "tr",
        null,
        h(
          "td",
          null,
          h(
            "button",
            {
              type: "button",
              class: "quiet move",
              onclick: () => this.go([...this.line, known.coordinates]),
              onmouseenter: () => move?.from && this.board.arrows([{ ...wayOf(move), colour: "blue" }]),
              onmouseleave: () => this.board.arrows([]),
            },
            `${move ? moveWords(move) : known.move}${known.mark ?? ""}`,
          ),
        ),
        counted && h("td", { class: "number" }, known.games ? count(known.games) : ""),
        counted && h("td", { class: "wide" }, result(known)),
        h(
          "td",
          { class: "small" },
          known.name,
          known.ways > 1 &&
            h(
              "span",
              { class: "transposes", title: t("study.transposesHint", { n: known.ways }) },
              `⇄ ${known.ways}`,
            ),
        ),
      );
    };
    return h(
      "section",
      { class: "card" },
      h(
        "div",
        { class: "scroll" },
        h(
          "table",
          { class: "study-next" },
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              h("th", null, t("study.move")),
              counted && h("th", { class: "number" }, t("study.games")),
              counted && h("th", null, t("study.results")),
              h("th"),
            ),
          ),
          h("tbody", null, page.moves.map(row)),
        ),
      ),
    );
  }

  tree() {
    const { page } = this;
    if (!page.tree.length) return null;
    const now = this.line.join(" ");
    const path = [];
    const rows = page.tree.map((row) => {
      path.length = row.depth;
      path.push(row.text);
      const line = [...this.line.slice(0, page.tree_from), ...path];
      return h(
        "li",
        { style: { paddingInlineStart: `${Math.min(row.depth, 12) * 12}px` } },
        h(
          "button",
          {
            "type": "button",
            "class": "step",
            "aria-current": line.join(" ") === now ? "true" : undefined,
            "onclick": () => this.go(line),
          },
          `${moveNumber(page.tree_from + row.depth)}${row.san}${row.mark ?? ""}`,
        ),
        row.name && h("em", { class: "small" }, row.name),
        row.comment && h("span", { class: "faint", title: t("study.comment") }, "✎"),
        row.met && h("span", { class: "transposes", title: t("study.metHint") }, "⇄"),
      );
    });
    const save = h(
      "button",
      {
        type: "button",
        class: "small",
        onclick: () => download(`${this.name}.json`, JSON.stringify(page, null, 2), "application/json"),
      },
      "JSON",
    );
    return h(
      "section",
      { class: "card" },
      h(
        "div",
        { class: "row" },
        h("h2", null, t("study.tree")),
        h(
          "span",
          { class: "faint small" },
          t("study.size", { positions: count(page.n_positions), moves: count(page.n_moves) }),
        ),
        save,
      ),
      h("ul", { class: "tree lines" }, rows),
      page.more && h("p", { class: "faint small" }, t("study.moreRows")),
    );
  }
}
