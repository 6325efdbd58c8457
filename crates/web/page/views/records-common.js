// What the parts of the records view share: numbers, moves, results, bars, the address.

import { gameDescriptor } from "/lib/descriptors.js";
import { h } from "/lib/dom.js";
import { api } from "/lib/api.js";
import { language, t } from "/lib/words.js";
import { sideName } from "/board/names.js";
import { lookOf } from "/board/piece.js";

export { playersText, resultBadge, resultText } from "./game-head.js";

/** 12,345 */
export function number(n, options) {
  return new Intl.NumberFormat(language(), options).format(n);
}

/** 12.3% */
export function percent(share) {
  return number(share, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** 1.2 MB */
export function bytes(n) {
  const at = Math.min(3, Math.floor(Math.log10(Math.max(1, n)) / 3));
  return `${number(n / 1000 ** at, { maximumFractionDigits: at ? 1 : 0 })}\u00a0${["B", "kB", "MB", "GB"][at]}`;
}

/** 3 ms, 1.2 s */
export function duration(ms) {
  return ms < 1000
    ? `${number(ms, { maximumFractionDigits: ms < 10 ? 1 : 0 })} ms`
    : `${number(ms / 1000, { maximumFractionDigits: 1 })} s`;
}

/** A share that is smaller has no room for its number: bars are short on a phone. */
const leastShare = () => (matchMedia("(max-width: 700px)").matches ? 0.34 : 0.14);

/** Wins, draws and losses as one bar with the numbers in words. */
export function resultBar(sheet, { wins, draws, unknown = 0 }) {
  const known = wins.reduce((sum, n) => sum + n, 0) + draws;
  if (!known)
    return h(
      "div",
      { class: "result-bar none" },
      h("span", null, t("records.noResults", { count: number(unknown) })),
    );
  const won = wins.map((n, side) => [lookOf(sheet, side), n, sideName(sheet, side)]);
  const order = [...won.slice(0, 1), [undefined, draws, t("result.draw")], ...won.slice(1)];
  const words = order.map(([, n, name]) => `${name} ${percent(n / known)}`).join(", ");
  return h(
    "div",
    { "class": "result-bar", "role": "img", "aria-label": words, "title": words },
    order
      .filter(([, n]) => n)
      .map(([look, n]) =>
        h(
          "span",
          { class: look ? "won" : "draw", style: { ...look, flexGrow: String(n) } },
          n / known >= leastShare() ? number(Math.round((n / known) * 100)) + "%" : "",
        ),
      ),
  );
}

/** `#/records/NAME/part?...` with what is not empty. */
export function address(path, given = {}) {
  const query = new URLSearchParams(
    Object.entries(given).filter(
      ([, value]) => value !== "" && value !== undefined && value !== null && value !== 0,
    ),
  );
  return `#/${["records", ...path].map(encodeURIComponent).join("/")}${query.size ? `?${query}` : ""}`;
}

/** Where a position can be played on: whoever follows the link moves, the program answers. */
export function playAddress(sheet, positionView) {
  return `#/play/${encodeURIComponent(sheet.spec)}?${new URLSearchParams({ position: positionView.text, side: String(positionView.turn) })}`;
}

/** Keeps a state in the address without making the page anew. */
export function keepAddress(path, given) {
  history.replaceState(null, "", address(path, given));
}

/** Where a collection's API is. */
export function of(name, rest = "") {
  return `collections/${encodeURIComponent(name)}${rest && `/${rest}`}`;
}

/** A collection and its game's sheet. */
export async function collectionAndSheet(name) {
  const collection = await api.get(of(name));
  return { collection, sheet: await gameDescriptor(collection.game) };
}

/** The head of a collection's page: its name, what it holds, its parts. */
export function head(collection, sheet, current, kept = {}) {
  const tab = (part, key) =>
    h(
      "a",
      {
        "href": address([collection.name, ...(part ? [part] : [])], part ? {} : kept),
        "aria-current": part === current ? "page" : undefined,
      },
      t(key),
    );
  return [
    h(
      "div",
      { class: "row records-head" },
      h(
        "a",
        { "class": "back", "href": "#/records", "aria-label": t("records.all"), "title": t("records.all") },
        "‹",
      ),
      h("h1", null, collection.name),
      h(
        "p",
        { class: "faint small" },
        t("records.holds", {
          game: sheet.name,
          games: number(collection.games),
          positions: number(collection.positions),
        }),
      ),
    ),
    h(
      "nav",
      { "class": "tabs", "aria-label": collection.name },
      tab("", "records.find"),
      tab("explore", "records.explore"),
      tab("players", "records.playersTab"),
      tab("survey", "records.survey"),
      tab("add", "records.add"),
    ),
  ];
}
