// Games under way, kept in the browser: one for each game of the library, so that none is lost.

const KEY = "play";
const LAST = "play.last";

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    /* a private window: the game lives as long as the page */
  }
}

const keyOf = (spec) => `${KEY}:${spec}`;

/** Tells when another tab has gone on with the game of a spec; gives a function that stops. */
export function watchKept(spec, told) {
  const look = (event) => {
    if (event.key === keyOf(spec) && event.newValue) told();
  };
  window.addEventListener("storage", look);
  return () => window.removeEventListener("storage", look);
}

/** The game under way of a spec, if it is one. */
export function kept(spec) {
  const state = read(keyOf(spec));
  return Array.isArray(state?.moves) && Array.isArray(state.seats) ? state : null;
}

/** Keeps a game. */
export function keep(state) {
  write(keyOf(state.spec), state);
  write(LAST, state.spec);
}

const asideOf = (spec) => `${KEY}.before:${spec}`;

/** Before another game takes its place: the one under way can be taken up again. */
export function putAside(spec) {
  const state = kept(spec);
  if (state?.moves.length) write(asideOf(spec), state);
}

/** The game that was put aside last, if there is one. */
export function asideState(spec) {
  const state = read(asideOf(spec));
  return Array.isArray(state?.moves) && Array.isArray(state.seats) ? state : null;
}

/** The spec that was played last. */
export function lastSpec() {
  return read(LAST);
}

/** A fresh game: a person at the first side, the program at the others. */
export function freshState(sheet, given = {}) {
  const program = sheet.contest ? "expect:1" : "level:3";
  const seats = sheet.sides.map((_, side) => (side === 0 ? "human" : program));
  const seed = Math.floor(Math.random() * 2 ** 31);
  return {
    spec: sheet.spec,
    position: null,
    moves: [],
    movers: [],
    undone: [],
    at: 0,
    seats,
    clock: null,
    times: null,
    ended: null,
    view: null,
    evaluation: false,
    values: null,
    book: null,
    seed,
    record: null,
    ...given,
  };
}
