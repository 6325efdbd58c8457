// How measures and cells are named and written.

import { fromData } from "/lib/library.js";
import { short } from "../lib/plot.js";

/** A measure in the page's language. */
export function measureName(measure) {
  return fromData(measure.symbol, measure.words);
}

/** Shares as percentages, other numbers with few digits. */
export function formatter(measure) {
  return measure.is_share ? (value) => (Number.isFinite(value) ? `${(value * 100).toFixed(1)}%` : "–") : short;
}

/** A game and its players in a few words. */
export function cellName(cell) {
  return `${cell.name} ${[...new Set(cell.players)].join("/")}`;
}
