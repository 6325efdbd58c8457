// Titles of experiments and names of measures come with the data, in English; here they are in Japanese.

import { language } from "./words.js";

const JAPANESE = {
  "000-comparison": "四人制チャトランガと近縁のゲーム：複雑さ、実力、運",
  "000-mixtures": "四人制チャトランガ：P0〜P4 の組み合わせ",
  "000-table6": "論文000 表6：四人制チャトランガ、P0〜P4",
  "000-table7": "論文000 表7：四つの将棋類のランダム対局",
  "000-table8": "論文000 表8：黒が P_i、他の三人はランダム",
  "001-table2": "論文001 表2：チャトランガからチェスまで、準ランダムプレイヤー",
  "001-table3": "論文001 表3：評価付き準ランダムプレイヤー",
  "004-figure8": "論文004 図8：連続王手の詰み",
  "004-figure9": "論文004 図9：学習した価値によるアルファベータ",
  "004-table1": "論文004 表1：λ と学習の安定性",
  "004-table2": "論文004 表2：駒の価値",
  "004-table3": "論文004 表3：学習した価値と YSS の対戦",
  "history": "チャトランガからチェスと将棋まで：駒の価値の歴史",
  "shatranj-to-chess": "シャトランジからチェスへ",
  "heian-to-shogi": "平安将棋から将棋へ",
  "E": "戦略的複雑さ E = √B / D",
  "B": "合法手の数 B",
  "D": "平均手数 D",
  "B/D": "B/D",
  "BxD": "B×D",
  "log10(B^D)": "ゲーム木の大きさ log10(B^D)",
  "draws": "引き分けの割合",
  "decisive": "決着の割合",
  "first-side": "先手の有利さ",
  "lead-changes": "一局あたりの形勢逆転",
  "captures": "一手あたりの駒取り",
  "checks": "一手あたりの王手",
};

/** What the data calls `name`, in the page's language. */
export function fromData(name, english) {
  return language() === "ja" ? (JAPANESE[name] ?? english) : english;
}
