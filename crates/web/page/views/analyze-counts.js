// A fixed list of positions, counted: the counts are the same on every machine, the times are this one's.

import { h } from "../lib/dom.js";
import { gameWord } from "../lib/library.js";
import { t } from "../lib/words.js";

/** Counts as a table, with their sum, and how fast they were made. */
export function countsTable(counts) {
  const sum = (name) => counts.reduce((total, count) => total + count[name], 0);
  const [nNodes, ms] = [sum("n_nodes"), sum("elapsed_ms")];
  const head = ["game", "plies", "sequences", "ms", "position"].map((key) =>
    h("th", { scope: "col", class: ["game", "position"].includes(key) ? "" : "number" }, t(`analyze.${key}`)),
  );
  const number = (value, digits = 0) =>
    h("td", { class: "number" }, value.toLocaleString("en", { maximumFractionDigits: digits }));
  const line = (count) =>
    h(
      "tr",
      null,
      h("td", null, gameWord(count.game)),
      number(count.depth),
      number(count.n_nodes),
      number(count.elapsed_ms, 1),
      h("td", { class: "mono position" }, count.position),
    );
  return [
    h(
      "p",
      null,
      t("analyze.signature", {
        n: nNodes.toLocaleString("en"),
        million: (nNodes / Math.max(ms, 0.001) / 1000).toFixed(1),
      }),
    ),
    h(
      "table",
      { class: "tight counts" },
      h("thead", null, h("tr", null, head)),
      h("tbody", null, counts.map(line)),
    ),
  ];
}
