// Small plots: bars and lines with an axis, as SVG that the page's colours dress; saved as SVG and CSV.

import { showError } from "/lib/api.js";
import { download, h, s, svgText } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { csv } from "/lib/csv.js";
import { number } from "./records-common.js";

const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [260, 58, 14, 12, 44];

/** Round steps up to at least `most`. */
function steps(most, n = 4) {
  const rough = Math.max(most, 1e-9) / n;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((digit) => digit * power).find((size) => size >= rough);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, at) => at * step);
}

function frame(most, format, width) {
  const ticks = steps(most);
  const top = ticks.at(-1);
  const y = (value) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - BOTTOM - TOP);
  const lines = ticks.map((tick) =>
    s(
      "g",
      null,
      s("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(tick), y2: y(tick) }),
      s(
        "text",
        {
          "class": "tick",
          "x": LEFT - 8,
          "y": y(tick),
          "text-anchor": "end",
          "dominant-baseline": "central",
        },
        format(tick),
      ),
    ),
  );
  return { y, lines };
}

/** Bars: rows of { label, value }; labels are thinned out where they would touch. */
export function bars({ name, title, xLabel, rows, columns, table, format = number }) {
  const draw = (width) => {
    const { y, lines } = frame(Math.max(...rows.map((row) => row.value), 1), format, width);
    const room = (width - LEFT - RIGHT) / rows.length;
    const every = Math.ceil((Math.max(...rows.map((row) => places(String(row.label))), 1) * 8 + 8) / room);
    const drawn = rows.map(({ label, value, hint }, at) =>
      s(
        "g",
        null,
        s(
          "rect",
          {
            class: "bar",
            x: LEFT + at * room + room * 0.12,
            width: room * 0.76,
            y: y(value),
            height: Math.max(0, y(0) - y(value)),
            rx: Math.min(3, room * 0.2),
          },
          s("title", null, `${hint ?? label}: ${format(value)}`),
        ),
        at % every === 0 &&
          s(
            "text",
            {
              "class": "tick",
              "x": LEFT + (at + 0.5) * room,
              "y": HEIGHT - BOTTOM + 18,
              "text-anchor": "middle",
            },
            label,
          ),
      ),
    );
    return [...lines, ...drawn];
  };
  return figure({
    name,
    title,
    xLabel,
    columns,
    table: table ?? rows.map((row) => [row.label, row.value]),
    draw,
  });
}

/** How many places of a line a text takes; kanji take two. */
const places = (text) => [...text].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 1.7 : 1), 0);

/** A line through points [x, y], with dots. */
export function line({ name, title, xLabel, points, columns, table, format = number }) {
  const draw = (width) => {
    const { y, lines } = frame(Math.max(...points.map((point) => point[1]), 1e-6), format, width);
    const ticks = steps(Math.max(...points.map((point) => point[0]), 1));
    const most = ticks.at(-1);
    const x = (value) => LEFT + (value / most) * (width - LEFT - RIGHT);
    const below = ticks.map((tick) =>
      s(
        "text",
        { "class": "tick", "x": x(tick), "y": HEIGHT - BOTTOM + 18, "text-anchor": "middle" },
        number(tick),
      ),
    );
    const path = s("polyline", {
      class: "curve",
      points: points.map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`).join(" "),
    });
    const dots = points.map(([a, b]) =>
      s(
        "circle",
        { class: "dot-of-plot", cx: x(a), cy: y(b), r: 3.5 },
        s("title", null, `${number(a)}: ${format(b)}`),
      ),
    );
    return [...lines, ...below, path, ...dots];
  };
  return figure({ name, title, xLabel, columns, table: table ?? points, draw });
}

/** A picture that is drawn for the room it has, so that its words are as large on a phone as elsewhere. */
function figure({ name, title, xLabel, columns, table, draw }) {
  const svg = s("svg", { "class": "plot", "height": HEIGHT, "role": "img", "aria-label": title });
  const fit = () => {
    const width = Math.max(240, Math.round(svg.parentElement?.clientWidth ?? 0) - 32);
    if (svg.getAttribute("width") === String(width)) return;
    svg.setAttribute("width", width);
    svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    svg.replaceChildren(
      ...draw(width),
      s(
        "text",
        { "class": "axis", "x": (LEFT + width - RIGHT) / 2, "y": HEIGHT - 6, "text-anchor": "middle" },
        xLabel,
      ),
    );
  };
  const card = h(
    "figure",
    { class: "card plot-card" },
    h("figcaption", null, title),
    svg,
    saves(name, svg, [columns, ...table]),
  );
  new ResizeObserver(fit).observe(card);
  return card;
}

/** Buttons that save a picture and the numbers behind it. */
export function saves(name, svg, rows) {
  const saved = async () =>
    download(`${name}.csv`, csv(typeof rows === "function" ? await rows() : rows), "text/csv");
  return h(
    "div",
    { class: "row plot-saves" },
    svg &&
      h(
        "button",
        {
          "class": "quiet small",
          "aria-label": `${t("records.saveSvg")}: ${name}`,
          "onclick": () => download(`${name}.svg`, svgText(svg), "image/svg+xml"),
        },
        "SVG",
      ),
    h(
      "button",
      {
        "class": "quiet small",
        "aria-label": `${t("records.saveCsv")}: ${name}`,
        "onclick": () => saved().catch(showError),
      },
      "CSV",
    ),
  );
}
