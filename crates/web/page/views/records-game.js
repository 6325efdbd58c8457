// One game of a collection, replayed on a board: at the hit, move by move, by clicks and keys, and into its variations.

import { api, showError } from "/lib/api.js";
import { copy, download, h } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { moveWords } from "/board/names.js";
import { Board } from "/board/board.js";
import { address, collectionAndSheet, head, keepAddress, number, of, playAddress, playersText, resultBadge } from "./records-common.js";

export async function showPart(root, name, [text], query) {
  const { collection, sheet } = await collectionAndSheet(name);
  const at = query.get("ply");
  const record = await api.get(`${of(name, `games/${encodeURIComponent(text)}`)}${at === null ? "" : `?ply=${encodeURIComponent(at)}`}`);
  const replay = new Replay(collection, sheet, record, at, query.get("q") ?? "");
  root.append(...head(collection, sheet, "games", { q: replay.query }), replay.element);
  const keys = (event) => replay.key(event);
  document.addEventListener("keydown", keys);
  replay.show(record.standing);
  return () => document.removeEventListener("keydown", keys);
}

/** Signs for what is thought of a move, by their numbers in PGN; others are shown as those. */
const GLYPHS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+−", 19: "−+" };

/** A line of moves with what is said of it: the game itself, or a variation of `parent` that begins after `from` plies. */
class Line {
  constructor(moves, notes, from = 0, parent = null) {
    Object.assign(this, { moves, from, parent, buttons: [] });
    this.notes = new Map(notes.map((note) => [note.ply, { ...note, lines: (note.variations ?? []).map((its) => new Line(its.moves, its.notes, from + note.ply, this)) }]));
  }

  /** The moves that lead to a place of this line, as the program wants them. */
  texts(at) {
    const before = this.parent ? this.parent.texts(this.from - this.parent.from) : [];
    return [...before, ...this.moves.slice(0, at).map((move) => move.text)];
  }

  /** Lines beside the move that leads to a place; where the line ends, those that go on too. */
  beside(at) {
    const instead = at > 0 ? this.notes.get(at - 1)?.lines ?? [] : [];
    const onward = at === this.moves.length ? this.notes.get(at)?.lines ?? [] : [];
    return [...instead, ...onward];
  }
}

class Replay {
  constructor(collection, sheet, record, at, query) {
    Object.assign(this, { collection, sheet, record, query });
    const last = record.moves.length;
    this.main = new Line(record.moves, record.notes ?? []);
    this.line = this.main;
    this.hit = at === null ? null : Math.min(last, Math.max(0, Number(at) || 0));
    this.at = this.hit ?? last;
    this.known = new Map([[this.keyOf(this.main, this.at), record.standing]]);
    this.board = new Board(sheet, { interactive: false });
    this.moves = h("ol", { class: "replay-moves", "aria-label": t("records.moves") });
    this.count = h("span", { class: "replay-count", "aria-live": "off" });
    this.links = h("div", { class: "row" });
    this.toGame = h("button", { class: "quiet small", onclick: () => this.goTo(this.main, mainPly(this.line)) }, t("records.toGame"));
    this.element = this.arrange();
    this.drawMoves();
  }

  arrange() {
    const { record, sheet, collection } = this;
    const button = (key, sign, to) => h("button", { "aria-label": t(`records.${key}`), title: t(`records.${key}`), onclick: () => this.go(to()) }, sign);
    const last = record.moves.length;
    const controls = h("div", { class: "row replay-controls" }, button("toStart", "«", () => -Infinity), button("back", "‹", () => this.at - 1), this.count, button("forward", "›", () => this.at + 1), button("toEnd", "»", () => Infinity),
      h("button", { onclick: () => this.board.flip() }, t("board.flip")));
    const files = record.formats.map((format) => h("a", { class: "button", href: `/api/${of(collection.name, `games/${record.number}/file`)}?format=${format}`, download: `${collection.name}-${record.number}.${format}` }, format.toUpperCase()));
    const picture = h("button", { onclick: () => download(`${collection.name}-${record.number}-${this.line.from + this.at}.svg`, this.board.svg(), "image/svg+xml") }, "SVG");
    const tags = record.tags.filter(([name]) => name !== "First" && name !== "Second");
    return h("div", { class: "beside replay" },
      h("div", { class: "replay-board" }, this.board.element, controls),
      h("div", { class: "replay-side" },
        h("div", { class: "card" }, h("div", { class: "row between" }, h("h2", { class: "replay-players" }, playersText(record.players)), resultBadge(sheet, record.result)),
          h("p", { class: "faint small" }, t("records.gameNumber", { number: number(record.number) }), " · ", t("records.plies", { count: number(last) })), this.moves, this.links),
        h("div", { class: "card" }, h("h3", null, t("records.saveGame")), h("div", { class: "row" }, files, picture),
          tags.length ? h("details", { class: "tags" }, h("summary", null, t("records.tags")), h("table", null, tags.map(([name, value]) => h("tr", null, h("th", null, name), h("td", null, value))))) : "")));
  }

  drawMoves() {
    const n = this.sheet.n_sides;
    const rows = [];
    let row = null;
    const say = (at) => {
      const said = this.said(this.main, at);
      if (said.length) rows.push(h("li", { class: "replay-note" }, said));
      return said.length > 0;
    };
    say(0);
    this.main.moves.forEach((move, at) => {
      if (!row) rows.push((row = h("li", null, h("span", { class: "faint small" }, n === 1 ? at + 1 : `${Math.floor(at / n) + 1}${at % n ? "…" : "."}`), Array.from({ length: at % n }, () => h("span")))));
      row.append(this.button(this.main, at));
      if (say(at + 1) || at % n === n - 1) row = null;
    });
    this.moves.replaceChildren(...rows);
  }

  button(line, at) {
    const note = line.notes.get(at + 1);
    const glyphs = (note?.glyphs ?? []).map((glyph) => GLYPHS[glyph] ?? ` $${glyph}`).join("");
    const spent = note?.spent_ms === undefined ? null : h("span", { class: "faint small" }, ` ${clock(note.spent_ms)}`);
    const isHit = line === this.main && at + 1 === this.hit;
    const button = h("button", { class: `quiet${isHit ? " at-hit" : ""}`, onclick: () => this.goTo(line, at + 1) }, moveWords(line.moves[at]), glyphs, spent ?? "");
    line.buttons[at] = button;
    return button;
  }

  /** What is said at a place of a line, and the lines beside the move that leads there. */
  said(line, at) {
    const comment = line.notes.get(at)?.comment;
    return [...(comment ? [h("span", { class: "said" }, comment)] : []), ...line.beside(at).map((its) => this.variation(its))];
  }

  variation(line) {
    const n = this.sheet.n_sides;
    const parts = [...this.said(line, 0)];
    let isNumbered = false;
    line.moves.forEach((_, at) => {
      const ply = line.from + at;
      if (ply % n === 0 || !isNumbered) parts.push(h("span", { class: "faint small" }, `${n === 1 ? ply + 1 : Math.floor(ply / n) + 1}${n > 1 && ply % n ? "…" : "."}`));
      parts.push(this.button(line, at));
      const said = this.said(line, at + 1);
      parts.push(...said);
      isNumbered = said.length === 0;
    });
    return h("span", { class: "variation", role: "group", "aria-label": t("records.variation") }, parts);
  }

  /** Along the line that is shown; back from a variation's first position is the game. */
  go(to) {
    const { line } = this;
    if (to <= 0 && line.parent) {
      if (to === -Infinity) return this.goTo(this.main, 0);
      return this.goTo(line.parent, line.from - line.parent.from);
    }
    return this.goTo(line, to);
  }

  async goTo(line, to) {
    const at = Math.max(0, Math.min(line.moves.length, to));
    if (line === this.line && at === this.at) return;
    const before = { line: this.line, at: this.at };
    Object.assign(this, { line, at });
    try {
      const standing = await this.standing(line, at);
      if (line === this.line && at === this.at) this.show(standing, { animate: true });
    } catch (error) {
      if (line === this.line && at === this.at) Object.assign(this, before);
      showError(error);
    }
  }

  keyOf(line, at) {
    return line === this.main ? at : line.texts(at).join(" ");
  }

  async standing(line, at) {
    const key = this.keyOf(line, at);
    if (!this.known.has(key)) {
      const place = () => ({ game: this.record.game, position: this.record.start ?? undefined, moves: line.texts(at) });
      const asked = line === this.main ? api.get(of(this.collection.name, `games/${this.record.number}/plies/${at}`)) : api.post("position", place());
      this.known.set(key, asked);
      // Nobody was there to ask: it is asked again when it is wanted again.
      asked.catch(() => this.known.delete(key));
    }
    return this.known.get(key);
  }

  show(standing, { animate = false } = {}) {
    const { name } = this.collection;
    const { line, at } = this;
    this.board.set({ ...standing, moves: [] }, { animate });
    this.count.textContent = `${number(line.from + at)} / ${number(line.from + line.moves.length)}`;
    const current = line.buttons[at - 1];
    if (this.current !== current) this.current?.removeAttribute("aria-current");
    current?.setAttribute("aria-current", "");
    this.current = current;
    if (current) this.moves.scrollTop = current.offsetTop - this.moves.clientHeight / 2;
    else this.moves.scrollTop = 0;
    this.links.replaceChildren(
      ...(line.parent ? [this.toGame] : []),
      h("a", { href: address([name, "explore"], { position: standing.text }) }, t("records.exploreHere")),
      h("a", { href: address([name], { q: `position "${standing.text}"` }) }, t("records.findHere")),
      h("a", { href: playAddress(this.sheet, standing) }, t("records.playHere")),
      h("button", { class: "quiet small", onclick: () => copy(standing.text, t("copied")).catch(showError) }, t("records.copyPosition")));
    keepAddress([name, "games", this.record.number], { ply: String(line === this.main ? at : mainPly(line)), q: this.query });
    // What comes next is asked for before it is wanted.
    if (at < line.moves.length) this.standing(line, at + 1).catch(() => undefined);
  }

  key(event) {
    if (event.target.closest?.("input, textarea, select, [role=grid]") || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: -Infinity, End: Infinity }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(to);
  }
}

/** The ply of the game at which a variation, or the line it is in, left it. */
function mainPly(line) {
  return line.parent?.parent ? mainPly(line.parent) : line.from;
}

/** A time as clocks show it. */
function clock(ms) {
  const seconds = Math.round(ms / 1000);
  const two = (part) => String(part).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}:${two(seconds % 60)}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}
