// What the server says, in Japanese. It speaks English; {} stands for what differs. A sentence that is not here is told as it
// came. crates/web/tests/japanese.rs looks each of them up in the program, and finds those that are not here.

import { kindWord } from "/lib/kinds.js";
import { gameWord } from "/lib/library.js";
import laboratory from "./told/laboratory.js";

/** What stands for {} and is words, too. */
const WORDS = {
  open: "開く", read: "読む", "write to": "書く",
  White: "白", Black: "黒", Red: "赤", Green: "緑", Yellow: "黄", Cho: "楚", Han: "漢",
};

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A sentence as a pattern; what stands between backquotes is what somebody wrote, and stays. */
function pattern([english, japanese]) {
  const fixed = english.split("{}");
  const isQuoted = fixed.slice(0, -1).map((before, at) => before.endsWith("`") && fixed[at + 1].startsWith("`"));
  return { found: new RegExp(`^${fixed.map(escaped).join("(.+?)")}$`, "s"), japanese, isQuoted, begins: fixed[0].length, says: fixed.join("").length };
}

// Those that begin as told first (others may begin with a sentence that holds them), and of these those that say most.
const known = laboratory.map(pattern)
  .sort((a, b) => b.begins - a.begins || b.says - a.says);

function fill(text, parts) {
  let next = 0;
  return text.replace(/\{(\d?)\}/g, (_, at) => parts[at === "" ? next++ : Number(at)]);
}

/** A sentence of the server in Japanese, where it is known. */
export function inJapanese(sentence) {
  if (sentence in WORDS) return WORDS[sentence];
  for (const { found, japanese, isQuoted } of known) {
    const parts = found.exec(sentence)?.slice(1);
    if (parts) return fill(japanese, parts.map((part, at) => (isQuoted[at] ? part : inJapanese(part))));
  }
  return kindWord(sentence) ?? (/^[\w+-]+$/.test(sentence) ? gameWord(sentence) : sentence);
}
