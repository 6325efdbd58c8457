// What is wrong with a game file, a region or a position.

export default [
  ["the key `{}` is missing", "キー `{}` がありません"],
  ["a {} cannot be in hand", "{} は持ち駒にできません"],
  ["`{}` is no piece of this game", "`{}` という駒はこのゲームにありません"],
  // Hints.
  ["leave `{}` out", "`{}` を省いてください"],
  ["such as {}", "例：{}"],
  ["write {}", "次のように書きます：{}"],
];
