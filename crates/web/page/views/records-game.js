// One game of a collection, replayed on a board: at the hit, move by move, by clicks and keys.

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

class Replay {
  constructor(collection, sheet, record, at, query) {
    Object.assign(this, { collection, sheet, record, query });
    const last = record.moves.length;
    this.hit = at === null ? null : Math.min(last, Math.max(0, Number(at) || 0));
    this.ply = this.hit ?? last;
    this.known = new Map([[this.ply, record.standing]]);
    this.board = new Board(sheet, { interactive: false });
    this.moves = h("ol", { class: "replay-moves", "aria-label": t("records.moves") });
    this.count = h("span", { class: "replay-count", "aria-live": "off" });
    this.links = h("div", { class: "row" });
    this.element = this.arrange();
    this.drawMoves();
  }

  arrange() {
    const { record, sheet, collection } = this;
    const button = (key, sign, to) => h("button", { "aria-label": t(`records.${key}`), title: t(`records.${key}`), onclick: () => this.go(to()) }, sign);
    const last = record.moves.length;
    const controls = h("div", { class: "row replay-controls" }, button("toStart", "«", () => 0), button("back", "‹", () => this.ply - 1), this.count, button("forward", "›", () => this.ply + 1), button("toEnd", "»", () => last),
      h("button", { onclick: () => this.board.flip() }, t("board.flip")));
    const files = record.formats.map((format) => h("a", { class: "button", href: `/api/${of(collection.name, `games/${record.number}/file`)}?format=${format}`, download: `${collection.name}-${record.number}.${format}` }, format.toUpperCase()));
    const picture = h("button", { onclick: () => download(`${collection.name}-${record.number}-${this.ply}.svg`, this.board.svg(), "image/svg+xml") }, "SVG");
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
    const { moves } = this.record;
    this.buttons = moves.map((move) => h("button", { class: `quiet${move.ply === this.hit ? " at-hit" : ""}`, onclick: () => this.go(move.ply) }, moveWords(move)));
    const n = this.sheet.n_sides;
    const rows = [];
    for (let at = 0; at < moves.length; at += n) rows.push(h("li", null, h("span", { class: "faint small" }, n === 1 ? at + 1 : `${at / n + 1}.`), this.buttons.slice(at, at + n)));
    this.moves.replaceChildren(...rows);
  }

  async go(to) {
    const ply = Math.max(0, Math.min(this.record.moves.length, to));
    if (ply === this.ply) return;
    this.ply = ply;
    try {
      const standing = await this.standing(ply);
      if (ply === this.ply) this.show(standing, { animate: true });
    } catch (error) {
      showError(error);
    }
  }

  async standing(ply) {
    if (!this.known.has(ply)) this.known.set(ply, api.get(of(this.collection.name, `games/${this.record.number}/plies/${ply}`)));
    return this.known.get(ply);
  }

  show(standing, { animate = false } = {}) {
    const { name } = this.collection;
    this.board.set({ ...standing, moves: [] }, { animate });
    this.count.textContent = `${number(this.ply)} / ${number(this.record.moves.length)}`;
    this.buttons.forEach((button, at) => button.toggleAttribute("aria-current", at + 1 === this.ply));
    const current = this.buttons[this.ply - 1];
    if (current) this.moves.scrollTop = current.offsetTop - this.moves.clientHeight / 2;
    else this.moves.scrollTop = 0;
    this.links.replaceChildren(
      h("a", { href: address([name, "explore"], { position: standing.text }) }, t("records.exploreHere")),
      h("a", { href: address([name], { q: `position "${standing.text}"` }) }, t("records.findHere")),
      h("a", { href: playAddress(this.sheet, standing) }, t("records.playHere")),
      h("button", { class: "quiet small", onclick: () => copy(standing.text, t("copied")).catch(showError) }, t("records.copyPosition")));
    keepAddress([name, "games", this.record.number], { ply: String(this.ply), q: this.query });
    // What comes next is asked for before it is wanted.
    if (this.ply < this.record.moves.length) this.standing(this.ply + 1).catch(() => this.known.delete(this.ply + 1));
  }

  key(event) {
    if (event.target.closest?.("input, textarea, select, [role=grid]") || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.record.moves.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(to);
  }
}
