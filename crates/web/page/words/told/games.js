// What is wrong with a game file, a region or a position.

export default [
  ["the key `{}` is missing", "キー `{}` がありません"],
  // Hints.
  ["leave `{}` out", "`{}` を省いてください"],
  ["such as {}", "例：{}"],
  ["write {}", "次のように書きます：{}"],
];
