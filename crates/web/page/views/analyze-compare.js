// Runs beside each other: the same measure of all their cells, and which differ by more than chance.

import { api } from "../lib/api.js";
import { csv } from "../lib/csv.js";
import { download, h, select } from "../lib/dom.js";
import { knowNames } from "../lib/job.js";
import { Plot, dots } from "../lib/plot.js";
import { t } from "../lib/words.js";
import { cellName, formatter, measureName, withInterval } from "./analyze-measures.js";

export async function showComparison(root, ids) {
  const [catalogue, , ...jobs] = await Promise.all([
    api.get("catalogue"),
    knowNames(),
    ...ids.map((id) => api.get(`jobs/${id}`)),
  ]);
  const plot = new Plot(`compare-${ids.join("-")}`);
  const table = h("div", { class: "scroll" });
  const choice = select(
    catalogue.measures.map((each) => [each.symbol, measureName(each)]),
    "E",
    draw,
  );
  root.append(
    h("p", null, h("a", { href: "#/analyze" }, `← ${t("shell.analyze")}`)),
    h("h1", null, t("analyze.comparison")),
    h("section", { class: "card" }, choice, plot.element, table),
  );
  const cells = jobs.flatMap((job, at) => (job.progress.cells ?? []).map((cell) => ({ job, at, cell })));

  function draw() {
    const about = catalogue.measures.find((each) => each.symbol === choice.value);
    const format = formatter(about);
    const rows = cells.map(({ job, at, cell }) => ({
      label: `#${job.id} ${cellName(cell)}`,
      run: `#${job.id}`,
      cell: cellName(cell),
      group: at,
      ...cell.estimates.find((each) => each.measure === about.symbol),
    }));
    if (!rows.length) return table.replaceChildren(h("p", { class: "faint" }, t("analyze.nothingToCompare")));
    plot.show(dots(rows, { label: measureName(about), format }), [
      ["run", "value", "low", "high"],
      ...rows.map((row) => [row.label, row.value, row.low, row.high]),
    ]);
    table.replaceChildren(...differences(rows, about, `compare-${ids.join("-")}`));
  }
  draw();
}

/** Every two rows: their difference with its interval. What was measured twice comes first; the rest is there to be opened. */
function differences(rows, measure, name) {
  const half = (row) => (row.high - row.low) / 2;
  const lines = rows
    .flatMap((a, at) =>
      rows.slice(at + 1).map((b) => {
        const [difference, reach] = [b.value - a.value, Math.hypot(half(a), half(b))];
        return { a, b, difference, reach, isClear: Math.abs(difference) > reach, isSame: a.cell === b.cell };
      }),
    )
    .filter((line) => Number.isFinite(line.reach));
  const [same, others] = [lines.filter((line) => line.isSame), lines.filter((line) => !line.isSame)];
  const save = () =>
    download(
      `${name}-differences.csv`,
      csv([
        ["first", "second", "difference", "half of the 95% interval", "beyond chance"],
        ...lines.map((line) => [line.a.label, line.b.label, line.difference, line.reach, line.isClear]),
      ]),
      "text/csv",
    );
  return [
    same.length ? [h("h2", null, t("analyze.sameCells")), tableOf(same, measure)] : [],
    others.length
      ? h(
          "details",
          { open: !same.length },
          h("summary", null, t("analyze.otherCells", { n: others.length })),
          tableOf(others.slice(0, 200), measure),
        )
      : [],
    h("button", { class: "quiet small", onclick: save }, "CSV ↓"),
  ].flat();
}

function tableOf(lines, measure) {
  const head = ["first", "second", "difference", "clear"].map((key) =>
    h("th", { scope: "col", class: key === "difference" ? "number" : "" }, t(`analyze.${key}`)),
  );
  return h(
    "table",
    { class: "tight compared" },
    h("thead", null, h("tr", null, head)),
    h(
      "tbody",
      null,
      lines.map((line) =>
        h(
          "tr",
          null,
          h("td", null, line.a.label),
          h("td", null, line.isSame ? line.b.run : line.b.label),
          h("td", { class: "number" }, withInterval(measure, line.difference, line.reach).join(" ±")),
          h("td", null, line.isClear ? t("analyze.yes") : t("analyze.no")),
        ),
      ),
    ),
  );
}
