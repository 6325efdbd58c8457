// What is wrong with a game file, a region or a position.

export default [
  ["the key `{}` is missing", "キー `{}` がありません"],
  ["`{}` is not a square of this board", "`{}` はこの盤のマスではありません"],
  ["a {} cannot be in hand", "{} は持ち駒にできません"],
  ["`{}` is no piece of this game", "`{}` という駒はこのゲームにありません"],
  // Hints.
  ["it can be {}", "{} のどれかです"],
  ["leave `{}` out", "`{}` を省いてください"],
  ["such as {}", "例：{}"],
  ["write {}", "次のように書きます：{}"],
];
