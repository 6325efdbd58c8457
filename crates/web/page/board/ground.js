// The board itself, without pieces: squares in two colours, or lines on wood, with its coordinates.

import { s } from "/lib/dom.js";
import { language } from "/lib/words.js";
import { labels } from "./geometry.js";
import { landmarks } from "./landmarks.js";
import { ringLabels } from "./ring.js";

const KANJI_NUMBERS = [
  "一",
  "二",
  "三",
  "四",
  "五",
  "六",
  "七",
  "八",
  "九",
  "十",
  "十一",
  "十二",
  "十三",
  "十四",
  "十五",
];

/** Everything that stays as long as the layout does. */
export function drawGround(layout, { coordinates = true } = {}) {
  const { sheet } = layout;
  const draw = sheet.ring
    ? squares
    : ({ chess: squares, shogi: cells, xiangqi: crossings }[sheet.look] ?? squares);
  return s(
    "g",
    { "class": "ground", "aria-hidden": "true" },
    shelves(layout),
    draw(layout),
    coordinates && drawLabels(layout),
  );
}

function drawLabels(layout) {
  if (layout.sheet.ring) return ringLabels(layout);
  return layout.sheet.look === "chess" ? inside(layout) : outside(layout);
}

function shelves(layout) {
  return [0, 1]
    .map((side) => layout.shelf(side))
    .filter(Boolean)
    .map(({ x, y, width, height }) =>
      s("rect", { class: "shelf", x: x + 1, y: y + 1, width: width - 2, height: height - 2, rx: 12 }),
    );
}

function squares(layout) {
  const all = [...layout.squares.values()];
  const drawn = all.map((square) => layout.area(square, { class: square.isDark ? "dark" : "light" }));
  if (all.length === layout.width * layout.height) return drawn;
  return [drawn, all.map((square) => layout.area(square, { class: "edge" }))];
}

function plank({ left, top, width, height, frame }) {
  return s("rect", {
    class: "plank",
    x: left - frame,
    y: top - frame,
    width: width * 100 + 2 * frame,
    height: height * 100 + 2 * frame,
    rx: 10,
  });
}

function cells(layout) {
  const { squares: all, left, top, width, height, sheet } = layout;
  const stars = [];
  const third = [Math.floor(width / 3), Math.floor(height / 3)];
  if (width >= 7 && height >= 7 && sheet.ranks > 6) {
    for (const x of [third[0], width - third[0]])
      for (const y of [third[1], height - third[1]])
        stars.push(s("circle", { class: "star", cx: left + x * 100, cy: top + y * 100, r: 6 }));
  }
  return [
    plank(layout),
    [...all.values()].map(({ x, y }) =>
      s("rect", { class: "cell", x: left + x * 100, y: top + y * 100, width: 100, height: 100 }),
    ),
    all.size === width * height &&
      s("rect", { class: "rim", x: left, y: top, width: width * 100, height: height * 100 }),
    stars,
  ];
}

/** Pieces stand where lines cross: a line joins the middles of neighbours, except across a river. */
function crossings(layout) {
  const { left, top, width, height, squares: all, sheet, view } = layout;
  const at = new Set([...all.values()].map(({ x, y }) => `${x},${y}`));
  const { river, palaces } = landmarks(sheet);
  const bank = river && !(view % 2) ? height / 2 - 1 : -1;
  const lines = [];
  for (const { x, y } of all.values()) {
    const [cx, cy] = [left + x * 100 + 50, top + y * 100 + 50];
    if (at.has(`${x + 1},${y}`)) lines.push(`M${cx} ${cy}h100`);
    if (at.has(`${x},${y + 1}`) && (y !== bank || x === 0 || x === width - 1)) lines.push(`M${cx} ${cy}v100`);
  }
  for (const ends of palaces) {
    const [one, other] = ends.map((square) => layout.middle(square));
    if (one && other) lines.push(`M${one}L${other}`);
  }
  return [
    plank(layout),
    s("path", { class: "crossing", d: lines.join("") }),
    all.size === width * height &&
      s("rect", {
        class: "rim",
        x: left + 38,
        y: top + 38,
        width: width * 100 - 76,
        height: height * 100 - 76,
      }),
  ];
}

function outside(layout) {
  const { left, top, width, frame, sheet, view } = layout;
  const { across, down } = labels(sheet, view);
  const middle = frame / 2;
  const isAbove = sheet.look === "shogi";
  const y = isAbove ? top - middle : top + layout.height * 100 + middle;
  return s(
    "g",
    { class: "labels outside" },
    across.map((label, x) => s("text", { x: left + x * 100 + 50, y }, label)),
    down.map(spoken).map((label, row) =>
      s(
        "text",
        {
          ...narrowed(label, frame),
          x: isAbove ? left + width * 100 + middle : left - middle,
          y: top + row * 100 + 50,
        },
        label,
      ),
    ),
  );
}

/** Two kanji, as the eleventh rank has them, are drawn as narrow as one. */
const narrowed = (label, frame) =>
  /^十./.test(label) ? { textLength: frame * 0.75, lengthAdjust: "spacingAndGlyphs" } : {};

/** Where Japanese is read, ranks with letters have numbers in kanji, as on every shogi diagram. */
function spoken(label) {
  const at = label.charCodeAt(0) - 97;
  return language() === "ja" && at >= 0 && at < KANJI_NUMBERS.length ? KANJI_NUMBERS[at] : label;
}

function inside(layout) {
  const { left, top, sheet, view, squares: all } = layout;
  const { across, down } = labels(sheet, view);
  const bottom = (x) => Math.max(...[...all.values()].filter((one) => one.x === x).map((one) => one.y));
  const first = (y) => Math.min(...[...all.values()].filter((one) => one.y === y).map((one) => one.x));
  const isDark = (x, y) => [...all.values()].find((one) => one.x === x && one.y === y)?.isDark;
  const tone = (x, y) => (isDark(x, y) ? "on-dark" : "on-light");
  return s(
    "g",
    { class: "labels inside" },
    across.map(
      (label, x) =>
        Number.isFinite(bottom(x)) &&
        s(
          "text",
          {
            "class": tone(x, bottom(x)),
            "x": left + x * 100 + 95,
            "y": top + bottom(x) * 100 + 94,
            "text-anchor": "end",
          },
          label,
        ),
    ),
    down.map((label, y) =>
      Number.isFinite(first(y))
        ? s("text", { class: tone(first(y), y), x: left + first(y) * 100 + 5, y: top + y * 100 + 20 }, label)
        : null,
    ),
  );
}
