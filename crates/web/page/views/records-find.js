// Searching: a board that is drawn, a text that is typed, conditions on games; counts while any of them changes.

import { ApiError, api, showError } from "/lib/api.js";
import { field, h, speak } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { Editor } from "/board/editor.js";
import { collectionAndSheet, duration, head, keepAddress, number, of } from "./records-common.js";
import { Filters } from "./records-filters.js";
import { drawHits } from "./records-hits.js";
import { Kept } from "./records-kept.js";
import { compose, takeApart } from "./records-query.js";

const PAGE = 24;
const SHAPES = ["mirrored", "swapped", "anywhere", "exact"];

export async function showPart(root, name, _, query) {
  const { collection, sheet } = await collectionAndSheet(name);
  const search = new Search(collection, sheet, query);
  root.append(...head(collection, sheet, "", { q: search.text }), search.element);
  search.takeText({ isTyped: false });
  return () => search.controller?.abort();
}

class Search {
  constructor(collection, sheet, query) {
    this.collection = collection;
    this.sheet = sheet;
    this.text = query.get("q") ?? "";
    this.page = Math.max(1, Number(query.get("page")) || 1);
    this.shapes = {};
    this.editor = new Editor(sheet, { marks: true, onChange: () => this.boardChanged() });
    this.filters = new Filters(sheet, () => this.boardChanged());
    this.kept = new Kept(
      sheet,
      () => this.text,
      (text) => {
        this.textArea.value = text;
        this.page = 1;
        this.takeText();
      },
    );
    this.textArea = h("textarea", {
      "rows": 3,
      "spellcheck": "false",
      "autocomplete": "off",
      "id": "query",
      "placeholder": t("records.queryExample", { example: this.example() }),
      "aria-describedby": "query-wrong",
      "oninput": () => {
        this.page = 1;
        clearTimeout(this.typing);
        this.typing = setTimeout(() => this.takeText(), 120);
      },
    });
    this.textArea.value = this.text;
    this.counted = h("div", { "class": "counted", "aria-live": "polite" });
    this.wrong = h("div", { class: "query-wrong wrong", id: "query-wrong", role: "alert" });
    this.more = h("p", { class: "faint small by-hand", hidden: true }, t("records.byHand"));
    this.hits = h("section", { "class": "hits", "aria-label": t("records.hits") });
    this.element = this.arrange();
  }

  example() {
    const { kind, side, square } = this.sheet.start.board.find((piece) => piece.side === 0) ?? {};
    return square
      ? `${square}=${side === 0 ? this.sheet.kinds[kind].letter : this.sheet.kinds[kind].letter.toLowerCase()} result=draw`
      : "result=draw";
  }

  arrange() {
    this.shapeBoxes = Object.fromEntries(
      SHAPES.map((shape) => [
        shape,
        h("input", {
          type: "checkbox",
          onchange: (event) => {
            this.shapes[shape] = event.target.checked;
            this.boardChanged();
          },
        }),
      ]),
    );
    const shapes = h(
      "fieldset",
      { "class": "shapes", "aria-label": t("records.shapes") },
      SHAPES.map((shape) =>
        h("label", { title: t(`records.${shape}Help`) }, this.shapeBoxes[shape], t(`records.${shape}`)),
      ),
    );
    const clear = h("button", { class: "quiet", onclick: () => this.clear() }, t("records.clear"));
    return h(
      "div",
      { class: "search" },
      h("div", { class: "row counted-row" }, this.counted, clear),
      h("div", { class: "search-board" }, this.editor.element),
      h(
        "div",
        { class: "search-side" },
        h(
          "div",
          { class: "card asked" },
          shapes,
          field(t("records.query"), this.textArea),
          this.wrong,
          this.more,
          this.filters.element,
          this.kept.element,
        ),
        this.hits,
      ),
    );
  }

  clear() {
    this.textArea.value = "";
    this.page = 1;
    this.takeText();
    this.textArea.focus();
  }

  /** The board, a shape or the form has changed: the text follows. */
  boardChanged() {
    if (this.isQuiet) return;
    const exact = this.shapes.exact ? this.editor.text() : null;
    this.text = compose({
      board: this.editor.query(),
      exact,
      shapes: this.shapes,
      filters: this.filters.values(),
    });
    this.textArea.value = this.text;
    this.page = 1;
    this.setByHand(false);
    this.ask();
  }

  /** The text has changed: board and form follow, if they can show all of it. */
  takeText({ isTyped = true } = {}) {
    this.text = this.textArea.value.trim();
    const apart = takeApart(this.sheet, this.text);
    this.setByHand(!apart);
    if (apart) this.showApart(apart);
    this.ask({ keep: isTyped });
  }

  showApart({ board, exact, shapes, filters }) {
    this.isQuiet = true;
    if (exact) {
      try {
        this.editor.setText(exact);
      } catch {
        this.setByHand(true);
      }
    } else {
      Object.assign(this.editor, { marks: board.marks, hands: board.hands, turn: board.turn });
      this.editor.draw();
    }
    this.shapes = { ...shapes, exact: exact !== null };
    for (const shape of SHAPES) this.shapeBoxes[shape].checked = Boolean(this.shapes[shape]);
    this.filters.set(filters);
    this.isQuiet = false;
  }

  setByHand(isByHand) {
    this.more.hidden = !isByHand;
    this.editor.element.classList.toggle("aside", isByHand);
  }

  /** Asks for counts and a page; a question that was overtaken is given up. */
  async ask({ keep = true } = {}) {
    if (keep) keepAddress([this.collection.name], { q: this.text, page: this.page > 1 ? this.page : "" });
    this.kept.changed();
    this.controller?.abort();
    const controller = new AbortController();
    this.controller = controller;
    this.counted.classList.add("asking");
    try {
      const body = { query: this.text, offset: (this.page - 1) * PAGE, limit: PAGE };
      const find = (more) =>
        api.post(of(this.collection.name, "find"), { ...body, ...more }, { signal: controller.signal });
      // A page further on is of all games.
      const first = await find({ soon: this.page === 1 });
      if (controller.signal.aborted) return;
      this.show(first);
      if (first.looked_at === first.of_games) return;
      this.counted.classList.add("asking");
      const whole = await find();
      if (!controller.signal.aborted) this.show(whole);
    } catch (error) {
      if (error.name === "AbortError" || controller.signal.aborted) return;
      if (!(error instanceof ApiError)) showError(error);
      this.showWrong(error);
    }
  }

  show(found) {
    this.wrong.replaceChildren();
    this.textArea.removeAttribute("aria-invalid");
    this.counted.classList.remove("asking");
    const isWhole = found.looked_at === found.of_games;
    const times = { count: number(found.positions), time: duration(found.elapsed_ms) };
    this.counted.replaceChildren(
      h(
        "strong",
        null,
        t(found.games === 1 ? "records.game" : "records.games", { count: number(found.games) }),
      ),
      h(
        "span",
        { class: "faint small" },
        isWhole
          ? t("records.positionsIn", times)
          : t("records.ofTheFirst", { count: number(found.looked_at) }),
      ),
    );
    // None among the first games is no answer yet.
    if (!isWhole && found.games === 0) return this.hits.replaceChildren();
    this.hits.replaceChildren(
      ...drawHits({
        collection: this.collection,
        sheet: this.sheet,
        found,
        text: this.text,
        page: this.page,
        size: PAGE,
        go: (page) => this.go(page),
      }),
    );
  }

  /** What is wrong and where: the text up to the mistake, and the mistake. */
  showWrong(error) {
    this.counted.classList.remove("asking");
    this.counted.replaceChildren(h("strong", { class: "faint" }, "–"));
    const letters = [...this.text];
    const where =
      error.offset !== undefined && letters.length
        ? h(
            "code",
            { class: "where" },
            letters.slice(Math.max(0, error.offset - 24), error.offset).join(""),
            h("mark", null, letters.slice(error.offset, error.offset + 12).join("") || " "),
          )
        : null;
    this.wrong.replaceChildren(
      h("strong", null, error.message),
      where,
      error.hint ? h("div", { class: "small" }, error.hint) : "",
    );
    this.textArea.setAttribute("aria-invalid", "true");
    this.hits.replaceChildren();
  }

  async go(page) {
    this.page = page;
    await this.ask();
    this.hits.scrollIntoView({ block: "start" });
    speak(t("records.page", { page: number(page) }));
  }
}
