// How measures and cells are named and written.

import { fromData, gameWord } from "/lib/library.js";
import { decimalsFor, short } from "../lib/plot.js";
import { t } from "../lib/words.js";

/** A measure in the page's language. */
export function measureName(measure) {
  return fromData(measure.symbol, measure.words);
}

/** The same at the head of a column: its symbol, or a short word where that is none. */
export function measureHead({ symbol }) {
  const word = t(`analyze.head.${symbol}`);
  return word.startsWith("analyze.") ? symbol : word;
}

/** Shares as percentages, other numbers with few digits. */
export function formatter(measure) {
  return measure.is_share
    ? (value) => (Number.isFinite(value) ? `${(value * 100).toFixed(1).replace("-", "\u2212")}%` : "–")
    : short;
}

/** A number and the half of its interval with as many decimals as the interval bears out: ["23.318", "0.087"]. */
export function withInterval(measure, value, half) {
  if (!Number.isFinite(value)) return ["–"];
  const [factor, sign] = measure.is_share ? [100, "%"] : [1, ""];
  const decimals = decimalsFor(half * factor);
  if (decimals === undefined) return [formatter(measure)(value)];
  const written = (number) =>
    (number * factor)
      .toLocaleString("en", {
        minimumFractionDigits: decimals,
        maximumFractionDigits: decimals,
        signDisplay: "negative",
      })
      .replace("-", "\u2212") + sign;
  return [written(value), written(half)];
}

/** A game and its players in a few words. */
export function cellName(cell) {
  return `${gameWord(cell.name)} ${[...new Set(cell.players)].join("/")}`;
}
