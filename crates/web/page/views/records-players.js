// The players of a collection: how often on each side, and how it went; in all games, or in those of a query.

import { api, showError } from "/lib/api.js";
import { field, h } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { sideName } from "/board/names.js";
import { address, collectionAndSheet, head, keepAddress, number, of, percent } from "./records-common.js";
import { saves } from "./records-plot.js";

/** Players that one press brings. */
const N_MORE = 50;
/** Players of a file: as many as the server gives. */
const N_SAVED = 10000;

export async function showPart(root, name, _, query) {
  const { collection, sheet } = await collectionAndSheet(name);
  const only = h("input", {
    class: "mono",
    placeholder: "date>=2015 result=draw",
    autocomplete: "off",
    spellcheck: "false",
    value: query.get("q") ?? "",
  });
  const counted = h("p", { "class": "counted", "aria-live": "polite" });
  const wrong = h("p", { class: "wrong", role: "alert" });
  const list = h("div", { class: "scroll" });
  const more = h("p");
  const saving = h("div");
  let shown = [];
  const ask = (skip, limit) => api.post(of(name, "players"), { query: only.value.trim(), skip, limit });
  const add = async (before) => {
    const { players, listed } = await ask(before.length, N_MORE);
    shown = [...before, ...listed];
    counted.textContent = t("records.nPlayers", { n: number(players) });
    list.replaceChildren(shown.length ? playersTable(name, sheet, shown, only.value.trim()) : "");
    more.replaceChildren(
      shown.length < players
        ? h("button", { onclick: () => add(shown).catch(showError) }, t("records.morePlayers"))
        : "",
    );
    saving.replaceChildren(
      shown.length
        ? saves(`${name}-players`, null, async () => rowsOf(sheet, (await ask(0, N_SAVED)).listed))
        : "",
    );
  };
  const anew = async () => {
    wrong.textContent = "";
    keepAddress([name, "players"], { q: only.value.trim() });
    try {
      await add([]);
    } catch (error) {
      list.replaceChildren();
      counted.textContent = "";
      more.replaceChildren();
      wrong.textContent = [error.message, error.hint].filter(Boolean).join(" · ");
    }
  };
  only.addEventListener("change", anew);
  root.append(
    ...head(collection, sheet, "players"),
    h(
      "div",
      { class: "card" },
      h("div", { class: "row between" }, counted, saving),
      field(t("records.onlyIn"), only),
      wrong,
      list,
      more,
    ),
  );
  await anew();
}

/** A line for each player; the names lead to their games. */
export function playersTable(name, sheet, players, query = "") {
  const sides = sheet.sides.map((_, side) => sideName(sheet, side));
  const quoted = (player) => `player="${player.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
  const asked = (player) => (query ? `(${query}) ${quoted(player)}` : quoted(player));
  const score = ({ games, share }) => [
    h("td", { class: "number" }, number(games)),
    h("td", { class: "number" }, share === null ? "" : percent(share)),
  ];
  const line = (player) =>
    h(
      "tr",
      null,
      h("td", null, h("a", { href: address([name], { q: asked(player.name) }) }, player.name)),
      score(player),
      [player.won, player.draws, player.lost].map((n) => h("td", { class: "number" }, number(n))),
      player.by_side.map(score),
      h("td", { class: "number" }, yearsText(player)),
      h("td", { class: "number" }, player.best_rating ?? ""),
    );
  const heads = [
    t("records.gamesHead"),
    t("records.score"),
    t("records.won"),
    t("records.draws"),
    t("records.lost"),
    ...sides.flatMap((side) => [side, t("records.score")]),
    t("records.yearsHead"),
    t("records.bestRating"),
  ];
  return h(
    "table",
    { class: "players" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("th", null, t("records.player")),
        heads.map((words) => h("th", { class: "number" }, words)),
      ),
    ),
    h("tbody", null, players.map(line)),
  );
}

/** 1990–2004 */
function yearsText({ first_year: first, last_year: last }) {
  return first === null ? "" : first === last ? String(first) : `${first}–${last}`;
}

/** The same for other programs. */
export function rowsOf(sheet, players) {
  const of = (side) =>
    ["games", "won", "draws", "lost"].map((what) => `${sheet.sides[side].name.toLowerCase()}_${what}`);
  const counts = ({ games, won, draws, lost }) => [games, won, draws, lost];
  return [
    [
      "player",
      "games",
      "won",
      "draws",
      "lost",
      ...sheet.sides.flatMap((_, side) => of(side)),
      "first_year",
      "last_year",
      "best_rating",
    ],
    ...players.map((player) => [
      player.name,
      ...counts(player),
      ...player.by_side.flatMap(counts),
      player.first_year,
      player.last_year,
      player.best_rating,
    ]),
  ];
}
