// What the server says of positions, moves, throws and players.

export default [
  // Positions.
  // Moves.
  // Why a move is not legal.
  // Throws and turns.
  // Players and what they know.
  ["`{}` is no player", "`{}` というプレイヤーはいません"],
  ["{} cannot play {}: {}", "{} は{}を指せません：{}"],
  ["its turns have one move", "一手番に一手だけのゲームです"],
  ["it has no dice and no teams", "さいころも組もないゲームです"],
  ["other programs play in matches alone", "他のプログラムは対戦でだけ指せます"],
  ["there is no clock here, only in matches", "時計は対戦にだけあります"],
  ["it is for two sides without dice", "さいころのない二人のゲームのためのものです"],
  ["line {}: `{}` is not `piece = number`", "{} 行目：`{}` は `駒 = 数` の形ではありません"],
  ["line {}: no piece is called `{}`", "{} 行目：`{}` という駒はありません"],
  ["line {}: no piece is called `{}`; did you mean `{}`?", "{} 行目：`{}` という駒はありません。`{}` のことですか。"],
  ["there is no value for the {}", "{}の価値がありません"],
  // Explaining and counting.
  // Scores.
];
