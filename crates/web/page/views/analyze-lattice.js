// Every game between an old one and a new one as a lattice: the old game at the top, one change more on every line below.
// The darker a game, the more it has of the measure; lines join games that differ by one change.

import { h, s } from "../lib/dom.js";
import { said } from "../lib/library.js";
import { t } from "../lib/words.js";
import { withInterval } from "./analyze-measures.js";

const [HIGH, DOWN, LEAST] = [44, 84, 58];

/** "shatranj + ab" has the changes "ab". */
const changesOf = (cell) => [...(/ \+ ([a-z]+)$/.exec(cell.name)?.[1] ?? "")];

/** Cells as nodes with their place: line by the number of changes, side by side in the order of the letters. */
function arrange(cells, measure, width) {
  const nodes = cells.map((cell) => ({
    cell,
    changes: changesOf(cell),
    ...cell.estimates.find((one) => one.measure === measure.symbol),
  }));
  const lines = new Map();
  for (const node of nodes) lines.set(node.changes.length, [...(lines.get(node.changes.length) ?? []), node]);
  const most = Math.max(...[...lines.values()].map((line) => line.length));
  const wide = Math.min(108, Math.max(LEAST, width / most - 8));
  const whole = Math.max(width, most * (wide + 8));
  for (const [level, line] of lines) {
    line.sort((a, b) => a.changes.join("").localeCompare(b.changes.join("")));
    line.forEach((node, at) =>
      Object.assign(node, { x: (whole * (at + 0.5)) / line.length, y: HIGH / 2 + 6 + level * DOWN }),
    );
  }
  return { nodes, wide, whole, height: Math.max(...lines.keys()) * DOWN + HIGH + 12 };
}

const isStep = (a, b) =>
  b.changes.length === a.changes.length + 1 && a.changes.every((change) => b.changes.includes(change));

function drawNode(node, { low, high, wide, measure, base, tell }) {
  const share = high > low ? (node.value - low) / (high - low) : 0;
  const name = node.changes.join("") || base;
  const [value, half] = withInterval(measure, node.value, (node.high - node.low) / 2);
  const box = { x: node.x - wide / 2, y: node.y - HIGH / 2, width: wide, height: HIGH, rx: 8 };
  const words = (text, dy, given) =>
    s(
      "text",
      {
        "x": node.x,
        "y": node.y + dy,
        "text-anchor": "middle",
        "dominant-baseline": "middle",
        "class": share > 0.55 ? "on-dark" : "",
        ...given,
      },
      text,
    );
  return s(
    "g",
    {
      "class": "lattice-node",
      "tabindex": 0,
      "role": "img",
      "aria-label": `${name}: ${value}${half ? ` ± ${half}` : ""}`,
      "onmouseenter": () => tell(node),
      "onfocus": () => tell(node),
    },
    s("rect", { ...box, class: "under" }),
    s("rect", { ...box, class: "over", opacity: Number.isFinite(share) ? 0.06 + 0.94 * share : 0 }),
    words(name, -9, { "font-weight": 600 }),
    words(value, 11, { class: share > 0.55 ? "value on-dark" : "value" }),
  );
}

/** The picture, to be given to a Plot; `told` is an element that says more of the game under the pointer. */
export function latticePicture(cells, measure, evolution, told) {
  return (width) => {
    const { nodes, wide, whole, height } = arrange(cells, measure, width);
    const values = nodes.map((node) => node.value).filter(Number.isFinite);
    const tell = (node) => {
      const names = node.changes.map((letter) =>
        said(evolution.changes[letter.charCodeAt(0) - 97]?.about ?? letter),
      );
      const [value, half] = withInterval(measure, node.value, (node.high - node.low) / 2);
      told.replaceChildren(
        h("strong", null, `${value}${half ? ` ±${half}` : ""} `),
        names.join("; ") || t("analyze.unchanged"),
      );
      svg
        .querySelectorAll("line")
        .forEach((line) =>
          line.classList.toggle("near", line.dataset.ends.split(",").includes(String(nodes.indexOf(node)))),
        );
    };
    const lines = nodes.flatMap((a, from) =>
      nodes.flatMap((b, to) =>
        isStep(a, b)
          ? [
              s("line", {
                "class": "step",
                "x1": a.x,
                "y1": a.y + HIGH / 2,
                "x2": b.x,
                "y2": b.y - HIGH / 2,
                "data-ends": `${from},${to}`,
              }),
            ]
          : [],
      ),
    );
    const given = { low: Math.min(...values), high: Math.max(...values), wide, measure, base: "–", tell };
    const svg = s(
      "svg",
      {
        "class": "plot-svg lattice",
        "width": whole,
        height,
        "viewBox": `0 0 ${whole} ${height}`,
        "role": "group",
        "aria-label": t("analyze.lattice"),
      },
      lines,
      nodes.map((node) => drawNode(node, given)),
    );
    return svg;
  };
}

/** What the letters stand for. */
export function latticeLegend(evolution) {
  return h(
    "ul",
    { class: "lattice-legend small" },
    h("li", null, h("b", null, "–"), " ", t("analyze.unchanged")),
    evolution.changes.map((change, at) =>
      h("li", null, h("b", null, String.fromCharCode(97 + at)), " ", said(change.about)),
    ),
  );
}
