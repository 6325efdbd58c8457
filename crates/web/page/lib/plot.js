// Pictures of numbers, drawn by the page: estimates with their intervals, curves. Each fits the room it has, can be saved
// as SVG and as CSV, and is told in words to those who do not see it.

import { csv } from "./csv.js";
import { download, h, s, svgText } from "./dom.js";
import { t } from "./words.js";

const COLOURS = ["--plot1", "--plot2", "--plot3", "--plot4", "--plot5", "--plot6"].map(
  (name) => `var(${name})`,
);

/** The colour of the nth thing in a picture. */
export function colour(n) {
  return COLOURS[n % COLOURS.length];
}

/** Few digits that say enough: 0.0141, 23.3, 1,204. */
export function short(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString("en");
  if (size >= 100) return value.toFixed(0);
  return Number(value.toPrecision(3)).toString();
}

/** How many decimals a number with this half of its interval deserves: two digits of the interval, none that say nothing. */
export function decimalsFor(half) {
  return half > 0 && Number.isFinite(half)
    ? Math.min(12, Math.max(0, 1 - Math.floor(Math.log10(half))))
    : undefined;
}

/** About n round numbers from low to high. */
export function ticks(low, high, n) {
  const rough = (high - low) / Math.max(n, 1) || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step)
    found.push(Math.abs(at) < step * 1e-9 ? 0 : at);
  return found;
}

function range(values) {
  const known = values.filter((value) => Number.isFinite(value));
  if (!known.length) return [0, 1];
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const margin = (high - low || Math.abs(high) || 1) * 0.06;
  return [low - margin, high + margin];
}

/** A frame for a picture: drawn anew when its data or the room change; below it, its files. */
export class Plot {
  constructor(name, { height = 260 } = {}) {
    this.name = name;
    this.height = height;
    this.picture = h("div", { class: "plot-picture", style: { minHeight: `${height}px` } });
    this.element = h(
      "figure",
      { class: "plot" },
      this.picture,
      h(
        "figcaption",
        { class: "row small no-print" },
        h("button", { class: "quiet small", onclick: () => this.saveSvg() }, "SVG ↓"),
        h("button", { class: "quiet small", onclick: () => this.saveCsv() }, "CSV ↓"),
      ),
    );
    new ResizeObserver(() => this.draw()).observe(this.picture);
  }

  /** `make(width)` gives the <svg>; `rows` are what is saved as CSV, the first of them the head. */
  show(make, rows) {
    this.make = make;
    this.rows = rows;
    this.draw();
  }

  draw() {
    const width = this.picture.clientWidth;
    if (!this.make || !width) return;
    const svg = this.make(width);
    this.picture.style.minHeight = `${svg.getAttribute("height")}px`;
    this.picture.replaceChildren(svg);
    // What is wider than its room begins in the middle: a lattice has its first game there.
    this.picture.scrollLeft = (this.picture.scrollWidth - width) / 2;
  }

  saveSvg() {
    const svg = this.picture.querySelector("svg");
    if (svg) download(`${this.name}.svg`, svgText(svg), "image/svg+xml");
  }

  saveCsv() {
    download(`${this.name}.csv`, csv(this.rows ?? []), "text/csv");
  }
}

function frame(width, height, label) {
  return s("svg", {
    width,
    height,
    "viewBox": `0 0 ${width} ${height}`,
    "role": "img",
    "aria-label": label,
    "class": "plot-svg",
  });
}

function text(x, y, anchor, words, attributes) {
  return s("text", { x, y, "text-anchor": anchor, "dominant-baseline": "middle", ...attributes }, words);
}

/** Estimates one under another: rows are { label, value, low, high, group }. */
export function dots(rows, { label, format = short }) {
  return (width) => {
    const [row, top, bottom] = [26, 8, 34];
    const left = Math.min(Math.max(...rows.map((each) => wide(each.label)), 4) * 7.2 + 14, width * 0.42);
    const right = 64;
    const height = top + rows.length * row + bottom;
    const svg = frame(
      width,
      height,
      `${label}: ${rows.map((each) => `${each.label} ${format(each.value)}`).join("; ")}`,
    );
    const [low, high] = range(rows.flatMap((each) => [each.value, each.low, each.high]));
    const x = (value) => left + ((value - low) / (high - low)) * (width - left - right);
    const base = top + rows.length * row;
    for (const tick of ticks(low, high, Math.max(2, (width - left) / 90))) {
      svg.append(
        s("line", { x1: x(tick), x2: x(tick), y1: top, y2: base, class: "plot-grid" }),
        text(x(tick), base + 12, "middle", format(tick), { class: "plot-tick" }),
      );
    }
    svg.append(text((left + width - right) / 2, height - 8, "middle", label, { class: "plot-label" }));
    rows.forEach((each, at) => {
      const y = top + at * row + row / 2;
      svg.append(text(left - 10, y, "end", cut(each.label, left - 14), { class: "plot-name" }));
      if (!Number.isFinite(each.value)) return;
      const ink = colour(each.group ?? 0);
      if (Number.isFinite(each.low)) {
        const [from, to] = [x(each.low), x(each.high)];
        svg.append(
          s("path", {
            d: `M${from} ${y}H${to}M${from} ${y - 4}v8M${to} ${y - 4}v8`,
            style: { stroke: ink, strokeWidth: "2", fill: "none" },
          }),
        );
      }
      svg.append(
        s("circle", { cx: x(each.value), cy: y, r: 4.5, style: { fill: ink } }),
        text(width - right + 6, y, "start", format(each.value), { class: "plot-name" }),
      );
    });
    return svg;
  };
}

/** Kanji take two places. */
function wide(words) {
  return [...words].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 1.8 : 1), 0);
}

/** As much of a name as there is room for; a short last word stays, as it may be all that tells two names apart. */
function cut(words, room) {
  if (wide(words) * 7.2 <= room) return words;
  const last = / \S{1,6}$/.exec(words)?.[0] ?? "";
  const letters = [...words.slice(0, words.length - last.length)];
  while (letters.length > 3 && wide(`${letters.join("")}…${last}`) * 7.2 > room) letters.pop();
  return `${letters.join("")}…${last}`;
}

/** Curves: series are { name, x: [], y: [] }; names stand at the ends of their curves. */
export function curves(series, { xLabel, yLabel, format = short, height = 300 }) {
  return (width) => {
    const [left, top, bottom] = [52, 22, 40];
    const names = series.map((each) => each.name);
    const right = Math.min(Math.max(...names.map(wide), 2) * 7 + 14, width * 0.3);
    const svg = frame(
      width,
      height,
      `${yLabel}: ${series.map((each) => `${each.name} ${format(each.y.at(-1))}`).join("; ")}`,
    );
    const [lowX, highX] = [
      Math.min(...series.map((each) => each.x[0] ?? 0)),
      Math.max(...series.map((each) => each.x.at(-1) ?? 1), 1),
    ];
    const [lowY, highY] = range(series.flatMap((each) => each.y));
    const x = (value) => left + ((value - lowX) / (highX - lowX || 1)) * (width - left - right);
    const y = (value) => height - bottom - ((value - lowY) / (highY - lowY)) * (height - top - bottom);
    for (const tick of ticks(lowY, highY, 5)) {
      svg.append(
        s("line", { x1: left, x2: width - right, y1: y(tick), y2: y(tick), class: "plot-grid" }),
        text(left - 6, y(tick), "end", format(tick), { class: "plot-tick" }),
      );
    }
    for (const tick of ticks(lowX, highX, Math.max(2, (width - left - right) / 90))) {
      svg.append(text(x(tick), height - bottom + 14, "middle", format(tick), { class: "plot-tick" }));
    }
    svg.append(
      text((left + width - right) / 2, height - 8, "middle", xLabel, { class: "plot-label" }),
      text(4, 9, "start", yLabel, { class: "plot-label" }),
    );
    const ends = [];
    series.forEach((each, at) => {
      if (!each.x.length) return;
      const points = each.x.map((value, n) => `${x(value).toFixed(1)},${y(each.y[n]).toFixed(1)}`).join(" ");
      const dash = ["", "6 3", "2 3"][Math.floor(at / COLOURS.length) % 3];
      svg.append(
        s("polyline", {
          points,
          "stroke-dasharray": dash || undefined,
          "style": { stroke: colour(at), strokeWidth: "2", fill: "none" },
        }),
      );
      ends.push({ at, name: each.name, y: y(each.y.at(-1)), x: x(each.x.at(-1)) });
    });
    // Names that would cover each other are moved apart, from the highest down.
    ends
      .sort((a, b) => a.y - b.y)
      .forEach((end, n) => {
        end.place = Math.max(end.y, n ? ends[n - 1].place + 14 : top);
      });
    const over = Math.max(0, (ends.at(-1)?.place ?? 0) - (height - bottom));
    for (const end of ends) {
      svg.append(
        text(width - right + 6, end.place - over, "start", cut(end.name, right - 6), {
          class: "plot-name",
          style: { fill: colour(end.at) },
        }),
      );
    }
    return svg;
  };
}

/** Bars standing beside each other: bars are { label, value }. */
export function bars(all, { label, format = short, height = 220 }) {
  return (width) => {
    const [left, top, bottom] = [48, 10, 44];
    const svg = frame(
      width,
      height,
      `${label}: ${all.map((each) => `${each.label} ${format(each.value)}`).join("; ")}`,
    );
    const high = Math.max(...all.map((each) => each.value), 1e-9);
    const step = (width - left - 8) / Math.max(all.length, 1);
    const y = (value) => height - bottom - (value / high) * (height - top - bottom);
    for (const tick of ticks(0, high, 4)) {
      svg.append(
        s("line", { x1: left, x2: width - 8, y1: y(tick), y2: y(tick), class: "plot-grid" }),
        text(left - 6, y(tick), "end", format(tick), { class: "plot-tick" }),
      );
    }
    const every = Math.max(1, Math.ceil(44 / step));
    all.forEach((each, at) => {
      const bar = s("rect", {
        x: left + at * step + step * 0.1,
        y: y(each.value),
        width: Math.max(step * 0.8, 1),
        height: height - bottom - y(each.value),
        style: { fill: colour(each.group ?? 0) },
      });
      bar.append(s("title", null, `${each.label}: ${format(each.value)}`));
      svg.append(bar);
      if (at % every === 0)
        svg.append(
          text(left + (at + 0.5) * step, height - bottom + 12, "middle", each.label, { class: "plot-tick" }),
        );
    });
    svg.append(text(width / 2, height - 10, "middle", label, { class: "plot-label" }));
    return svg;
  };
}

/** What to say while there is nothing to draw. */
export function nothingYet() {
  return h("p", { class: "faint" }, t("loading"));
}
