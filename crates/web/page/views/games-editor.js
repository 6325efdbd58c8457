// An editor for games of one's own: mistakes as they are typed, the board and the moves beside them at once.

import { api, latest, showError } from "../lib/api.js";
import { download, field, h, notice, select } from "../lib/dom.js";
import { language, t } from "../lib/words.js";
import { Board } from "../board/board.js";
import { pieces } from "./games-diagram.js";
import { gameName } from "../lib/library.js";
import { clearDescriptors, gameDescriptor } from "../lib/descriptors.js";
import { gameHref, tabs } from "./games-list.js";
import { rulesInWords } from "./games-page.js";
import { BETZA, TEMPLATES, extending } from "./games-templates.js";
import { highlighted } from "./games-toml.js";

const PAUSE_MS = 150;

export async function showEditor(root, query) {
  const editor = new Editor(root, await api.get("games"), query);
  await editor.open();
  return () => editor.close();
}

/** Drafts are kept here until they are saved: one for each beginning. */
const drafts = {
  read(key) {
    try {
      return JSON.parse(localStorage.getItem(`games.draft:${key}`));
    } catch {
      return null;
    }
  },
  write(key, draft) {
    try {
      if (draft) localStorage.setItem(`games.draft:${key}`, JSON.stringify(draft));
      else localStorage.removeItem(`games.draft:${key}`);
    } catch {
      /* a private window */
    }
  },
};

class Editor {
  constructor(root, games, query) {
    Object.assign(this, { root, games });
    this.own = query.get("own");
    this.from = query.get("from") ?? query.get("template");
    this.key = this.own ? `own:${this.own}` : this.from ? `from:${this.from}` : "new";
    this.check = latest((signal) =>
      api.post(
        `games/check?lang=${language()}`,
        { text: this.text.value, name: this.checkedName() },
        { signal },
      ),
    );
    this.makeFields();
  }

  makeFields() {
    this.name = h("input", {
      value: "",
      maxlength: 64,
      spellcheck: false,
      autocomplete: "off",
      class: "mono",
      oninput: () => this.changed(),
    });
    this.text = h("textarea", {
      "class": "code",
      "spellcheck": false,
      "autocomplete": "off",
      "autocapitalize": "off",
      "wrap": "off",
      "rows": 24,
      "aria-label": t("games.text"),
      "aria-describedby": "problems",
      "oninput": () => this.changed(),
    });
    this.text.addEventListener("scroll", () => this.follow());
    this.behind = h("pre", { "class": "behind", "aria-hidden": true });
    this.gutter = h("div", { "class": "gutter", "aria-hidden": true });
    this.problems = h("ol", { class: "problems", id: "problems", role: "list" });
    this.verdict = h("p", { class: "verdict", role: "status" });
    this.beside = h("div", { class: "made" });
    this.saved = h("div", { class: "row saved" });
    this.state = h("span", { class: "faint small", role: "status" });
  }

  async open() {
    this.draw();
    const original = await this.original();
    const draft = drafts.read(this.key);
    this.originalText = original.text;
    this.text.value = draft?.text ?? original.text;
    this.name.value = draft?.name ?? original.name;
    this.drawState();
    await this.refresh();
  }

  close() {
    clearTimeout(this.timer);
  }

  /** The text to begin with. */
  async original() {
    if (this.own) {
      try {
        return { text: (await api.get(`games/${encodeURIComponent(this.own)}`)).source, name: this.own };
      } catch (error) {
        showError(error);
        return { text: drafts.read(this.key)?.text ?? "", name: this.own };
      }
    }
    if (this.from && TEMPLATES[this.from])
      return { text: TEMPLATES[this.from](), name: this.free("my-game") };
    if (this.from) {
      const sheet = await gameDescriptor(this.from).catch((error) => {
        showError(error);
        return null;
      });
      if (sheet)
        return { text: extending({ ...sheet, name: gameName(sheet) }), name: this.free(`my-${sheet.id}`) };
    }
    return { text: TEMPLATES.small(), name: this.free("my-game") };
  }

  free(name) {
    const taken = (one) => this.games.some((game) => game.id === one);
    for (let n = 1; ; n += 1)
      if (!taken(n === 1 ? name : `${name}-${n}`)) return n === 1 ? name : `${name}-${n}`;
  }

  checkedName() {
    return /^[\p{L}\p{N}_-]{1,64}$/u.test(this.name.value) &&
      !this.games.some((game) => game.id === this.name.value && !game.own)
      ? this.name.value
      : "";
  }

  draw() {
    const library = this.games.map((game) => [game.id, t("games.begin.from", { name: gameName(game) })]);
    const begin = select(
      [
        ["", t("games.begin.choose")],
        ["small", t("games.begin.small")],
        ["drops", t("games.begin.drops")],
        ...library,
      ],
      "",
      (value) => {
        if (!value) return;
        const game = this.games.find((one) => one.id === value);
        location.hash = game?.own
          ? `#/games/new?own=${encodeURIComponent(value)}`
          : `#/games/new?from=${encodeURIComponent(value)}`;
      },
    );
    this.remove = h("button", { onclick: () => this.throwAway() }, t("games.delete"));
    this.remove.hidden = !this.own;
    this.root.append(
      h("h1", null, t("games.title")),
      tabs("write"),
      h(
        "div",
        { class: "row end toolbar" },
        field(t("games.begin"), begin),
        field(t("games.id"), this.name),
        h("button", { class: "first", onclick: () => this.save() }, t("games.save")),
        h(
          "button",
          {
            onclick: () =>
              download(`${this.checkedName() || "game"}.toml`, this.text.value, "application/toml"),
          },
          t("games.download"),
        ),
        h("button", { onclick: () => this.startOver() }, t("games.start-over")),
        this.remove,
        this.state,
      ),
      this.saved,
      h(
        "div",
        { class: "editor-and-made" },
        h(
          "div",
          { class: "writing" },
          h("div", { class: "editor" }, this.gutter, h("div", { class: "sheet" }, this.behind, this.text)),
          this.verdict,
          this.problems,
          help(),
        ),
        this.beside,
      ),
    );
  }

  changed() {
    drafts.write(this.key, this.isChanged() ? { text: this.text.value, name: this.name.value } : null);
    this.saved.replaceChildren();
    this.drawState();
    this.colour(this.found ?? []);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.refresh(), PAUSE_MS);
  }

  isChanged() {
    return this.text.value !== this.originalText;
  }

  drawState() {
    this.state.textContent = this.isChanged() ? t("games.unsaved") : "";
  }

  async refresh() {
    this.colour(this.found ?? []);
    const answer = await this.check();
    if (!answer) return;
    this.found = answer.problems;
    this.colour(answer.problems);
    this.tell(answer);
  }

  /** Colours and line numbers; lines with a mistake are marked in both. */
  colour(problems) {
    const here = problems.filter((problem) => this.isHere(problem));
    this.behind.replaceChildren(...highlighted(`${this.text.value}\n`, here));
    const n = this.text.value.split("\n").length;
    const wrong = new Map(here.map((problem) => [problem.line, problem.what]));
    this.gutter.replaceChildren(
      ...Array.from({ length: n }, (_, at) =>
        h(
          "span",
          { class: wrong.has(at + 1) ? "with-problem" : undefined, title: wrong.get(at + 1) },
          at + 1,
        ),
      ),
    );
    this.follow();
  }

  follow() {
    this.behind.scrollTop = this.text.scrollTop;
    this.behind.scrollLeft = this.text.scrollLeft;
    this.gutter.scrollTop = this.text.scrollTop;
  }

  /** Whether a problem is in this text and not in a game that it extends. */
  isHere({ file }) {
    return !file.includes("/");
  }

  tell({ problems, descriptor }) {
    const n = problems.length;
    this.verdict.className = n ? "verdict wrong" : "verdict good";
    this.verdict.textContent = n ? t(n === 1 ? "games.problem" : "games.problems", { n }) : t("games.sound");
    this.problems.replaceChildren(...problems.map((problem) => h("li", null, this.line(problem))));
    if (descriptor) this.make(descriptor);
    else this.beside.classList.add("stale");
  }

  line(problem) {
    const place = h(
      "span",
      { class: "place mono" },
      this.isHere(problem) ? `${problem.line}:${problem.column}` : `${problem.file}:${problem.line}`,
    );
    const text = [
      h("span", null, problem.what),
      problem.hint && h("small", { class: "faint" }, problem.hint),
    ];
    return h(
      "button",
      { class: "quiet problem", disabled: !this.isHere(problem), onclick: () => this.goTo(problem) },
      place,
      h("span", { class: "what" }, text),
    );
  }

  goTo({ line, column }) {
    const lines = this.text.value.split("\n");
    const start =
      lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) +
      [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
    const word = this.text.value.slice(start).match(/^("[^"\n]*"?|[^\s=,\]}"]+)/)?.[0].length ?? 0;
    this.text.focus();
    this.text.setSelectionRange(start, start + word);
    const height = this.text.scrollHeight / lines.length;
    this.text.scrollTop = Math.max(0, (line - 5) * height);
    this.follow();
  }

  /** The board, the moves and the words of what is written. */
  make(sheet) {
    this.beside.classList.remove("stale");
    const board = new Board(sheet, { interactive: false, still: true });
    board.set(sheet.start);
    const was = this.beside.querySelector("details.words")?.open ?? false;
    this.beside.replaceChildren(
      h("h2", null, sheet.name),
      h("p", { class: "faint" }, sheet.about),
      h("div", { class: "board-place" }, board.element),
      pieces(sheet),
      h("details", { class: "words", open: was }, h("summary", null, t("games.rules")), rulesInWords(sheet)),
    );
  }

  async save() {
    const name = this.name.value.trim();
    try {
      const { id } = await api.put(`games/own/${encodeURIComponent(name)}`, { text: this.text.value });
      clearDescriptors();
      drafts.write(this.key, null);
      this.own = id;
      this.key = `own:${id}`;
      this.originalText = this.text.value;
      this.remove.hidden = false;
      history.replaceState(null, "", `#/games/new?own=${encodeURIComponent(id)}`);
      if (!this.games.some((game) => game.id === id)) this.games.push({ id, name: id, own: true });
      this.drawState();
      this.saved.replaceChildren(
        h("span", { class: "good" }, t("games.kept", { name: id })),
        h("a", { class: "button first", href: `#/play/${encodeURIComponent(id)}` }, t("games.play")),
        h("a", { class: "button", href: gameHref(id) }, t("games.see")),
        h("a", { class: "button", href: `#/analyze?game=${encodeURIComponent(id)}` }, t("games.measure")),
      );
    } catch (error) {
      if (error.problems?.length) this.tell({ problems: error.problems });
      showError(error);
    }
  }

  startOver() {
    if (this.isChanged() && !confirm(t("games.start-over.sure"))) return;
    this.text.value = this.originalText;
    this.changed();
  }

  async throwAway() {
    if (!confirm(t("games.delete.sure", { name: this.own }))) return;
    try {
      await api.delete(`games/own/${encodeURIComponent(this.own)}`);
      clearDescriptors();
      drafts.write(this.key, null);
      notice(t("games.deleted", { name: this.own }));
      location.hash = "#/games";
    } catch (error) {
      showError(error);
    }
  }
}

function help() {
  return h(
    "details",
    { class: "help" },
    h("summary", null, t("games.help")),
    h("p", null, t("games.betza.about")),
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h("tr", null, h("th", null, t("games.betza")), h("th", null, t("games.betza.meaning"))),
      ),
      h(
        "tbody",
        null,
        BETZA.map(([text, key]) =>
          h("tr", null, h("td", null, h("code", null, text)), h("td", null, t(`games.betza.${key}`))),
        ),
      ),
    ),
    h("p", null, t("games.betza.more")),
  );
}
