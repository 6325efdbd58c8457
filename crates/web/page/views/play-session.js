// One game at a board: what was played, who sits where, whose clock runs. It asks the server for everything about rules.
//
// In: what a person does. Out: `told()` whenever something is to be drawn anew. Never: elements of the page.

import { api, showError } from "/lib/api.js";
import { MoveTree } from "/lib/move-tree.js";
import { Clocks } from "./play-clock.js";
import { keep } from "./play-keep.js";

export class PlaySession {
  /** `isFollowing`: another tab goes on with this game; nothing is kept or begun here until somebody acts here. */
  constructor(sheet, state, { told, tick, isFollowing = false }) {
    Object.assign(this, {
      sheet,
      state,
      told,
      isFollowing,
      isClosed: false,
      isActing: false,
      thinking: false,
      paused: false,
      note: null,
    });
    this.tree = MoveTree.isOne(state.record?.tree) ? new MoveTree(state.record.tree) : null;
    if (!this.tree) state.record = null;
    this.positionViews = new Map([[0, state.position ? null : sheet.start]]);
    this.clocks = new Clocks(state, {
      tick,
      fallen: (side) =>
        this.finish({ winner: sheet.sides.length === 2 ? 1 - side : null, side, how: "time" }),
    });
    this.shown = { board: [] };
  }

  keep() {
    if (!this.isFollowing && !this.isClosed) keep(this.state);
  }

  /** Somebody acts here again: what was left to another tab is this one's business. */
  lead() {
    if (!this.isFollowing) return;
    this.isFollowing = false;
    this.goOn();
  }

  place(ply = this.state.moves.length) {
    const { spec, position, moves } = this.state;
    return { game: spec, position: position ?? undefined, moves: moves.slice(0, ply) };
  }

  async positionViewAt(ply) {
    const known = this.positionViews.get(ply);
    if (known) return known;
    const positionView = await api.post("position", this.place(ply));
    this.positionViews.set(ply, positionView);
    return positionView;
  }

  /** The latest position view. */
  get latest() {
    return this.positionViews.get(this.state.moves.length);
  }

  get isLatest() {
    return this.state.at === this.state.moves.length;
  }

  /** The node of the record's tree that is shown. */
  get node() {
    return this.tree.nodesOf(this.state.moves.slice(0, this.state.at)).at(-1) ?? 0;
  }

  /** Whether the record says how its game ended, so that what is played here is beside it. */
  get isRecordOver() {
    return this.tree !== null && this.state.record.result !== "*";
  }

  /** How it ended: by the rules, or by resigning, agreement or time. */
  get outcome() {
    return this.latest?.outcome ?? this.state.ended;
  }

  seat(side) {
    return this.state.seats[side];
  }

  /** The side that has to do something: of a contest perhaps one that is asked. */
  mover(positionView = this.latest) {
    return positionView.contest?.asked ?? positionView.turn;
  }

  /** Whether a person may move now. */
  get mayMove() {
    if (this.thinking || !this.latest) return false;
    return !this.isLatest || (!this.outcome && this.seat(this.mover()) === "human");
  }

  /** Opens what was kept. */
  async open() {
    await this.positionViewAt(this.state.moves.length);
    await this.show(Math.min(this.state.at, this.state.moves.length), {});
    this.goOn();
  }

  /** Shows the position view after so many plies. */
  async show(ply, { animate = true } = {}) {
    const positionView = await this.positionViewAt(ply);
    this.state.at = ply;
    this.shown = positionView;
    this.keep();
    this.told({ animate });
  }

  /** Plays a move of a person; after an earlier ply it starts a new line. */
  play(text) {
    const side = this.mover(this.shown);
    return this.act(() => this.add(text, side));
  }

  /** What a person does, one thing at a time: a second click before the answer is no second throw. */
  async act(ask) {
    if (this.isActing) return false;
    this.isActing = true;
    try {
      await ask();
    } catch (error) {
      showError(error);
      this.told({});
      return false;
    } finally {
      this.isActing = false;
    }
    this.goOn();
    return true;
  }

  async add(text, side, positionView) {
    const { state } = this;
    const ply = state.at;
    const next =
      positionView ??
      (await api.post("position", { ...this.place(ply), moves: [...state.moves.slice(0, ply), text] }));
    const played = next.line.length
      ? next.line.map((move) => move.text)
      : [...state.moves.slice(0, ply), text];
    this.setLine(this.tree ? this.withMove(next.line) : played);
    this.positionViews.set(played.length, next);
    await this.positionViewAt(state.moves.length);
    state.movers = [...(state.movers ?? []).slice(0, ply), side];
    state.undone = state.undone[0] === state.moves.at(-1) ? state.undone.slice(1) : [];
    state.ended = null;
    this.clocks.moved(side);
    await this.show(played.length);
  }

  /** Another line: position views of moves that both have are the same. */
  setLine(moves) {
    const { state } = this;
    const shared = moves.findIndex((text, at) => text !== state.moves[at]);
    const same = shared < 0 ? moves.length : shared;
    for (const known of [...this.positionViews.keys()]) if (known > same) this.positionViews.delete(known);
    state.moves = moves;
  }

  /** The record with a move that is played now, and the line through it. A game that was not over goes on with it. */
  withMove(line) {
    const { tree, state } = this;
    const parent = tree.nodesOf(line.slice(0, -1).map((move) => move.text)).at(-1) ?? 0;
    const node = tree.add(parent, line.at(-1));
    if (
      state.record.result === "*" &&
      tree.isMain(parent) &&
      tree.depth(parent) === tree.plies &&
      tree.children(parent)[0] === node
    )
      tree.plies += 1;
    state.record.tree = tree.kept;
    return tree.texts(tree.line(node));
  }

  /** Shows a node of the record, and the line that leads through it. */
  async goTo(node) {
    this.interrupt();
    const before = this.state.moves;
    this.setLine(this.tree.texts(this.tree.line(node)));
    try {
      await this.positionViewAt(this.state.moves.length);
      await this.show(this.tree.depth(node));
    } catch (error) {
      this.setLine(before);
      throw error;
    }
    this.goOn();
  }

  /** Takes the variation that is shown out of the record. */
  removeVariation() {
    const first = this.tree.variationOf(this.node);
    const before = this.tree.texts(this.tree.path(this.tree.nodes[first].parent));
    this.tree = this.tree.without(first);
    this.state.record.tree = this.tree.kept;
    return this.goTo(this.tree.nodesOf(before).at(-1) ?? 0);
  }

  /** Lets the clock run and the program move, if it is its turn. */
  async goOn() {
    if (this.isClosed) return;
    const { latest, state } = this;
    if (this.outcome || !latest || this.isFollowing) {
      this.clocks.stop();
      this.told({});
      return;
    }
    const side = this.mover();
    this.clocks.run(state.moves.length ? side : null);
    this.told({});
    if (this.paused || !this.isLatest || this.seat(side) === "human" || this.thinking) return;
    await this.askProgram(side);
  }

  async askProgram(side) {
    this.thinking = true;
    this.controller = new AbortController();
    const { signal } = this.controller;
    this.told({});
    try {
      const { move, position_view: positionView } = await this.reply(side, signal);
      await pause(this.sheet.contest ? 450 : this.onlyPrograms ? 350 : 0, signal);
      if (signal.aborted) return;
      this.thinking = false;
      await this.add(move, side, positionView);
    } catch (error) {
      if (signal.aborted) return;
      this.thinking = false;
      this.paused = true;
      showError(error);
      this.told({});
      return;
    }
    this.goOn();
  }

  /** What the program does: a move, or in a contest whatever is awaited. */
  async reply(side, signal) {
    const { state } = this;
    const asked = { ...this.place(), player: this.seat(side), seed: state.seed + state.moves.length };
    if (this.sheet.contest) {
      const { did, position_view: positionView } = await api.post("contest", asked, { signal });
      return { move: did, position_view: positionView };
    }
    if (state.clock && state.times)
      asked.clock = { remaining_ms: Math.round(state.times[side]), increment_ms: state.clock.seconds * 1000 };
    if (state.values) asked.values = state.values;
    if (state.book) asked.book = state.book;
    return api.post("reply", asked, { signal });
  }

  /** The dice fall for a person. */
  throwDice() {
    const { state } = this;
    return this.act(async () => {
      const { did, position_view: positionView } = await api.post("contest", {
        ...this.place(),
        action: "throw",
        seed: state.seed + state.moves.length,
      });
      await this.add(did, this.mover(), positionView);
    });
  }

  /** Whether no person plays, or none any more. */
  get onlyPrograms() {
    const sides = this.latest?.contest?.sides;
    return !this.state.seats.some((seat, side) => seat === "human" && (sides?.[side].living ?? true));
  }

  /** Stops the program's thinking, if it thinks. */
  interrupt() {
    this.controller?.abort();
    this.thinking = false;
  }

  /** Changes who sits at a side. */
  setSeat(side, who) {
    this.interrupt();
    this.state.seats[side] = who;
    this.paused = this.onlyPrograms && this.state.moves.length === 0 ? this.paused : false;
    this.keep();
    this.goOn();
  }

  /** Back to before the last move of a person. */
  async takeBack() {
    const { state } = this;
    if (!state.moves.length) return;
    if (this.tree) {
      await this.show(Math.max(0, state.at - 1));
      return;
    }
    this.interrupt();
    let ply = state.moves.length - 1;
    while (ply > 0 && !this.isPersons(await this.positionViewAt(ply))) ply -= 1;
    state.undone = [...state.moves.slice(ply), ...state.undone];
    await this.cutTo(ply);
  }

  isPersons(positionView) {
    return positionView.contest?.stage === "throw"
      ? false
      : this.onlyPrograms || this.seat(this.mover(positionView)) === "human";
  }

  async cutTo(ply) {
    this.state.moves = this.state.moves.slice(0, ply);
    for (const known of [...this.positionViews.keys()]) if (known > ply) this.positionViews.delete(known);
    this.state.ended = null;
    this.paused = this.onlyPrograms;
    await this.show(ply);
    this.goOn();
  }

  /** Plays again what was taken back, up to the next turn of a person. */
  async redo() {
    const { state } = this;
    if (!state.undone.length) return;
    this.interrupt();
    do {
      state.moves = [...state.moves, state.undone.shift()];
      await this.positionViewAt(state.moves.length);
    } while (state.undone.length && !this.isPersons(this.latest));
    await this.show(state.moves.length);
    this.goOn();
  }

  /** The game is over by something that is no move. */
  finish(ended) {
    this.interrupt();
    this.clocks.stop();
    this.state.ended = ended;
    this.keep();
    this.told({});
  }

  /** The side that a person resigns or offers for: the one to move, if it is a person's. */
  get person() {
    const { seats } = this.state;
    const turn = this.latest ? this.mover() : 0;
    return seats[turn] === "human" ? turn : seats.indexOf("human");
  }

  resign() {
    const side = this.person;
    this.finish({ winner: this.sheet.sides.length === 2 ? 1 - side : null, side, how: "resigned" });
  }

  pause(isPaused) {
    this.paused = isPaused;
    if (isPaused) {
      this.interrupt();
      this.clocks.stop();
      this.told({});
    } else this.goOn();
  }

  /** Nobody looks at it now; it may be gone on with. */
  rest() {
    this.interrupt();
    this.clocks.stop();
    this.keep();
  }

  /** Another game has its place: what is still on its way to this one is neither kept nor answered. */
  close() {
    this.interrupt();
    this.clocks.stop();
    this.isClosed = true;
  }
}

function pause(ms, signal) {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      done();
    });
  });
}
