// How pieces move, as diagrams. What a mark means is told by its shape; colour only helps.

import { h, s } from "../lib/dom.js";
import { t } from "../lib/words.js";
import { kindName } from "../board/names.js";
import { drawPiece } from "../board/piece.js";
import { chosenPieces } from "../board/choice.js";

const CELL = 40;

/** Which mark a target has; the legend has the same names. */
function markOf({ how, when, captures_on_way: capturesOnWay }) {
  if (capturesOnWay) return "way";
  if (how === "hop") return "hop";
  if (when === "screen") return "screen";
  if (when === "first") return "first";
  if (when === "move") return "move";
  if (when === "capture") return "capture";
  return how === "leap" || how === "ride" ? "leap" : how === "lame" ? "lame" : "both";
}

/** A mark around 0, 0. */
function mark(name) {
  const of = {
    both: () => [s("circle", { class: "solid", r: 8 })],
    leap: () => [s("circle", { class: "solid", r: 6 }), s("circle", { class: "line", r: 11 })],
    lame: () => [s("rect", { class: "solid", x: -7, y: -7, width: 14, height: 14, rx: 2 })],
    move: () => [s("circle", { class: "line thick", r: 8 })],
    capture: () => [s("path", { class: "line thick", d: "M-8 -8 L8 8 M8 -8 L-8 8" })],
    first: () => [s("circle", { class: "line", r: 11 }), s("text", { class: "sign", y: 1 }, "1")],
    way: () => [
      s("circle", { class: "solid", r: 6 }),
      s("path", { class: "line thick", d: "M-11 -4 V-11 H-4 M4 -11 H11 V-4 M11 4 V11 H4 M-4 11 H-11 V4" }),
    ],
    hop: () => [s("path", { class: "solid", d: "M0 -10 L10 0 L0 10 L-10 0 Z" })],
    screen: () => [
      s("circle", { class: "line thick", r: 11 }),
      s("path", { class: "solid", d: "M0 -6 L6 0 L0 6 L-6 0 Z" }),
    ],
  };
  return s("g", { class: `mark mark-${name}` }, of[name]());
}

/** Lines of slides: from the piece to the last square, with an arrow where they go on. */
function lines({ at, targets }) {
  const ends = new Map();
  for (const target of targets.filter((one) => one.step && one.how !== "hop")) {
    const [over, up] = target.step;
    const from = [target.x - at[0], at[1] - target.y];
    // Squares of one line differ by whole steps; a bent ride begins beside the piece.
    const n = over ? from[0] / over : from[1] / up;
    const start = [from[0] - over * Math.round(n), from[1] - up * Math.round(n)];
    const key = `${target.step}:${start}`;
    const known = ends.get(key);
    if (!known || n > known.n)
      ends.set(key, { n, target, start, step: target.step, isRide: target.how === "ride" });
  }
  return [...ends.values(), ...limited(at, targets)].map((end) => line(at, end));
}

/** Slides that end by a rule of their own: their last square has no step to go on with. */
function limited(at, targets) {
  const last = targets.filter((one) => one.how === "slide" && !one.step);
  return last.map((target) => ({
    target,
    start: [0, 0],
    step: [Math.sign(target.x - at[0]), Math.sign(at[1] - target.y)],
    isRide: false,
  }));
}

function line(at, { target, step: [over, up], start, isRide }) {
  const centre = (x, y) => [(x + 0.5) * CELL, (y + 0.5) * CELL];
  const [x1, y1] = centre(at[0] + start[0], at[1] - start[1]);
  let [x2, y2] = centre(target.x, target.y);
  const length = Math.hypot(over, up);
  const [ux, uy] = [over / length, -up / length];
  if (target.goes_on) [x2, y2] = [x2 + ux * CELL * 0.42, y2 + uy * CELL * 0.42];
  const head =
    target.goes_on &&
    s("path", {
      class: "head",
      d: `M${x2} ${y2} L${x2 - ux * 10 - uy * 6} ${y2 - uy * 10 + ux * 6} L${x2 - ux * 10 + uy * 6} ${y2 - uy * 10 - ux * 6} Z`,
    });
  return s(
    "g",
    { class: "way" },
    s("line", {
      class: isRide ? "slide ride" : "slide",
      x1,
      y1,
      x2: x2 - ux * (head ? 8 : 0),
      y2: y2 - uy * (head ? 8 : 0),
    }),
    head,
  );
}

function ground({ n_files, n_ranks }) {
  const cells = [];
  for (let y = 0; y < n_ranks; y += 1) {
    for (let x = 0; x < n_files; x += 1)
      cells.push(
        s("rect", {
          class: (x + y) % 2 ? "cell odd" : "cell",
          x: x * CELL,
          y: y * CELL,
          width: CELL,
          height: CELL,
        }),
      );
  }
  return cells;
}

/** The diagram of one kind as an <svg>. */
export function diagram(sheet, piece) {
  const [x, y] = piece.at;
  const [width, height] = [piece.n_files * CELL, piece.n_ranks * CELL];
  // A square box, so that all diagrams of a page are of one size.
  const side = Math.max(width, height);
  const box = [(width - side) / 2 - 2, (height - side) / 2 - 2, side + 4, side + 4];
  const put = (target) =>
    s(
      "g",
      { transform: `translate(${(target.x + 0.5) * CELL} ${(target.y + 0.5) * CELL})` },
      mark(markOf(target)),
    );
  return s(
    "svg",
    { "class": "diagram", "viewBox": box.join(" "), "role": "img", "aria-label": inWords(sheet, piece) },
    s("g", null, ground(piece)),
    s("g", null, lines(piece)),
    s("g", null, piece.targets.filter(isMarked).map(put)),
    s(
      "g",
      { transform: `translate(${(x + 0.5) * CELL} ${(y + 0.5) * CELL}) scale(${CELL / 76})` },
      drawPiece(sheet, piece.kind, 0, { set: chosenPieces(), quarters: 0 }),
    ),
  );
}

/** On a line that both moves and captures the line itself is enough, except where it ends. */
const isMarked = (target) => !(target.how === "slide" && target.when === "both" && target.step);

/** What the marks say, for people who hear it. */
function inWords(sheet, { kind, targets }) {
  const counts = new Map();
  for (const target of targets) {
    const name = target.how === "slide" && target.when === "both" ? "slide" : markOf(target);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const parts = [...counts].map(([name, n]) => t("games.reaches", { what: t(`games.mark.${name}`), n }));
  return `${kindName(sheet, kind)}: ${parts.join(", ") || t("games.still")}`;
}

/** Marks that are used on a page, with what they say. */
function legend(pieces) {
  const targets = pieces.flatMap((piece) => piece.targets);
  const used = new Set(targets.filter(isMarked).map(markOf));
  const sample = (name) =>
    s(
      "svg",
      { "class": "diagram sample", "viewBox": "-20 -20 40 40", "aria-hidden": true },
      name === "slide"
        ? s(
            "g",
            { class: "way" },
            s("line", { class: "slide", x1: -16, x2: 8, y1: 0, y2: 0 }),
            s("path", { class: "head", d: "M16 0 L6 -6 L6 6 Z" }),
          )
        : mark(name),
    );
  const order = ["slide", "both", "way", "leap", "lame", "move", "capture", "first", "hop", "screen"];
  if (targets.some((target) => target.step)) used.add("slide");
  return h(
    "ul",
    { "class": "legend", "aria-label": t("games.legend") },
    order
      .filter((name) => used.has(name))
      .map((name) => h("li", null, sample(name), t(`games.mark.${name}`))),
  );
}

function figure(sheet, piece) {
  const kind = sheet.kinds[piece.kind];
  const becomes = kind.promoted ? null : sheet.kinds.find((one) => one.letter === `+${kind.letter}`);
  const facts = [
    kind.royal && t("games.royal"),
    kind.value !== null && t("games.value", { n: kind.value }),
    becomes && t("games.becomes", { name: kindName(sheet, sheet.kinds.indexOf(becomes)) }),
    kind.number && t("games.die", { n: kind.number }),
  ];
  const sign = kind.kanji?.[0] ?? kind.symbols?.[0];
  return h(
    "figure",
    { "class": "piece", "data-kind": kind.name },
    diagram(sheet, piece),
    h(
      "figcaption",
      null,
      h("strong", null, kindName(sheet, piece.kind)),
      h(
        "span",
        { class: "faint" },
        ` ${[sign !== kindName(sheet, piece.kind) && sign, kind.letter].filter(Boolean).join(" ")}`,
      ),
      h("span", { class: "faint small facts" }, facts.filter(Boolean).join(" · ")),
    ),
  );
}

/** The diagrams of all kinds, and their legend. */
export function pieces(sheet) {
  return h(
    "div",
    { class: "pieces" },
    legend(sheet.pieces),
    h(
      "div",
      { class: "figures" },
      sheet.pieces.map((piece) => figure(sheet, piece)),
    ),
  );
}
