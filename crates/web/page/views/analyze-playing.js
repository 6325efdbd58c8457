// How many games, from which seed, in how many parts: the choices that all experiments have.

import { field, h, select } from "../lib/dom.js";
import { t } from "../lib/words.js";

/** A number that may be left out: a function that reads it, and its field. */
export function numberField(label, attributes) {
  const input = h("input", { type: "number", ...attributes });
  const read = () => (input.value === "" ? undefined : Number(input.value));
  return Object.assign(read, { field: field(t(label), input) });
}

/** How many games "a quick look" plays: a function, and the field that says it. */
export function quickGames() {
  const input = h("input", { type: "number", min: 1, max: 100000, value: 20, style: { width: "7em" } });
  const read = () => Math.max(1, Number(input.value) || 20);
  return Object.assign(read, { field: field(t("analyze.quickGames"), input) });
}

/** The form of records that the games of an experiment are kept in, if any. */
export function keepChoice() {
  return select(
    [
      ["", "–"],
      ["pgn", "PGN"],
      ["usi", "USI"],
      ["csa", "CSA"],
    ],
    "",
  );
}

/** A field as wide as the form. */
export function wholeField(label, input) {
  const made = field(label, input);
  made.classList.add("whole");
  return made;
}

/** The choices that all experiments have. */
export class Playing {
  constructor() {
    this.until = h("input", { placeholder: "E±2%" });
    this.shard = h("input", { placeholder: "3/8" });
    this.keep = keepChoice();
    this.most = numberField("analyze.most", { min: 1, max: 100000000, placeholder: "100000" });
    this.seed = numberField("analyze.seed", { min: 0, placeholder: "1" });
    this.threads = numberField("analyze.threads", { min: 1, max: 256, placeholder: t("analyze.all") });
    this.fields = [
      field(t("analyze.until"), this.until),
      this.most.field,
      this.seed.field,
      field(t("analyze.keep"), this.keep),
      field(t("analyze.shard"), this.shard, t("analyze.shardHint")),
      this.threads.field,
    ];
  }

  /** What was chosen, as a request has it; `nGames` unless it goes on until an interval is narrow. */
  read(nGames) {
    const [until, shard] = [this.until.value.trim(), this.shard.value.trim()];
    return {
      ...(until ? { until, most: this.most() } : { n_games: nGames }),
      ...(shard ? { shard } : {}),
      ...(this.keep.value ? { keep: this.keep.value } : {}),
      seed: this.seed(),
      threads: this.threads(),
    };
  }
}
