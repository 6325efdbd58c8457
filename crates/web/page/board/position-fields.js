// What a position says besides pieces, hands and the side to move: rights, a square passed over, counters, the state of a
// contest. Read and written for any sheet, as the server does.
//
// Rights that are `null` are not stated: a piece on its first square then counts as not moved.

import { t } from "/lib/words.js";

const MOST = 1_000_000;
const NO_FATE = {
  holder: null,
  taken: 0,
  returning: false,
  commanding: false,
  points: 0,
  asked: false,
  agreed: false,
};

/** Boards with letters for ranks write SFEN. */
export function writesSfen(sheet) {
  return /^[a-z]/.test(sheet.rank_labels[0]);
}

/** Nothing stated. */
export function freshFields(sheet) {
  return {
    rights: null,
    unmoved: null,
    passed: null,
    checks: null,
    count: null,
    remembered: null,
    quiet: 0,
    number: sheet.contest ? 0 : 1,
    roll: null,
    fates: sheet.sides.map(() => ({ ...NO_FATE })),
  };
}

/** The words that follow the side to move (in SFEN, the hands). Throws what is wrong with them. */
export function readFields(sheet, words) {
  const read = sheet.contest
    ? contestFields(sheet, words)
    : writesSfen(sheet)
      ? sfenFields(sheet, words)
      : fenFields(sheet, words);
  return { ...freshFields(sheet), ...read };
}

/** The same as words, for the pieces that stand there. */
export function writeFields(sheet, fields, { board, turn }) {
  if (sheet.contest) return [fields.number, fields.roll ?? "-", marksText(sheet, fields.fates)];
  const { checks, counts } = sheet.position;
  const checksLeft = checks ? [fields.checks ?? `${checks}+${checks}`] : [];
  const count = counts ? fields.count : null;
  if (writesSfen(sheet)) return [fields.number, ...checksLeft, ...(count ? [count] : [])];
  const on = placed(board);
  const letters = castlingsLeft(sheet, fields, on)
    .map(({ letter }) => letter)
    .join("");
  const unmoved = sheet.position.first_moves.length ? `@${firstMovesLeft(sheet, fields, on).join("")}` : "";
  return [
    letters + unmoved || "-",
    passedNow(sheet, fields, on, turn) ?? count ?? "-",
    ...checksLeft,
    fields.quiet,
    fields.number,
  ];
}

/** Pieces by their squares. */
export function placed(board) {
  return new Map(board.map((piece) => [piece.square, piece]));
}

function same(a, b) {
  return Boolean(a && b) && a.kind === b.kind && a.side === b.side;
}

/** Whether the piece that starts on a square stands there. */
function isAtHome(sheet, square, on) {
  return same(
    sheet.start.board.find((piece) => piece.square === square),
    on.get(square),
  );
}

/** Whether castlings start on any file: the position then names them by their pieces. */
function startOnAnyFile(sheet) {
  return sheet.position.castling_partner !== null;
}

/** Castlings from any file whose pieces stand there, with the letters that they have then: from right to left for each side,
 *  the outermost by its own letter, others by the partner's file. */
function castlingsStanding(sheet, on) {
  const { castlings, castling_partner: partnerKind } = sheet.position;
  const file = (square) => square.charCodeAt(0);
  const stands = ({ side, royal, partner }) => {
    const [one, other] = [on.get(royal[0]), on.get(partner[0])];
    const isRoyal = one?.side === side && sheet.kinds[one.kind].royal;
    return isRoyal && other?.side === side && other.kind === partnerKind;
  };
  const standing = castlings.filter(stands);
  const away = ({ royal, partner }) => Math.abs(file(royal[0]) - file(partner[0]));
  const isOutermost = (one) =>
    standing.every((other) => other.letter !== one.letter || away(other) <= away(one));
  const ofFile = ({ side, partner }) =>
    side === 0 ? partner[0][0].toUpperCase() : partner[0][0].toLowerCase();
  return standing
    .map((one) => ({ ...one, letter: isOutermost(one) ? one.letter : ofFile(one) }))
    .sort((a, b) => a.side - b.side || file(b.partner[0]) - file(a.partner[0]));
}

/** Letters of castlings that boxes are shown for. */
export function castlingLetters(sheet) {
  return [...new Set(sheet.position.castlings.map(({ letter }) => letter))];
}

/** Castlings whose pieces stand where they start. */
export function castlingsAtHome(sheet, on) {
  if (startOnAnyFile(sheet)) return castlingsStanding(sheet, on);
  return sheet.position.castlings.filter(
    ({ royal, partner }) => isAtHome(sheet, royal[0], on) && isAtHome(sheet, partner[0], on),
  );
}

/** Those of them that are stated, or not denied. */
export function castlingsLeft(sheet, { rights }, on) {
  return castlingsAtHome(sheet, on).filter(({ letter }) => rights === null || rights.has(letter));
}

/** Squares whose first-move piece stands there. */
export function firstMovesAtHome(sheet, on) {
  return sheet.position.first_moves.filter((square) => isAtHome(sheet, square, on));
}

/** Those of them whose right is stated, or not denied. */
export function firstMovesLeft(sheet, { unmoved }, on) {
  return firstMovesAtHome(sheet, on).filter((square) => unmoved === null || unmoved.has(square));
}

function neighbour(sheet, square, quarters) {
  const y = sheet.squares.findIndex((row) => row.includes(square));
  const x = sheet.squares[y]?.indexOf(square);
  const [right, down] = [
    [0, -1],
    [1, 0],
    [0, 1],
    [-1, 0],
  ][quarters % 4];
  return sheet.squares[y + down]?.[x + right] ?? null;
}

function lastMover(sheet, turn) {
  return (turn + sheet.sides.length - 1) % sheet.sides.length;
}

/** Whether a piece of the side that moved last may have passed over a square: it stands right beyond. */
function isPassed(sheet, square, on, turn) {
  const mover = lastMover(sheet, turn);
  const piece = on.get(neighbour(sheet, square, sheet.sides[mover].quarters));
  return !on.has(square) && piece?.side === mover && sheet.kinds[piece.kind].passes_over;
}

/** The square that is stated to be passed over, as long as that can be. */
export function passedNow(sheet, { passed }, on, turn) {
  return passed !== null && isPassed(sheet, passed, on, turn) ? passed : null;
}

/** Squares over which a piece of the side that moved last can have come from where it starts. */
export function squaresPassed(sheet, on, turn) {
  const { quarters } = sheet.sides[lastMover(sheet, turn)];
  const cameOver = (square) => {
    const [before, beyond] = [neighbour(sheet, square, quarters + 2), neighbour(sheet, square, quarters)];
    return (
      !on.has(before) &&
      same(
        sheet.start.board.find((piece) => piece.square === before),
        on.get(beyond),
      )
    );
  };
  return sheet.squares
    .flat()
    .filter((square) => square && isPassed(sheet, square, on, turn) && cameOver(square));
}

function none(words) {
  if (words.length) throw new Error(t("board.tooMuch", { text: words[0].slice(0, 20) }));
}

function count(word, otherwise) {
  if (word === undefined) return otherwise;
  const number = /^\d+$/.test(word) ? Number(word) : NaN;
  if (!(number <= MOST)) throw new Error(t("board.badCount", { text: word.slice(0, 20) }));
  return number;
}

function sfenFields(sheet, [number, ...rest]) {
  const checks = readChecks(sheet, rest);
  const left = sheet.position.counts && /^\d+:\d+$/.test(rest[0] ?? "") ? rest.shift() : null;
  none(rest);
  return { number: Math.max(1, count(number, 1)), checks, count: left };
}

/** `3+3`: the checks that each side must still give, where the game counts them. */
function readChecks(sheet, words) {
  const isCount = sheet.position.checks !== null && /^\d+\+\d+$/.test(words[0] ?? "");
  return isCount ? words.shift() : null;
}

function fenFields(sheet, [rights, second, ...others]) {
  const checks = readChecks(sheet, others);
  const [quiet, number, ...rest] = others;
  none(rest);
  // The limit of a count that runs stands where a square would.
  const left = sheet.position.counts && /^\d+$/.test(second ?? "") ? second : null;
  const passed = left ? "-" : second;
  const isSquare = passed === undefined || passed === "-" || sheet.squares.flat().includes(passed);
  if (!isSquare) throw new Error(t("board.badSquare", { text: passed.slice(0, 20) }));
  return {
    ...readRights(sheet, rights),
    passed: passed === undefined || passed === "-" ? null : passed,
    checks,
    count: left,
    quiet: count(quiet, 0),
    number: Math.max(1, count(number, 1)),
  };
}

/** Letters of castlings, then `@` and the squares of pieces that have not moved; `-` for none. */
function readRights(sheet, word) {
  if (word === undefined) return {};
  const [letters, ...squares] = word.split("@");
  const rights = new Set([...letters].filter((letter) => letter !== "-"));
  const isRight = (letter) =>
    castlingLetters(sheet).includes(letter) || (startOnAnyFile(sheet) && /^[a-z]$/i.test(letter));
  const wrong = [...rights].find((letter) => !isRight(letter));
  if (wrong) throw new Error(t("board.badRight", { text: wrong }));
  return { rights, unmoved: squares.length ? readSquares(sheet, squares.join("@")) : null };
}

function readSquares(sheet, text) {
  const names = [...sheet.position.first_moves].sort((a, b) => b.length - a.length);
  const found = new Set();
  for (let rest = text === "-" ? "" : text; rest; ) {
    const square = names.find((name) => rest.startsWith(name));
    if (!square) throw new Error(t("board.badSquare", { text: rest.slice(0, 20) }));
    found.add(square);
    rest = rest.slice(square.length);
  }
  return found;
}

function contestFields(sheet, [number, roll, marks, ...rest]) {
  none(rest);
  const isThrow = roll === undefined || roll === "-" || sheet.position.contest.rolls.includes(roll);
  if (!isThrow) throw new Error(t("board.badRoll", { text: roll.slice(0, 20) }));
  return {
    number: count(number, 0),
    roll: roll === undefined || roll === "-" ? null : roll,
    fates: readMarks(sheet, marks ?? "-"),
  };
}

function readMarks(sheet, text) {
  const fates = sheet.sides.map(() => ({ ...NO_FATE }));
  for (const mark of text === "-" ? [] : text.split(",")) {
    const side = sheet.sides.findIndex((one) => one.letter === mark[0]);
    if (side < 0 || !readMark(sheet, mark.slice(1), fates[side]))
      throw new Error(t("board.badMark", { text: mark.slice(0, 20) }));
  }
  return fates;
}

/** `<r1` held by red, taken once; `*1` to be put back; `1` back again; `^` commands; `+5` points; `?` is asked; `!` agrees. */
function readMark(sheet, text, fate) {
  const [, sign, letter, digits] = /^([<*^+?!]?)([a-z]?)(\d*)$/.exec(text) ?? [];
  const taken = /^\d{1,2}$/.test(digits ?? "") && Number(digits) > 0 ? { taken: Number(digits) } : null;
  const holder = sheet.sides.findIndex((one) => one.letter === letter);
  const said = {
    "<": taken && holder >= 0 && { ...taken, holder },
    "*": !letter && taken && { ...taken, returning: true },
    "": !letter && taken,
    "+": !letter && /^\d{1,5}$/.test(digits ?? "") && { points: Number(digits) },
    "^": text === "^" && { commanding: true },
    "?": text === "?" && { asked: true },
    "!": text === "!" && { agreed: true },
  }[sign];
  return said && Object.assign(fate, said);
}

function marksText(sheet, fates) {
  const marks = fates.flatMap((fate, side) => {
    const { letter } = sheet.sides[side];
    const taken = Math.max(1, fate.taken);
    const royal =
      fate.holder !== null
        ? `<${sheet.sides[fate.holder].letter}${taken}`
        : fate.returning
          ? `*${taken}`
          : fate.taken
            ? String(fate.taken)
            : null;
    return [
      royal,
      fate.commanding && "^",
      fate.points > 0 && `+${fate.points}`,
      fate.asked && "?",
      fate.agreed && "!",
    ]
      .filter(Boolean)
      .map((mark) => letter + mark);
  });
  return marks.join(",") || "-";
}
