// The shapes of pieces, drawn here for Ashtapada: each is a list of parts in a box of 100 by 100. A body is filled and
// outlined, a line and a dot are in the colour of details. `shapeOf` says which shape a kind has, by its name or symbol.

const FOOT = ["body", "M23 89 V85 Q23 78 30 78 H70 Q77 78 77 85 V89 Z"];
const HORSE =
  "M33 78 C31 63 45 57 46 47 C41 50 37 56 30 57 C23 58 18 53 21 47 L31 32 C32 26 35 22 39 20 L40 10 L49 18 C66 20 78 37 77 60 C77 68 75 74 74 78 Z";
const HORSE_LINES = [
  ["line", "M53 21 C65 27 71 42 70 62"],
  ["dot", 40, 31, 3.2],
  ["dot", 27, 48, 1.9],
];
const bird = (crest) => [
  FOOT,
  ["body", `M33 78 C37 64 36 58 31 52 L12 54 C13 41 22 32 31 30 ${crest} C77 33 77 58 70 78 Z`],
  ["line", "M31 52 C30 46 24 44 18 45"],
  ["dot", 40, 34, 3.4],
  ["line", "M50 62 C56 62 60 58 62 52 M54 72 C60 71 65 66 67 60"],
];

export const SHAPES = {
  pawn: [
    ["body", "M28 89 V85 Q28 78 35 78 H65 Q72 78 72 85 V89 Z"],
    ["body", "M37 78 C41 64 45 58 45 48 H55 C55 58 59 64 63 78 Z"],
    ["body", "M35 48 Q35 43 40 43 H60 Q65 43 65 48 Z"],
    ["ball", 50, 30, 14],
  ],
  rook: [
    FOOT,
    ["body", "M32 78 L36 42 H64 L68 78 Z"],
    ["body", "M26 16 H37 V24 H45 V16 H55 V24 H63 V16 H74 V34 L66 43 H34 L26 34 Z"],
    ["line", "M37 52 H63"],
  ],
  bishop: [
    FOOT,
    ["body", "M35 78 C40 71 43 66 43 61 H57 C57 66 60 71 65 78 Z"],
    ["body", "M33 61 Q33 56 38 56 H62 Q67 56 67 61 Z"],
    ["body", "M50 17 C63 26 69 36 67 46 Q66 53 59 56 H41 Q34 53 33 46 C31 36 37 26 50 17 Z"],
    ["ball", 50, 13, 5.5],
    ["line", "M50 31 V47 M42.5 38 H57.5"],
  ],
  knight: [FOOT, ["body", HORSE], ...HORSE_LINES],
  unicorn: [FOOT, ["body", "M33 24 L16 5 L42 17 Z"], ["body", HORSE], ...HORSE_LINES],
  archbishop: [
    FOOT,
    ["body", HORSE],
    ["dot", 40, 31, 3.2],
    ["dot", 27, 48, 1.9],
    ["bold", "M59 42 V70 M50 52 H68"],
  ],
  chancellor: [
    FOOT,
    ["body", HORSE],
    ["dot", 40, 31, 3.2],
    ["dot", 27, 48, 1.9],
    ["solid", "M48 43 H53 V47 H57 V43 H62 V47 H66 V43 H71 V53 L67 56 V66 H71 V72 H48 V66 H52 V56 L48 53 Z"],
  ],
  queen: [
    FOOT,
    ["body", "M27 70 L18 34 L34 53 L34 26 L46 50 L50 21 L54 50 L66 26 L66 53 L82 34 L73 70 Q50 63 27 70 Z"],
    ["ball", 18, 31, 4.6],
    ["ball", 34, 22, 4.6],
    ["ball", 50, 17, 4.6],
    ["ball", 66, 22, 4.6],
    ["ball", 82, 31, 4.6],
    ["body", "M27 70 Q50 62 73 70 L70 78 H30 Z"],
  ],
  king: [
    FOOT,
    ["body", "M46 36 V27 H38 V19 H46 V10 H54 V19 H62 V27 H54 V36 Z"],
    ["body", "M30 71 C14 58 20 39 36 39 Q46 39 50 47 Q54 39 64 39 C80 39 86 58 70 71 Q50 64 30 71 Z"],
    ["line", "M50 47 V64"],
    ["body", "M30 71 Q50 63 70 71 L69 78 H31 Z"],
  ],
  counsellor: [
    FOOT,
    ["body", "M29 78 C30 64 38 58 50 58 C62 58 70 64 71 78 Z"],
    ["body", "M38 40 H62 C63 54 58 62 50 65 C42 62 37 54 38 40 Z"],
    ["body", "M33 41 C26 24 38 13 50 13 C62 13 74 24 67 41 C58 36 42 36 33 41 Z"],
    ["line", "M36 30 C46 25 56 25 64 30"],
    ["ball", 50, 22, 4],
    ["line", "M44 55 Q50 59 56 55"],
  ],
  elephant: [
    ["body", "M40 30 C34 16 10 20 11 42 C12 58 26 66 38 58 Z"],
    ["body", "M60 30 C66 16 90 20 89 42 C88 58 74 66 62 58 Z"],
    [
      "body",
      "M33 36 C33 18 67 18 67 36 C68 48 61 54 59 62 C58 72 58 79 64 81 L63 89 C52 92 44 86 43 76 C43 68 42 62 41 62 C39 54 32 48 33 36 Z",
    ],
    ["tusk", "M37 58 C32 64 31 70 33 76"],
    ["tusk", "M63 58 C68 64 69 70 67 76"],
    ["dot", 42, 40, 3],
    ["dot", 58, 40, 3],
    ["line", "M46 68 H57 M47 76 H58"],
  ],
  camel: [
    [
      "body",
      "M14 88 V66 C14 56 22 54 27 44 C32 33 42 33 47 43 C49 48 52 49 55 46 C59 42 60 35 60 28 C60 17 68 12 77 15 L90 22 L88 30 L76 31 C76 44 75 60 66 68 V88 H57 V71 H28 L25 74 V88 Z",
    ],
    ["dot", 73, 21, 2.4],
  ],
  giraffe: [
    [
      "body",
      "M24 89 V66 C24 58 30 55 42 52 L56 20 L53 10 L60 14 L64 9 L67 16 L84 25 L82 32 L69 32 L63 64 V89 H54 V70 H35 V89 Z",
    ],
    ["dot", 66, 22, 2.2],
    ["dot", 56, 36, 2.8],
    ["dot", 53, 49, 3.2],
    ["dot", 44, 61, 3.2],
    ["dot", 33, 63, 2.6],
  ],
  lion: [
    [
      "body",
      "M50 9 L60 15 L71 14 L76 24 L87 30 L85 42 L91 52 L84 61 L83 73 L71 76 L64 86 L50 83 L36 86 L29 76 L17 73 L16 61 L9 52 L15 42 L13 30 L24 24 L29 14 L40 15 Z",
    ],
    ["body", "M28 46 C26 30 38 26 50 26 C62 26 74 30 72 46 C72 62 64 74 50 74 C36 74 28 62 28 46 Z"],
    ["dot", 40, 44, 3.2],
    ["dot", 60, 44, 3.2],
    ["solid", "M44 54 H56 L50 61 Z"],
    ["line", "M50 61 V66 M41 66 Q46 70 50 66 Q54 70 59 66"],
  ],
  bird: bird("C35 17 52 12 63 22"),
  griffin: bird("C34 25 37 21 40 19 L42 7 L51 15 C57 16 60 19 63 22"),
  boat: [
    ["body", "M48 12 H53 V66 H48 Z"],
    ["body", "M53 14 C74 24 78 44 74 60 H53 Z"],
    ["body", "M48 24 C34 34 27 46 27 60 H48 Z"],
    ["body", "M13 66 H87 C84 80 75 88 64 88 H36 C25 88 16 80 13 66 Z"],
    ["line", "M20 75 H80"],
  ],
  cannon: [
    ["body", "M14 37 L70 17 C82 14 88 32 77 37 L26 58 Z"],
    ["line", "M64 20 L70 39"],
    ["body", "M60 60 L88 82 L82 89 L52 68 Z"],
    ["ball", 42, 66, 21],
    ["line", "M42 47 V85 M23 66 H61 M29 53 L55 79 M55 53 L29 79"],
  ],
  jester: [
    FOOT,
    [
      "body",
      "M27 70 C16 62 10 46 17 28 C28 32 35 42 38 50 C38 34 43 22 50 14 C57 22 62 34 62 50 C65 42 72 32 83 28 C90 46 84 62 73 70 Q50 63 27 70 Z",
    ],
    ["ball", 17, 27, 5],
    ["ball", 50, 13, 5],
    ["ball", 83, 27, 5],
    ["body", "M27 70 Q50 62 73 70 L70 78 H30 Z"],
  ],
};

const BY_NAME = {
  pawn: "pawn soldier padati",
  rook: "rook chariot cart",
  knight: "knight horse ashwa",
  bishop: "bishop courier crocodile",
  queen: "queen bers amazon",
  counsellor: "ferz firzan mantri met sage advisor counsellor vizier minister general",
  elephant: "elephant fil gaja hasti khon alfil drunk-elephant",
  camel: "camel",
  giraffe: "giraffe zurafa",
  lion: "lion",
  unicorn: "unicorn",
  griffin: "griffin aanca gryphon",
  boat: "roca new-roca boat ship",
  cannon: "cannon",
  archbishop: "archbishop cardinal princess",
  chancellor: "chancellor marshal empress",
  jester: "jester fool",
  king: "king raja noyon",
  bird: "bird falcon eagle phoenix crane",
};
const NAMED = Object.fromEntries(
  Object.entries(BY_NAME).flatMap(([shape, names]) => names.split(" ").map((name) => [name, shape])),
);
const BY_SYMBOL = {
  "♔": "king",
  "♚": "king",
  "♕": "queen",
  "♛": "queen",
  "♖": "rook",
  "♜": "rook",
  "♗": "bishop",
  "♝": "bishop",
  "♘": "knight",
  "♞": "knight",
  "♙": "pawn",
  "♟": "pawn",
};

/** The shape of a kind, or nothing: a royal piece is a king whatever it is called. */
export function shapeOf(kind) {
  if (kind.royal) return "king";
  return NAMED[kind.name] ?? BY_SYMBOL[kind.symbols?.[0]];
}
