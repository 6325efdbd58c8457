// What the server says, in Japanese. It speaks English; {} stands for what differs. A sentence that is not here is told as it
// came. crates/web/tests/japanese.rs looks each of them up in the program, and finds those that are not here.

import { kindWord } from "/lib/kinds.js";
import { gameWord } from "/lib/library.js";
import games from "./told/games.js";
import laboratory from "./told/laboratory.js";
import moves from "./told/moves.js";
import records from "./told/records.js";
import requests from "./told/requests.js";
import study from "./told/study.js";

/** What stands for {} and is words, too. */
const WORDS = {
  game: "ゲーム", player: "プレイヤー", experiment: "実験", preset: "集計の流儀", reading: "解釈", evolution: "進化", feature: "重み", part: "部分", lambda: "λ", "form of records": "棋譜の形式", "way with a bare side": "裸の側の扱い",
  "a side": "対局者", "a piece": "駒", "the tag's name": "見出しの名前", "another board": "別の盤", "another castling": "別のキャスリング",
  open: "開く", read: "読む", "write to": "書く", undo: "元に戻す", redo: "やり直す",
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
const known = [...games, ...laboratory, ...moves, ...records, ...requests, ...study].map(pattern)
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
