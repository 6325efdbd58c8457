// Runs beside each other: the same measure of all their cells, and which differ by more than chance.

import { api } from "../lib/api.js";
import { h, select } from "../lib/dom.js";
import { Plot, dots } from "../lib/plot.js";
import { t } from "../lib/words.js";
import { cellName, formatter, measureName, withInterval } from "./analyze-measures.js";

export async function showComparison(root, ids) {
  const [catalogue, ...jobs] = await Promise.all([api.get("catalogue"), ...ids.map((id) => api.get(`jobs/${id}`))]);
  const plot = new Plot(`compare-${ids.join("-")}`);
  const table = h("div", { class: "scroll" });
  const choice = select(catalogue.measures.map((each) => [each.symbol, measureName(each)]), "E", draw);
  root.append(h("p", null, h("a", { href: "#/analyze" }, `← ${t("shell.analyze")}`)), h("h1", null, t("analyze.comparison")),
    h("section", { class: "card" }, choice, plot.element, table));
  const cells = jobs.flatMap((job, at) => (job.progress.cells ?? []).map((cell) => ({ job, at, cell })));

  function draw() {
    const about = catalogue.measures.find((each) => each.symbol === choice.value);
    const format = formatter(about);
    const rows = cells.map(({ job, at, cell }) => ({ label: `#${job.id} ${cellName(cell)}`, group: at, ...cell.estimates.find((each) => each.measure === about.symbol) }));
    if (!rows.length) return table.replaceChildren(h("p", { class: "faint" }, t("analyze.nothingToCompare")));
    plot.show(dots(rows, { label: measureName(about), format }), [["run", "value", "low", "high"], ...rows.map((row) => [row.label, row.value, row.low, row.high])]);
    table.replaceChildren(differences(rows, about));
  }
  draw();
}

/** Every two rows: their difference with its interval; a star where that leaves out nothing. */
function differences(rows, measure) {
  const half = (row) => (row.high - row.low) / 2;
  const lines = rows.flatMap((a, at) => rows.slice(at + 1).map((b) => {
    const [difference, reach] = [b.value - a.value, Math.hypot(half(a), half(b))];
    return { a, b, difference, reach, isClear: Math.abs(difference) > reach };
  })).filter((line) => Number.isFinite(line.reach)).slice(0, 60);
  return h("table", null, h("thead", null, h("tr", null, h("th", { scope: "col" }, t("analyze.first")), h("th", { scope: "col" }, t("analyze.second")), h("th", { scope: "col", class: "number" }, t("analyze.difference")), h("th", { scope: "col" }, t("analyze.clear")))),
    h("tbody", null, lines.map((line) => h("tr", null, h("td", null, line.a.label), h("td", null, line.b.label), h("td", { class: "number" }, withInterval(measure, line.difference, line.reach).join(" ±")), h("td", null, line.isClear ? t("analyze.yes") : t("analyze.no"))))));
}
