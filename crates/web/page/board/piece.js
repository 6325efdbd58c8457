// A piece as SVG in a box of 100 by 100 around its middle: chess shapes in a side's colours, pentagons, round discs.

import { s } from "/lib/dom.js";
import { SHAPES, shapeOf } from "./art.js";
import { kindAt } from "./names.js";

const CREAM = { fill: "#fffaf0", stroke: "#2a211a", detail: "#2a211a" };
const EBONY = { fill: "#38302a", stroke: "#15100c", detail: "#f3e6d0" };
const PAINTS = {
  white: CREAM,
  black: EBONY,
  red: { fill: "#d2433a", stroke: "#4f0f0b", detail: "#fff0ea" },
  green: { fill: "#37965a", stroke: "#0d3a20", detail: "#eefff4" },
  yellow: { fill: "#f2c53d", stroke: "#4d3a00", detail: "#4d3a00" },
  blue: { fill: "#3f78c4", stroke: "#0c2750", detail: "#eef5ff" },
};
/** Colours of sides that are named after something else: Cho's men are green, Han's red. */
const COLOURS = { cho: "green", han: "red" };
const SEATS = [[CREAM, EBONY], ["red", "green", "yellow", "blue"].map((name) => PAINTS[name])];
const SERIF = "'Noto Serif CJK JP', 'Noto Serif JP', 'Hiragino Mincho ProN', 'Yu Mincho', 'Songti SC', serif";
const SANS = "system-ui, 'Noto Sans', sans-serif";

function colourOf(sheet, side) {
  const name = sheet.sides[side].name.toLowerCase();
  return COLOURS[name] ?? name;
}

/** The colours of a side: the one it is named after, else light and dark, or those of four seats. */
export function paintOf(sheet, side) {
  return PAINTS[colourOf(sheet, side)] ?? SEATS[sheet.sides.length === 2 ? 0 : 1][side % 4];
}

/** A side's colour with text on it, as a style: black moves first in shogi, red in xiangqi. */
export function lookOf(sheet, side) {
  const { fill, detail } = paintOf(sheet, side);
  return { background: fill, color: detail };
}

/** Which set is meant by "auto": the signs that the game itself uses. */
export function setOf(sheet, wished) {
  return sheet.look === "chess" ? "western" : wished === "western" ? "western" : "kanji";
}

/** Whether a sheet can be shown with either set. */
export function hasSets(sheet) {
  return sheet.look !== "chess";
}

function part([type, ...given], paint, width) {
  const [d, y, r] = given;
  switch (type) {
    case "body":
      return s("path", {
        d,
        "fill": paint.fill,
        "stroke": paint.stroke,
        "stroke-width": width,
        "stroke-linejoin": "round",
      });
    case "ball":
      return s("circle", {
        "cx": d,
        "cy": y,
        r,
        "fill": paint.fill,
        "stroke": paint.stroke,
        "stroke-width": width,
      });
    case "dot":
      return s("circle", { cx: d, cy: y, r, fill: paint.detail });
    case "solid":
      return s("path", { d, fill: paint.detail });
    case "tusk":
      return s("path", {
        d,
        "fill": "none",
        "stroke": "#fffaf0",
        "stroke-width": 5,
        "stroke-linecap": "round",
      });
    case "bold":
      return s("path", {
        d,
        "fill": "none",
        "stroke": paint.detail,
        "stroke-width": 6,
        "stroke-linecap": "round",
      });
    default:
      return s("path", {
        d,
        "fill": "none",
        "stroke": paint.detail,
        "stroke-width": 3.2,
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
      });
  }
}

/** A shape of `art.js`, its middle at 0, 0. */
export function shape(name, paint, scale = 0.98) {
  return s(
    "g",
    { transform: `scale(${scale}) translate(-50 -50)` },
    SHAPES[name].map((one) => part(one, paint, 3.4)),
  );
}

function text(content, { size, fill, family = SERIF, dy = 0, weight = 700 }) {
  return s(
    "text",
    {
      "text-anchor": "middle",
      "dominant-baseline": "central",
      "y": dy,
      "font-size": size,
      "font-weight": weight,
      "font-family": family,
      fill,
    },
    content,
  );
}

/** A kind without a shape: a disc with its letter. */
function disc(kind, paint) {
  const letter = kind.letter.replace("+", "");
  return s(
    "g",
    null,
    s("circle", { "r": 38, "fill": paint.fill, "stroke": paint.stroke, "stroke-width": 3.6 }),
    s("circle", { "r": 31, "fill": "none", "stroke": paint.detail, "stroke-width": 1.6, "opacity": 0.6 }),
    text(letter, {
      size: letter.length > 1 ? 34 : 44,
      fill: kind.promoted ? "#c22f1d" : paint.detail,
      family: SANS,
    }),
  );
}

const PENTAGON = "M0 -45 L27 -35 L38 43 H-38 L-27 -35 Z";
const WOOD = { fill: "#f7dfae", stroke: "#6d4a1c" };

/** The ways of a kind as little marks around its letter: a dot for a step, a line for a slide, a ring for a leap. */
function ways(sheet, index) {
  const moves = sheet.pieces?.find((one) => kindAt(sheet, one.kind) === sheet.kinds[index]);
  if (!moves?.targets) return [];
  const [x0, y0] = moves.at;
  const seen = new Map();
  for (const { x, y, how } of moves.targets) {
    const [dx, dy] = [x - x0, y - y0];
    const [ux, uy] = [Math.sign(dx), Math.sign(dy)];
    const isLine = dx === 0 || dy === 0 || Math.abs(dx) === Math.abs(dy);
    const key = isLine ? `${ux},${uy}` : `${dx},${dy}`;
    const far = isLine && Math.max(Math.abs(dx), Math.abs(dy)) > 1;
    const before = seen.get(key);
    const slides = Boolean(before?.slides) || (far && how === "slide");
    const leaps = !isLine || ((before?.leaps ?? true) && far);
    seen.set(key, { ux: isLine ? ux : dx / 2, uy: isLine ? uy : dy / 2, slides, leaps });
  }
  return [...seen.values()].map(({ ux, uy, slides, leaps }) => {
    const [x, y] = [ux * 21, uy * 26 + 6];
    if (slides)
      return s("path", {
        "d": `M${x} ${y} l${ux * 8} ${uy * 8}`,
        "stroke": "#8a3b12",
        "stroke-width": 4.5,
        "stroke-linecap": "round",
      });
    return s("circle", {
      "cx": x,
      "cy": y,
      "r": leaps ? 3.6 : 3.8,
      "fill": leaps ? "none" : "#8a3b12",
      "stroke": "#8a3b12",
      "stroke-width": leaps ? 2.2 : 0,
    });
  });
}

function pentagon(sheet, index, side, set) {
  const kind = sheet.kinds[index];
  const ink = kind.promoted ? "#c0301c" : "#1d1611";
  const face =
    set === "kanji" && kind.kanji
      ? kanji(kind, side, ink)
      : [
          ways(sheet, index),
          text(kind.letter.replace("+", ""), { size: 36, fill: ink, family: SANS, dy: 6, weight: 800 }),
        ];
  const scale = kind.royal ? 1 : kind.name === "pawn" ? 0.9 : 0.95;
  return s(
    "g",
    { transform: `scale(${scale})` },
    s("path", { "d": PENTAGON, ...WOOD, "stroke-width": 2.4, "stroke-linejoin": "round" }),
    s("path", { d: "M-38 43 L-36.4 38 H36.4 L38 43 Z", fill: "#c79a57" }),
    face,
  );
}

function kanji(kind, side, fill) {
  const sign = kind.kanji[side] ?? kind.kanji[0];
  const signs = [...sign];
  if (signs.length === 1) return text(sign, { size: 52, fill, dy: 2 });
  return [text(signs[0], { size: 34, fill, dy: -13 }), text(signs[1], { size: 34, fill, dy: 21 })];
}

const INKS = {
  red: "#b3211b",
  black: "#17231d",
  green: "#176437",
  blue: "#1f4f96",
  white: "#5a5048",
  yellow: "#8a6400",
};
const SEAT_INKS = [INKS.red, INKS.black, INKS.green, INKS.blue];

function round(sheet, index, side, set) {
  const kind = sheet.kinds[index];
  const ink = INKS[colourOf(sheet, side)] ?? SEAT_INKS[side % 4];
  const name = shapeOf(kind);
  const face =
    set === "western" && name
      ? shape(name, { fill: "#fff8e8", stroke: ink, detail: ink }, 0.66)
      : kind.kanji
        ? text(kind.kanji[side] ?? kind.kanji[0], { size: 46, fill: ink, dy: 1 })
        : text(kind.letter, { size: 42, fill: ink, family: SANS });
  return s(
    "g",
    null,
    s("circle", { r: 42, cy: 2.5, fill: "#8d6430" }),
    s("circle", { "r": 42, "fill": "#fbeac6", "stroke": "#7a5524", "stroke-width": 2 }),
    s("circle", { "r": 35, "fill": "none", "stroke": ink, "stroke-width": 2.2 }),
    face,
  );
}

/** A piece; `set` is "kanji" or "western", `quarters` how far it looks away from the one who sits below. */
export function drawPiece(sheet, kindGiven, side, { set = "auto", quarters = 0 } = {}) {
  const kind = kindAt(sheet, kindGiven);
  const index = sheet.kinds.indexOf(kind);
  const chosen = setOf(sheet, set);
  if (sheet.look === "shogi")
    return s("g", { transform: `rotate(${quarters * 90})` }, pentagon(sheet, index, side, chosen));
  if (sheet.look === "xiangqi") return round(sheet, index, side, chosen);
  const name = shapeOf(kind);
  return name ? shape(name, paintOf(sheet, side)) : disc(kind, paintOf(sheet, side));
}
