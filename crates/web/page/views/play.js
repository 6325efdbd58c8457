// Play: any game, against the program, another person, or watched.

import { api, showError, whyNot } from "/lib/api.js";
import { h, notice } from "/lib/dom.js";
import { addWords, language, t } from "/lib/words.js";
import { Board, withStyle } from "/board/board.js";
import words from "/words/play.js";
import { freshState, keep, kept, lastSpec, putAside, watchKept } from "./play-keep.js";
import { Panel } from "./play-panel.js";
import { SeatBar } from "./play-seats.js";
import { PlaySession } from "./play-session.js";
import { Score } from "./play-record.js";

addWords(words);

/** What shows that somebody is at this tab and not at another. */
const ACTS = ["focus", "pointerdown", "keydown"];

/** `#/play/shogi`, with `?position=`, `moves=` (commas between), `player=`, `side=`, `values=` and `seed=` from other views. */
export async function show(root, path, query) {
  const asked = language();
  const styles = Promise.all([
    withStyle("/board/board.css"),
    withStyle("/views/play.css"),
    withStyle("/views/game.css"),
  ]);
  let found;
  try {
    found = await Promise.all([gameDescriptor(path[0]), api.get("games"), styles]);
  } catch (error) {
    root.append(noGame(error));
    return undefined;
  }
  if (asked !== language()) return undefined;
  const [{ sheet, players }, games] = found;
  const table = new Table(root, sheet, games, players);
  table.sit(stateFor(sheet, query));
  return () => table.close();
}

function noGame(error) {
  return h(
    "div",
    { class: "card" },
    h("h1", null, t("play.noGame")),
    h("p", { class: "wrong" }, error.message),
    whyNot(error),
    h(
      "p",
      { class: "row" },
      h("a", { class: "button", href: "#/play/chess" }, t("play.toChess")),
      h("a", { class: "button", href: "#/games" }, t("play.toGames")),
    ),
  );
}

/** The game that is asked for; without one, the last that was played, if it is still there. */
async function gameDescriptor(asked) {
  const get = async (spec) => {
    const name = encodeURIComponent(spec);
    const [sheet, players] = await Promise.all([
      api.get(`games/${name}?lang=${language()}`),
      api.get(`players?game=${name}`).catch(() => []),
    ]);
    return { sheet, players };
  };
  if (asked) return get(asked);
  return get(lastSpec() ?? "chess").catch(() => get("chess"));
}

/** What the address asks for, or else the game under way. What was asked for is a game under way from then on. */
function stateFor(sheet, query) {
  const isAsked = ["position", "moves", "player", "values", "seed"].some((key) => query.has(key));
  history.replaceState(null, "", `#/play/${encodeURIComponent(sheet.spec).replaceAll("%2B", "+")}`);
  if (!isAsked) return { ...freshState(sheet), ...kept(sheet.spec) };
  const side = Number(query.get("side") ?? 0);
  const player = query.get("player") ?? freshState(sheet).seats[1];
  const seats = sheet.sides.map((_, at) => (at === side ? "human" : player));
  const moves = (query.get("moves") ?? "").split(/[\s,]+/).filter(Boolean);
  const seed = /^\d{1,9}$/.test(query.get("seed") ?? "") ? { seed: Number(query.get("seed")) } : {};
  const state = freshState(sheet, {
    position: query.get("position") || null,
    moves,
    at: moves.length,
    seats,
    values: query.get("values"),
    ...seed,
  });
  putAside(sheet.spec);
  keep(state);
  return state;
}

class Table {
  constructor(root, sheet, games, players) {
    Object.assign(this, { root, sheet, games, players });
    this.onKey = (event) => this.key(event);
    this.onLeave = () => this.session?.rest();
    this.onReturn = (event) => event.persisted && this.session?.goOn();
    this.onAct = () => this.session?.lead();
    document.addEventListener("keydown", this.onKey);
    window.addEventListener("pagehide", this.onLeave);
    window.addEventListener("pageshow", this.onReturn);
    for (const act of ACTS) window.addEventListener(act, this.onAct, true);
    this.unwatch = watchKept(sheet.spec, () => this.sit(kept(sheet.spec), { isFollowing: true }));
  }

  /** Puts a game on the table. */
  async sit(state, { isFollowing = false } = {}) {
    this.session?.close();
    const { sheet } = this;
    state.seats = sheet.sides.map((_, side) => state.seats[side] ?? "human");
    this.session = new PlaySession(sheet, state, {
      isFollowing,
      told: (how) => this.draw(how),
      tick: () => this.bars.forEach((bar) => bar.tick()),
    });
    if (![0, 1, 2, 3].includes(state.view)) state.view = null;
    const view = state.view ?? this.personsView(state);
    const onArrange = () => this.frame?.style.setProperty("--ratio", this.board.ratio);
    this.board = new Board(sheet, { view, onMove: (text) => this.moved(text), onArrange });
    this.board.set(state.moves.length || state.position ? { board: [] } : sheet.start);
    this.board.allow(false);
    this.bars = sheet.sides.map((_, side) => new SeatBar(sheet, side, this.players, this.session));
    await this.lay();
    try {
      await this.session.open();
    } catch (error) {
      showError(error);
      keep(freshState(sheet));
      notice(t("play.notReadable"));
      if (state.moves.length || state.position) await this.sit(freshState(sheet));
    }
  }

  /** A person who plays alone sits below. */
  personsView(state) {
    const persons = state.seats.flatMap((seat, side) => (seat === "human" ? [side] : []));
    return persons.length === 1 ? this.sheet.sides[persons[0]].quarters : 0;
  }

  async lay() {
    const { sheet, session, board } = this;
    this.table = undefined;
    this.explanation = undefined;
    if (sheet.contest) {
      const { ContestTable } = await import("./play-contest.js");
      this.table = new ContestTable(session, board);
    }
    this.extra = h("div", { class: "extra" });
    this.score = new Score(session, (state) => this.sit(state));
    this.panel = new Panel(session, board, this.games, {
      table: this.table,
      score: this.score,
      newGame: () => this.newGame(),
      chooseGame: (id) => {
        location.hash = `#/play/${encodeURIComponent(id)}`;
      },
      flip: () => this.flip(),
      explain: () => this.explain(),
      askHint: () => this.askHint(),
    });
    this.left = h("div", { class: "at-board" });
    this.frame = h(
      "div",
      { class: `table sides-${sheet.sides.length}` },
      this.left,
      this.panel.head,
      this.panel.element,
    );
    this.root.replaceChildren(
      h("h1", { class: "unseen" }, `${t("shell.play")}: ${sheet.name}`),
      this.frame,
      this.extra,
      this.score.printed,
    );
    this.root.ondragover = (event) => event.preventDefault();
    this.root.ondrop = (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      if (file) this.score.loadFile(file);
    };
    this.placeBars();
  }

  /** The side that sits below has its bar below; four have theirs in a row. */
  placeBars() {
    const { sheet, board } = this;
    this.frame.style.setProperty("--ratio", board.ratio);
    const bars = this.bars.map((bar) => bar.element);
    if (bars.length !== 2)
      return this.left.replaceChildren(h("div", { class: "seats" }, bars), board.element);
    const below = sheet.sides.findIndex((side) => side.quarters === board.view);
    return this.left.replaceChildren(bars[1 - Math.max(0, below)], board.element, bars[Math.max(0, below)]);
  }

  moved(text) {
    if (this.table && this.session.shown.contest.stage === "turn") this.table.move(text);
    else this.session.play(text);
  }

  draw({ animate = false }) {
    const { session, board } = this;
    if (!session.shown.text) return;
    const positionView = this.table ? this.table.positionView() : session.shown;
    if (session.state.view === null && board.view !== this.personsView(session.state)) {
      board.turnTo(this.personsView(session.state));
      this.placeBars();
    }
    // What is shown already is left alone: it may be on its way. A refused move has left the board as it was put.
    if (board.positionView.board !== positionView.board || board.positionView.moves !== positionView.moves)
      board.set(positionView, { animate });
    if (board.interactive !== session.mayMove) board.allow(session.mayMove);
    this.bars.forEach((bar) => bar.draw());
    this.panel.draw();
    this.score.draw();
    if (this.explanation && this.explained !== session.shown) this.explanation.hide();
  }

  flip() {
    this.board.flip();
    this.session.state.view = this.board.view;
    keep(this.session.state);
    this.placeBars();
  }

  async explain() {
    const { Explanation } = await import("./play-explain.js");
    this.explanation ??= new Explanation(this.session, this.board);
    this.extra.replaceChildren(this.explanation.element);
    this.explained = this.session.shown;
    await this.explanation.show();
    this.explanation.element.scrollIntoView({ block: "nearest" });
  }

  async askHint() {
    const { session } = this;
    if (!this.table) return api.post("hint", session.place(session.state.at));
    const { did: move } = await api.post("contest", {
      ...session.place(session.state.at),
      player: "expect:1",
      seed: 1,
    });
    const turn = session.shown.contest.turns.find((one) => one.text === move);
    return {
      move: move === "-" ? t("play.pass") : move,
      arrows: (turn?.legs ?? []).filter((leg) => leg.from).map(({ from, to }) => ({ from, to })),
    };
  }

  async newGame() {
    const { NewGame } = await import("./play-setup.js");
    new NewGame(this.games, (state) => {
      if (state.spec === this.sheet.spec) this.sit(state);
      else location.hash = `#/play/${encodeURIComponent(state.spec)}`;
    }).open(this.sheet, this.session.state);
  }

  key(event) {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.defaultPrevented ||
      event.target.closest?.("input, select, textarea, dialog")
    )
      return;
    const { session } = this;
    const { at, moves } = session.state;
    const ways = {
      ArrowLeft: () => session.show(Math.max(0, at - 1)),
      ArrowRight: () => session.show(Math.min(moves.length, at + 1)),
      Home: () => session.show(0),
      End: () => session.show(moves.length),
      f: () => this.flip(),
      h: () => !this.panel.buttons.hint.disabled && this.panel.hint(),
      u: () => session.takeBack(),
    };
    if (!(event.key in ways)) return;
    event.preventDefault();
    ways[event.key]();
  }

  close() {
    document.removeEventListener("keydown", this.onKey);
    window.removeEventListener("pagehide", this.onLeave);
    window.removeEventListener("pageshow", this.onReturn);
    for (const act of ACTS) window.removeEventListener(act, this.onAct, true);
    this.unwatch();
    this.session?.rest();
    this.session?.close();
  }
}
