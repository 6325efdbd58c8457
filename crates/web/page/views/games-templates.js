// What a game of one's own may begin with, and examples of how moves are written.

import { t } from "../lib/words.js";

const small = () => `# ${t("games.template.small")}
name = "${t("games.template.small.name")}"
about = "${t("games.template.small.about")}"

[board]
files = 6
ranks = 6
start = "rnkqnr/pppppp/6/6/PPPPPP/RNKQNR w - - 0 1"

# ${t("games.template.order")}
[pieces.pawn]
letter = "P"
symbols = ["♙", "♟"]
moves = "mfWcfF"
promotes = { to = "queen", zone = "rank 6" }

[pieces.knight]
letter = "N"
symbols = ["♘", "♞"]
moves = "N"

[pieces.rook]
letter = "R"
symbols = ["♖", "♜"]
moves = "R"

[pieces.queen]
letter = "Q"
symbols = ["♕", "♛"]
moves = "Q"

[pieces.king]
letter = "K"
symbols = ["♔", "♚"]
moves = "K"
royal = true

[ends]
royal = "checkmate"
stalemate = "draw"
repetition = { fold = 3, verdict = "draw" }
`;

const drops = () => `# ${t("games.template.drops")}
name = "${t("games.template.drops.name")}"
about = "${t("games.template.drops.about")}"
hand = "captures"

[board]
files = 6
ranks = 6
coordinates = "numbers"
start = "rsgksr/pppppp/6/6/PPPPPP/RSKGSR b - 1"

[pieces]
pawn = { letter = "P", kanji = "歩", moves = "fW", promotes = { to = "tokin", zone = "ranks a-b", on = "start-or-end", choice = "may-unless-stuck" }, drop = { per-file = 1, mate = "forbidden" } }
silver = { letter = "S", kanji = "銀", moves = "FfW" }
gold = { letter = "G", kanji = "金", moves = "WfF" }
rook = { letter = "R", kanji = "飛", moves = "R" }
king = { letter = "K", kanji = "玉", moves = "K", royal = true }
tokin = { letter = "+P", kanji = "と", moves = "WfF" }

[ends]
royal = "checkmate"
stalemate = "loss"
repetition = { fold = 4, verdict = "draw", checker = "loses" }
`;

/** What one may begin with, besides a game of the library. */
export const TEMPLATES = { small, drops };

/** A file that builds upon a game of the library: only what differs is said. */
export function extending(sheet) {
  const royal = sheet.kinds.find((kind) => kind.royal) ?? sheet.kinds[0];
  const example = movesOf(sheet, royal.name);
  const piece = example
    ? `[pieces.${royal.name}]\nmoves = "${example}"`
    : `# [pieces.${royal.name}]\n# moves = "KN"`;
  return `# ${t("games.template.extends", { name: sheet.name })}
extends = "${sheet.id}"
name = "${t("games.template.name", { name: sheet.name })}"
about = "${t("games.template.about", { name: sheet.name })}"
descends = "${sheet.id}"

# ${t("games.template.start")}
[board]
start = "${startText(sheet)}"

# ${t("games.template.moves")}
${piece}
`;
}

/** The moves of a piece as the file has them, if it has them in one plain text. */
function movesOf(sheet, name) {
  const table = sheet.source.split(/^\[/m).find((part) => part.startsWith(`pieces.${name}]`));
  return table?.match(/^moves = "([^"]+)"/m)?.[1];
}

/** The start as the file has it: a position view's text may say rights that a file leaves out. */
function startText(sheet) {
  const stated = sheet.start.text.replace(/ @\S*/, " -").replace(/@\S*/, "");
  return sheet.source.match(/^start = "([^"]+)"/m)?.[1] ?? stated;
}

/** Moves in Betza's notation; their meaning is `games.betza.KEY`. */
export const BETZA = [
  ["W", "wazir"],
  ["F", "ferz"],
  ["K", "king"],
  ["N", "knight"],
  ["D", "dabbaba"],
  ["A", "alfil"],
  ["R", "rook"],
  ["B", "bishop"],
  ["Q", "queen"],
  ["BN", "both"],
  ["R3", "short"],
  ["NN", "ride"],
  ["fR", "forward"],
  ["mfWcfF", "pawn"],
  ["imfnD", "first"],
  ["FfW", "silver"],
  ["WfF", "gold"],
  ["nN", "lame"],
  ["mRcpR", "cannon"],
  ["t[FR]", "bent"],
];
