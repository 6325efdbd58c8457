// What the server says of jobs and plans: measuring, evolutions, learning, matches.

export default [
  // Parts.
  // Plans.
  ["{} has {} sides and {} players were named", "{}は {} 人で指しますが、プレイヤーが {} 人です"],
  ["values for {}: {}", "{}の価値の表：{}"],
  ["the rules of {} have changed since this was planned ({}, not {})", "計画の後で{}の規則が変わりました（{}、計画では {}）"],
  ["the rules of {} have changed since this was planned", "計画の後で{}の規則が変わりました"],
  ["the plan names no game", "計画にゲームがありません"],
  ["the plan asks for 0 games of each cell", "計画の対局数が 0 です"],
  // Evolutions.
  ["an evolution has 1 to {} changes, not {}", "進化の変更は 1〜{} で、{} ではありません"],
  ["the change `{}` is there twice", "変更 `{}` が二度あります"],
  ["the base has no change `{}` that could be taken back", "元のゲームに、取り消せる変更 `{}` はありません"],
  ["a question asks about `{}`, which is no change of this file", "問いの `{}` は、このファイルの変更ではありません"],
  // Learning and matches.
  ["the plan has {} runs of games and lambdas; at most {} are allowed", "計画の学習（ゲームとλの組）は {} 回です。{} 回までにしてください"],
  ["{} has {} sides or dice; values are learned for two sides without", "{}は {} 人のゲームか、さいころがあります。価値の学習は、さいころのない二人のゲームで行います"],
  ["`{}` is no rate; one such as 0.05, or 0.05:0.002@3000 for one that shrinks, is wanted", "`{}` は学習率ではありません。0.05、または小さくなっていく 0.05:0.002@3000 のように書きます"],
  ["`{}` is no pair of Elo differences; one such as 0:20, the smaller first, is wanted", "`{}` は Elo の差の組ではありません。0:20 のように小さい方から書きます"],
  ["{} has {} sides or dice; matches are for two sides without", "{}は {} 人のゲームか、さいころがあります。対戦は、さいころのない二人のゲームで行います"],
  ["`{}` is neither a player nor a table of values", "`{}` はプレイヤーでも価値の表でもありません"],
  ["the values of {} do not fit {}: {}", "{} の価値は{}に合いません：{}"],
  ["{} cannot play: {}", "{} は指せません：{}"],
  ["{} asks for the time, and there is no clock here", "{} は時間を必要としますが、ここに時計はありません"],
  ["the file of {} does not give a value to every piece", "{}のファイルに、すべての駒の価値が書かれていません"],
  // Journals.
  ["cannot {} the journal {}: {}", "記録 {1} に対して「{0}」ができません：{2}"],
  ["the journal {} is in use by another run", "記録 {} は別の実行が使っています"],
  ["{} is not a journal of an experiment", "{} は実験の記録ではありません"],
  ["the journal {} has format {}; this program reads format {}", "記録 {} の形式は {} ですが、このプログラムは形式 {} を読みます"],
  ["the journal {} is damaged in its header", "記録 {} の先頭が壊れています"],
  ["the journal {} belongs to another plan ({}, not {})", "記録 {} は別の計画のものです（{}、{} のはず）"],
  ["the journal {} holds a strange unit {} of cell {}: {}", "記録 {} の組 {2} に読めない部分 {1} があります：{3}"],
];
