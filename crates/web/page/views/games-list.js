// The library as cards with a small board each, found by words and by size.

import { api, showError } from "../lib/api.js";
import { field, h, select } from "../lib/dom.js";
import { gameAbout, gameName } from "../lib/library.js";
import { gameDescriptor } from "../lib/descriptors.js";
import { language, t } from "../lib/words.js";
import { miniature } from "../board/miniature.js";

/** The address of a game's page. */
export const gameHref = (spec) => `#/games/${encodeURIComponent(spec).replaceAll("%2B", "+")}`;

/** The parts of the view. */
export function tabs(current) {
  const parts = [
    ["library", "#/games"],
    ["tree", "#/games?show=tree"],
    ["write", "#/games/new"],
  ];
  return h(
    "nav",
    { "class": "tabs", "aria-label": t("games.parts") },
    parts.map(([key, href]) =>
      h("a", { href, "aria-current": key === current ? "page" : undefined }, t(`games.tab.${key}`)),
    ),
  );
}

export async function showList(root, query) {
  const games = await api.get("games");
  const cards = h("div", { class: "cards library" });
  const count = h("p", { class: "faint count", role: "status" });
  const search = h("input", {
    type: "search",
    value: query.get("q") ?? "",
    placeholder: t("games.search.example"),
    oninput: () => draw(),
  });
  const sizes = [...new Set(games.filter((game) => game.files).map((game) => `${game.files}x${game.ranks}`))];
  sizes.sort((a, b) => area(a) - area(b));
  const size = select(
    [["", t("games.size.any")], ...sizes.map((one) => [one, one.replace("x", " × ")])],
    query.get("size") ?? "",
    () => draw(),
  );
  const order = select(
    ["name", "size", "family"].map((key) => [key, t(`games.order.${key}`)]),
    query.get("order") ?? "name",
    () => draw(),
  );
  const watcher = new IntersectionObserver(seen, { rootMargin: "1200px" });
  const made = new Map(games.map((game) => [game.id, card(game, games)]));
  made.forEach((element) => watcher.observe(element));

  function draw() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (game) =>
      `${game.id} ${game.name} ${game.about} ${gameName(game)} ${gameAbout(game)} ${game.descends ?? ""}`.toLowerCase();
    const fits = (game) =>
      words.every((word) => text(game).includes(word)) &&
      (!size.value || size.value === `${game.files}x${game.ranks}`);
    const shown = sorted(games.filter(fits), order.value, games);
    cards.replaceChildren(...shown.map((game) => made.get(game.id)));
    if (!shown.length)
      cards.append(
        h(
          "p",
          { class: "empty" },
          t("games.none"),
          " ",
          h("a", { href: "#/games/new" }, t("games.tab.write")),
        ),
      );
    count.textContent = t("games.count", { n: shown.length, of: games.length });
    const kept = new URLSearchParams(
      Object.entries({
        q: search.value,
        size: size.value,
        order: order.value === "name" ? "" : order.value,
      }).filter(([, value]) => value),
    );
    history.replaceState(null, "", `#/games${kept.size ? `?${kept}` : ""}`);
  }

  root.append(
    h("h1", null, t("games.title")),
    tabs("library"),
    h(
      "div",
      { class: "row end finder" },
      field(t("games.search"), search),
      field(t("games.size"), size),
      field(t("games.order"), order),
      count,
    ),
    cards,
  );
  draw();
  return () => watcher.disconnect();
}

const area = (size) => size.split("x").reduce((a, b) => a * b, 1);

function sorted(games, order, all) {
  const byName = (a, b) => gameName(a).localeCompare(gameName(b), language());
  if (order === "size")
    return games.toSorted((a, b) => a.files * a.ranks - b.files * b.ranks || byName(a, b));
  if (order === "family") return games.toSorted((a, b) => ancestry(a, all).localeCompare(ancestry(b, all)));
  return games.toSorted((a, b) => Number(b.own) - Number(a.own) || byName(a, b));
}

/** `chaturanga/shatranj/chess`. */
function ancestry(game, all, depth = 0) {
  const parent = depth < 20 && all.find((one) => one.id === game.descends);
  return `${parent ? `${ancestry(parent, all, depth + 1)}/` : ""}${game.id}`;
}

function card(game, all) {
  const parent = all.find((one) => one.id === game.descends);
  const picture = h("div", { "class": "picture", "aria-hidden": true });
  const facts = [
    game.files && `${game.files} × ${game.ranks}`,
    game.n_sides > 2 && t("games.sides", { n: game.n_sides }),
    parent && t("games.from", { name: gameName(parent) }),
  ];
  const element = h(
    "a",
    {
      "class": "card game",
      "href": game.problem ? `#/games/new?own=${encodeURIComponent(game.id)}` : gameHref(game.id),
      "data-game": game.id,
    },
    picture,
    h(
      "div",
      { class: "text" },
      h("h2", null, gameName(game), game.own && h("span", { class: "badge" }, t("games.own"))),
      h("p", null, game.problem ? h("span", { class: "wrong" }, game.problem) : gameAbout(game)),
      h("p", { class: "facts faint small" }, facts.filter(Boolean).join(" · ")),
    ),
  );
  element.game = game;
  element.picture = picture;
  return element;
}

/** Draws the boards of cards that come into sight. */
function seen(entries, watcher) {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    watcher.unobserve(target);
    if (target.game.problem) continue;
    gameDescriptor(target.game.id, target.game.own).then(
      (sheet) => target.picture.replaceChildren(miniature(sheet, sheet.start, { size: 132 })),
      showError,
    );
  }
}
