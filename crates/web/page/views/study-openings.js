// Openings: the books there are, a new one; one book is shown by study-book.js, practice by study-drill.js.

import { gameName } from "/lib/library.js";
import { api, showError } from "/lib/api.js";
import { field, h } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { count, gameChoice } from "./study-common.js";

export async function show(root, path, query) {
  const [name, what] = path;
  if (name && what === "practice") return (await import("./study-drill.js")).show(root, name, query);
  if (name) return (await import("./study-book.js")).show(root, name, query);
  return list(root);
}

async function list(root) {
  const [books, games] = await Promise.all([api.get("books"), api.get("games")]);
  const names = new Map(games.map((game) => [game.id, gameName(game)]));
  const shelf = h(
    "div",
    { class: "cards" },
    books.map((book) => card(book, names.get(book.game) ?? book.game)),
  );
  root.append(
    h(
      "div",
      { class: "beside study-beside" },
      h(
        "section",
        null,
        h("h2", null, t("study.books")),
        books.length ? shelf : h("div", { class: "card study-empty" }, h("p", null, t("study.noBooks"))),
      ),
      h("div", { class: "study-side" }, await newBook()),
    ),
  );
}

function card({ name, bytes }, game) {
  return h(
    "a",
    { class: "card study-book", href: `#/study/openings/${encodeURIComponent(name)}` },
    h("strong", null, name),
    h(
      "span",
      { class: "faint small" },
      game ? `${game} · ${t("study.bytes", { n: count(Math.ceil(bytes / 1000)) })}` : t("study.notABook"),
    ),
  );
}

async function newBook() {
  let game = "chess";
  const choice = await gameChoice(game, (value) => {
    game = value;
  });
  const name = h("input", {
    required: true,
    maxlength: 64,
    autocomplete: "off",
    pattern: "[\\p{L}\\p{N}_\\-]+",
    title: t("study.nameHint"),
  });
  const position = h("input", { class: "mono", autocomplete: "off", spellcheck: "false" });
  const submit = async (event) => {
    event.preventDefault();
    try {
      const page = await api.post("books", {
        name: name.value.trim(),
        game,
        position: position.value.trim() || null,
      });
      location.hash = `#/study/openings/${encodeURIComponent(page.name)}`;
    } catch (error) {
      showError(error);
    }
  };
  return h(
    "form",
    { class: "card study-form", onsubmit: submit },
    h("h2", null, t("study.newBook")),
    field(t("study.bookName"), name, t("study.nameHint")),
    field(t("study.game"), choice),
    h("details", null, h("summary", null, t("study.fromPosition")), field("FEN / SFEN", position)),
    h("button", { class: "first" }, t("study.begin")),
  );
}
