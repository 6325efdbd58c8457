// What a record says of its game besides moves: who played, how it ended, its tags.

import { h } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { sideName } from "/board/names.js";
import { lookOf } from "/board/piece.js";

/** Tags that name the players, in order of moving. */
const PLAYERS = ["First", "Second", "Third", "Fourth"];

/** The players of a record, by its tags. */
export function playersOf(sheet, tags) {
  return sheet.sides.map((_, side) => tags[PLAYERS[side]] ?? null);
}

/** "Anna – Boris". */
export function playersText(players) {
  return players.map((name) => name ?? "?").join(" – ");
}

/** A result in words for the eye: 1–0, ½–½. */
export function resultText(result) {
  return { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½", "*": "?" }[result] ?? result;
}

/** A result as a badge. */
export function resultBadge(sheet, result) {
  const side = { "1-0": 0, "0-1": 1 }[result];
  const words =
    side !== undefined
      ? t("result.won", { side: sideName(sheet, side) })
      : t(result === "1/2-1/2" ? "result.draw" : "result.unknown");
  return h(
    "span",
    {
      "class": "result",
      "style": side === undefined ? undefined : lookOf(sheet, side),
      "title": words,
      "aria-label": words,
    },
    resultText(result),
  );
}

/** All tags but the players' names, to be opened; nothing where there are none. */
export function tagsTable(tags) {
  const others = tags.filter(([name]) => !PLAYERS.includes(name));
  return others.length
    ? h(
        "details",
        { class: "tags" },
        h("summary", null, t("result.tags")),
        h(
          "table",
          null,
          others.map(([name, value]) => h("tr", null, h("th", null, name), h("td", null, value))),
        ),
      )
    : "";
}
