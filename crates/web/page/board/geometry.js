// Where squares are: places are columns and rows as they are seen, from the top left. A view is how many quarters the
// board is turned, so that the side with as many quarters sits below.

import { across } from "./ring.js";

/** The squares of a sheet with their place for a view: a map from name to { name, x, y, isDark }, and how wide and high it is. */
export function places(sheet, view) {
  if (sheet.ring) return ringPlaces(sheet);
  const width = view % 2 ? sheet.ranks : sheet.files;
  const height = view % 2 ? sheet.files : sheet.ranks;
  const squares = new Map();
  sheet.squares.forEach((row, y) =>
    row.forEach((name, x) => {
      if (name)
        squares.set(name, { name, isDark: (x + y + sheet.ranks) % 2 === 1, ...turned(x, y, sheet, view) });
    }),
  );
  return { squares, width, height };
}

/** On a round board x and y are sector and ring, whatever the view. */
function ringPlaces(sheet) {
  const squares = new Map();
  sheet.squares.forEach((names, row) =>
    names.forEach((name, column) => {
      if (name) squares.set(name, { name, isDark: (column + row) % 2 === 1, x: column, y: row, column, row });
    }),
  );
  return { squares, width: across(sheet), height: across(sheet) };
}

function turned(x, y, sheet, view) {
  switch (view) {
    case 1:
      return { x: y, y: sheet.files - 1 - x };
    case 2:
      return { x: sheet.files - 1 - x, y: sheet.ranks - 1 - y };
    case 3:
      return { x: sheet.ranks - 1 - y, y: x };
    default:
      return { x, y };
  }
}

/** The labels along the bottom (or top) and the side, as they are seen. */
export function labels(sheet, view) {
  const files = view === 2 || view === 3 ? [...sheet.file_labels].reverse() : sheet.file_labels;
  const ranks = view === 1 || view === 2 ? [...sheet.rank_labels].reverse() : sheet.rank_labels;
  return view % 2
    ? {
        across: view === 1 ? sheet.rank_labels : [...sheet.rank_labels].reverse(),
        down: view === 1 ? [...sheet.file_labels].reverse() : sheet.file_labels,
      }
    : { across: files, down: ranks };
}
