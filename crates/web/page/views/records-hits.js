// What was found, a page of it: a small board at the hit, who played, what came next.

import { h } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { moveWords } from "/board/names.js";
import { miniature } from "/board/miniature.js";
import { address, number, of, playersText, resultBadge } from "./records-common.js";

/** The list, with ways to turn pages and to save. */
export function drawHits({ collection, sheet, found, text, page, size, go }) {
  if (!found.intervals) {
    return [
      h(
        "p",
        { class: "card empty" },
        collection.games
          ? t("records.nothing")
          : [
              t("records.emptyCollection"),
              " ",
              h("a", { href: address([collection.name, "add"]) }, t("records.add")),
            ],
      ),
    ];
  }
  const n_pages = Math.ceil(found.intervals / size);
  const first = (page - 1) * size + 1;
  const turn = (label, to, sign) =>
    h(
      "button",
      { "aria-label": label, "title": label, "disabled": to < 1 || to > n_pages, "onclick": () => go(to) },
      sign,
    );
  const pager = () =>
    h(
      "div",
      { class: "row pager" },
      turn(t("records.firstPage"), page > 1 ? 1 : 0, "«"),
      turn(t("records.previous"), page - 1, "‹"),
      h(
        "span",
        null,
        t("records.range", {
          from: number(Math.min(first, found.intervals)),
          to: number(Math.min(first + size - 1, found.intervals)),
          of: number(found.intervals),
        }),
      ),
      turn(t("records.next"), page + 1, "›"),
      turn(t("records.lastPage"), page < n_pages ? n_pages : 0, "»"),
    );
  return [
    h("div", { class: "row hits-head" }, pager(), saveLinks(collection, sheet, text)),
    h(
      "ol",
      { class: "hit-list", start: first },
      found.hits.map((hit) => h("li", null, drawHit(collection, sheet, hit, text))),
    ),
    n_pages > 1 && found.hits.length > 8 ? pager() : "",
  ];
}

function drawHit(collection, sheet, hit, text) {
  const isWhole = hit.from === 0 && hit.to === hit.plies;
  const plies = isWhole
    ? t("records.plies", { count: number(hit.plies) })
    : hit.from === hit.to
      ? t("records.atPly", { ply: hit.from })
      : t("records.atPlies", { from: hit.from, to: hit.to });
  return h(
    "a",
    { class: "hit", href: address([collection.name, "games", hit.game], { ply: String(hit.ply), q: text }) },
    miniature(sheet, hit.diagram, {
      size: 116,
      hands: "none",
      label: `${t("records.gameNumber", { number: hit.game })}, ${plies}`,
    }),
    h(
      "div",
      { class: "hit-words" },
      h("div", { class: "hit-players" }, playersText(hit.players)),
      h(
        "div",
        { class: "row hit-line" },
        resultBadge(sheet, hit.result),
        hit.date && h("span", { class: "small faint" }, hit.date),
        h("span", { class: "small faint" }, `#${hit.game}`),
      ),
      h("div", { class: "small faint" }, plies),
      hit.next &&
        h(
          "div",
          { class: "small" },
          t("records.nextMove"),
          " ",
          h("b", { class: "next" }, moveWords(hit.next)),
        ),
      hit.event && h("div", { class: "small faint hit-event" }, hit.event),
    ),
  );
}

/** All games that were found as files: the server writes them while they are sent. */
export function saveLinks(collection, sheet, text) {
  const formats = [...sheet.formats, "csv"];
  // It closes when somebody goes elsewhere, after a link of it has been pressed.
  const leave = () =>
    setTimeout(() => {
      if (!menu.contains(document.activeElement)) menu.open = false;
    }, 150);
  const escape = (event) => {
    if (event.key === "Escape") {
      menu.open = false;
      menu.firstChild.focus();
    }
  };
  const menu = h(
    "details",
    { class: "menu save", onfocusout: leave, onkeydown: escape },
    h("summary", { class: "button" }, t("records.save")),
    h(
      "div",
      { class: "menu-list card" },
      formats.map((format) =>
        h(
          "a",
          {
            href: `/api/${of(collection.name, "export")}?${new URLSearchParams({ query: text, format })}`,
            download: `${collection.name}.${format}`,
          },
          t(format === "csv" ? "records.saveHits" : "records.saveGames", { format: format.toUpperCase() }),
        ),
      ),
    ),
  );
  return menu;
}
