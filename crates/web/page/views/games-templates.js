// What a game of one's own may begin with, and examples of how moves are written.

const SMALL = `# A small game to begin with. Everything here may be changed; mistakes are shown at once.
name = "My game"
about = "A small game of my own."

[board]
files = 6
ranks = 6
start = "rnkqnr/pppppp/6/6/PPPPPP/RNKQNR w - - 0 1"

# Pieces stand from the weakest to the strongest.
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

const DROPS = `# A small game in which captured pieces change sides.
name = "My game with drops"
about = "Six by six squares, and captured pieces come back."
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
export const TEMPLATES = { small: SMALL, drops: DROPS };

/** A file that builds upon a game of the library: only what differs is said. */
export function extending(sheet) {
  const royal = sheet.kinds.find((kind) => kind.royal) ?? sheet.kinds[0];
  return `# Builds on ${sheet.name}: only what differs is said here. Tables merge key by key; "none" takes a table away.
extends = "${sheet.id}"
name = "My ${sheet.name.toLowerCase()}"
about = "${sheet.name}, changed a little."
descends = "${sheet.id}"

# The position that the game starts from.
[board]
start = "${startText(sheet)}"

# How a piece moves, in Betza's notation. Try "KN", "RN" or "BW" here.
[pieces.${royal.name}]
moves = "K"
`;
}

/** The start as files write it: a contest's text has its turns and dice where others have rights and counts. */
function startText(sheet) {
  const [board, side] = sheet.start.text.split(" ");
  return sheet.contest ? `${board} ${side} - - 0 1` : sheet.start.text;
}

/** Moves in Betza's notation; their meaning is `games.betza.KEY`. */
export const BETZA = [
  ["W", "wazir"], ["F", "ferz"], ["K", "king"], ["N", "knight"], ["D", "dabbaba"], ["A", "alfil"], ["R", "rook"], ["B", "bishop"], ["Q", "queen"],
  ["BN", "both"], ["R3", "short"], ["NN", "ride"], ["fR", "forward"], ["mfWcfF", "pawn"], ["imfnD", "first"], ["FfW", "silver"], ["WfF", "gold"], ["nN", "lame"], ["mRcpR", "cannon"], ["t[FR]", "bent"],
];
