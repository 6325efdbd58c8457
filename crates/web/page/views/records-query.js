// Queries as text, put together from what a form and a board say, and taken apart again where they say no more than that.

import { pieceText } from "/board/names.js";

const ORDER = ["first", "second", "third", "fourth"];
const SHAPES = ["swapped", "mirrored", "anywhere"];

const quoted = (text) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

/** Conditions on games, as the form has them: strings, "" where nothing is said. */
export const NO_FILTERS = {
  player: "",
  first: "",
  second: "",
  event: "",
  opening: "",
  result: "",
  from: "",
  to: "",
  shortest: "",
  longest: "",
  rating: "",
};

function range(word, least, most) {
  if (least && most) return `${word}=${least}..${most}`;
  if (least) return `${word}>=${least}`;
  return most ? `${word}<=${most}` : "";
}

function filterText(filters) {
  const named = ["player", "first", "second", "event", "opening"]
    .filter((word) => filters[word])
    .map((word) => `${word}=${quoted(filters[word])}`);
  return [
    ...named,
    filters.result && `result=${filters.result}`,
    range("date", filters.from, filters.to),
    range("length", filters.shortest, filters.longest),
    filters.rating && `rating>=${filters.rating}`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** The query of a board's text, shapes around it and conditions on games. `exact` is a whole position as text. */
export function compose({ board, exact, shapes, filters }) {
  const inner = exact ? `position ${quoted(exact)}` : board;
  const shaped = inner
    ? SHAPES.toReversed().reduce(
        (text, shape) => (shapes[shape] && !(exact && shape === "anywhere") ? `${shape}(${text})` : text),
        inner,
      )
    : "";
  return [shaped, filterText(filters)].filter(Boolean).join(" ");
}

/** Words at the top of a text: spaces between quotes and brackets do not part them. Nothing if a bracket is not closed. */
function words(text) {
  const found = [];
  let [word, depth, isQuoted] = ["", 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const c = text[at];
    if (isQuoted && c === "\\") {
      word += c + (text[(at += 1)] ?? "");
      continue;
    }
    if (c === '"') isQuoted = !isQuoted;
    if (!isQuoted) depth += c === "(" ? 1 : c === ")" ? -1 : 0;
    if (/\s/.test(c) && !isQuoted && depth === 0) {
      if (word) found.push(word);
      word = "";
    } else word += c;
  }
  if (word) found.push(word);
  return isQuoted || depth !== 0 ? null : found;
}

function unquoted(text) {
  return text.startsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, "$1") : text;
}

/** A square's mark as the editor has them, or nothing. */
function readMark(sheet, content, not) {
  if (content === "empty") return { not, empty: true };
  if (content === "any") return { not, any: true };
  const mark = { not, pieces: [], sides: [] };
  for (const name of content.split("|")) {
    const side = ORDER.slice(0, sheet.sides.length).indexOf(name);
    const all = sheet.sides.flatMap((_, at) => sheet.kinds.map((_, kind) => ({ kind, side: at })));
    const piece = all.find((one) => pieceText(sheet, one) === name);
    if (side >= 0) mark.sides.push(side);
    else if (piece) mark.pieces.push(piece);
    else return null;
  }
  return mark;
}

/** Takes a word that a filter may be; whether it was one. */
function readFilter(word, filters) {
  const [, name, sign, value] = /^([a-z]+)(>=|<=|=)(.+)$/s.exec(word) ?? [];
  const set = (key, text) => {
    const isNew = !filters[key];
    filters[key] = text;
    return isNew;
  };
  const ends = (least, most) => {
    if (sign === ">=") return set(least, value);
    if (sign === "<=") return set(most, value);
    const [from, to] = value.split("..");
    return to !== undefined && set(least, from) && set(most, to);
  };
  if (["player", "first", "second", "event", "opening"].includes(name) && sign === "=")
    return set(name, unquoted(value));
  if (name === "result" && sign === "=") return set("result", value);
  if (name === "date") return ends("from", "to");
  if (name === "length") return ends("shortest", "longest");
  return name === "rating" && sign === ">=" ? set("rating", value) : false;
}

function readBoardWord(sheet, word, board) {
  const [, square, sign, content] = /^(\w+)(!=|=)(.+)$/.exec(word) ?? [];
  if (square && sheet.squares.flat().includes(square)) {
    const mark = board.marks.has(square) ? null : readMark(sheet, content, sign === "!=");
    if (mark) board.marks.set(square, mark);
    return Boolean(mark);
  }
  const [, name, count] = /^hand\((\S+)\)>=(\d+)$/.exec(word) ?? [];
  const piece = name && readMark(sheet, name, false)?.pieces?.[0];
  if (piece) {
    board.hands[piece.side].set(piece.kind, Number(count));
    return true;
  }
  const turn = /^turn=(\w+)$/.exec(word)?.[1];
  if (!turn || !ORDER.includes(turn)) return false;
  board.turn = ORDER.indexOf(turn);
  return board.turn < sheet.sides.length;
}

/** What a text says, if a board, shapes and a form can show all of it; else nothing. */
export function takeApart(sheet, text) {
  const all = words(text);
  if (!all) return null;
  const apart = {
    board: { marks: new Map(), hands: sheet.sides.map(() => new Map()), turn: "any" },
    exact: null,
    shapes: {},
    filters: { ...NO_FILTERS },
  };
  const shape = () => {
    const found = all.findIndex((word) => SHAPES.some((name) => word.startsWith(`${name}(`)));
    if (found < 0) return false;
    const [, name, inner] = /^(\w+)\((.*)\)$/s.exec(all[found]) ?? [];
    const inside = name && words(inner);
    // A shape is around the whole board or it is not one of the form's.
    const others = all.filter((_, at) => at !== found);
    if (
      !inside ||
      apart.shapes[name] ||
      others.some((word) =>
        readBoardWord(sheet, word, { marks: new Map(), hands: sheet.sides.map(() => new Map()) }),
      )
    )
      return null;
    apart.shapes[name] = true;
    all.splice(found, 1, ...inside);
    return true;
  };
  for (let more = shape(); more !== false; more = shape()) if (more === null) return null;
  while (all.length) {
    const word = all.shift();
    if (word === "position") apart.exact = unquoted(all.shift() ?? "");
    else if (!readBoardWord(sheet, word, apart.board) && !readFilter(word, apart.filters)) return null;
  }
  const hasBoard =
    apart.board.marks.size || apart.board.turn !== "any" || apart.board.hands.some((hand) => hand.size);
  return apart.exact !== null && (hasBoard || !apart.exact.includes("/")) ? null : apart;
}
