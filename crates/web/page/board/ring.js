// Boards whose ranks are rings, drawn round: files are sectors, the first rank is the outer ring. The middle of the strip
// lies at the bottom, where the first side sits.

import { s } from "/lib/dom.js";

/** The middle of the board is empty, so that squares of the inner ring are not too narrow for a piece. */
const INNER = 1.7;

/** How wide and high a round board is, in squares. */
export const across = (sheet) => 2 * (INNER + sheet.ranks);

/** Where a square is: its angle from the bottom, to the right, and the radii of its edges. */
function sector({ column, row }, { sheet, view }) {
  const width = (2 * Math.PI) / sheet.files;
  const angle = (column - (sheet.files - 1) / 2) * width + (view === 2 ? Math.PI : 0);
  const inner = (INNER + row) * 100;
  return { angle, width, inner, outer: inner + 100 };
}

function at(layout, angle, radius) {
  const centre = layout.width * 50;
  return [
    layout.left + centre + radius * Math.sin(angle),
    layout.top + centre + radius * Math.cos(angle),
  ].map((n) => Math.round(n * 10) / 10);
}

/** The middle of a square. */
export function ringMiddle(square, layout) {
  const { angle, inner, outer } = sector(square, layout);
  return at(layout, angle, (inner + outer) / 2);
}

/** The outline of a square. */
export function ringOutline(square, layout) {
  const { angle, width, inner, outer } = sector(square, layout);
  const [left, right] = [angle - width / 2, angle + width / 2];
  const arc = (radius, sweep) => `A${radius} ${radius} 0 0 ${sweep}`;
  return [
    `M${at(layout, left, inner)}L${at(layout, left, outer)}`,
    `${arc(outer, 0)} ${at(layout, right, outer)}`,
    `L${at(layout, right, inner)}${arc(inner, 1)} ${at(layout, left, inner)}Z`,
  ].join("");
}

/** The square at a point, by its column and row; nothing in the middle and outside. */
export function ringPlace(x, y, layout) {
  const { sheet, view } = layout;
  const centre = layout.width * 50;
  const [dx, dy] = [x - layout.left - centre, y - layout.top - centre];
  const turns = (Math.atan2(dx, dy) - (view === 2 ? Math.PI : 0)) / (2 * Math.PI);
  const column = Math.round(turns * sheet.files + (sheet.files - 1) / 2);
  const row = Math.floor(Math.hypot(dx, dy) / 100 - INNER);
  return { column: ((column % sheet.files) + sheet.files) % sheet.files, row };
}

/** Names of files outside, those of ranks along the seam. */
export function ringLabels(layout) {
  const { sheet } = layout;
  const put = (square, shift, label) => {
    const { angle, width, inner, outer } = sector(square, layout);
    const [x, y] = at(layout, angle + shift[0] * width, (inner + outer) / 2 + shift[1]);
    return s("text", { x, y }, label);
  };
  return s(
    "g",
    { class: "labels outside" },
    sheet.file_labels.map((label, column) => put({ column, row: sheet.ranks - 1 }, [0, 70], label)),
    sheet.rank_labels.map((label, row) => put({ column: 0, row }, [-0.38, 34], label)),
  );
}
