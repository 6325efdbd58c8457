// One game of a collection, replayed on a board: at the hit, move by move, by clicks and keys, and into its variations.

import { api, showError } from "/lib/api.js";
import { copy, download, h } from "/lib/dom.js";
import { MoveTree } from "/lib/move-tree.js";
import { t } from "/lib/words.js";
import { Board } from "/board/board.js";
import {
  address,
  collectionAndSheet,
  head,
  keepAddress,
  number,
  of,
  playAddress,
  playersText,
  resultBadge,
} from "./records-common.js";
import { tagsTable } from "./game-head.js";
import { TreeView } from "./tree-view.js";

export async function showPart(root, name, [text], query) {
  const { collection, sheet } = await collectionAndSheet(name);
  const at = query.get("ply");
  const record = await api.get(
    `${of(name, `games/${encodeURIComponent(text)}`)}${at === null ? "" : `?ply=${encodeURIComponent(at)}`}`,
  );
  const replay = new Replay(collection, sheet, record, at, query.get("q") ?? "");
  root.append(...head(collection, sheet, "games", { q: replay.query }), replay.element);
  const keys = (event) => replay.key(event);
  document.addEventListener("keydown", keys);
  replay.show(record.position_view);
  return () => document.removeEventListener("keydown", keys);
}

class Replay {
  constructor(collection, sheet, record, at, query) {
    Object.assign(this, { collection, sheet, record, query });
    this.tree = new MoveTree(record.tree);
    const last = this.tree.plies;
    const hit = at === null ? null : Math.min(last, Math.max(0, Number(at) || 0));
    this.node = this.nodeAt(hit ?? last);
    this.known = new Map([[this.node, record.position_view]]);
    this.board = new Board(sheet, { interactive: false });
    this.moves = new TreeView(sheet, {
      go: (node) => this.goTo(node),
      label: t("records.moves"),
      className: "replay-moves",
    });
    this.moves.draw(this.tree, { hit: hit ? this.node : null });
    this.count = h("span", { "class": "replay-count", "aria-live": "off" });
    this.links = h("div", { class: "row" });
    this.toGame = h(
      "button",
      { class: "quiet small", onclick: () => this.goTo(this.nodeAt(this.mainPly())) },
      t("records.toGame"),
    );
    this.element = this.arrange();
  }

  /** The node of the game itself after so many plies. */
  nodeAt(ply) {
    return this.tree.main[ply - 1] ?? 0;
  }

  /** At how many plies of the game itself somebody is, or has left it. */
  mainPly() {
    return this.tree.path(this.node).filter((node) => this.tree.isMain(node)).length;
  }

  arrange() {
    const { record, sheet, collection } = this;
    const button = (key, sign, to) =>
      h(
        "button",
        { "aria-label": t(`records.${key}`), "title": t(`records.${key}`), "onclick": () => this.go(to) },
        sign,
      );
    const last = this.tree.plies;
    const controls = h(
      "div",
      { class: "row replay-controls" },
      button("toStart", "«", -Infinity),
      button("back", "‹", -1),
      this.count,
      button("forward", "›", 1),
      button("toEnd", "»", Infinity),
      h("button", { onclick: () => this.board.flip() }, t("board.flip")),
    );
    const files = record.formats.map((format) =>
      h(
        "a",
        {
          class: "button",
          href: `/api/${of(collection.name, `games/${record.number}/file`)}?format=${format}`,
          download: `${collection.name}-${record.number}.${format}`,
        },
        format.toUpperCase(),
      ),
    );
    const picture = h(
      "button",
      {
        onclick: () =>
          download(
            `${collection.name}-${record.number}-${this.tree.depth(this.node)}.svg`,
            this.board.svg(),
            "image/svg+xml",
          ),
      },
      "SVG",
    );
    return h(
      "div",
      { class: "beside replay" },
      h("div", { class: "replay-board" }, this.board.element, controls),
      h(
        "div",
        { class: "replay-side" },
        h(
          "div",
          { class: "card" },
          h(
            "div",
            { class: "row between" },
            h("h2", { class: "replay-players" }, playersText(record.players)),
            resultBadge(sheet, record.result),
          ),
          h(
            "p",
            { class: "faint small" },
            t("records.gameNumber", { number: number(record.number) }),
            " · ",
            t("records.plies", { count: number(last) }),
          ),
          this.moves.element,
          this.links,
        ),
        h(
          "div",
          { class: "card" },
          h("h3", null, t("records.saveGame")),
          h("div", { class: "row" }, files, picture),
          tagsTable(record.tags),
        ),
      ),
    );
  }

  /** Along the line that is shown by so many moves, or to its end; before all is the start of the game. */
  go(by) {
    const { tree } = this;
    const line = [0, ...tree.line(this.node)];
    const at = Math.max(0, Math.min(line.length - 1, tree.depth(this.node) + by));
    return this.goTo(line[at]);
  }

  async goTo(node) {
    if (node === this.node) return;
    const before = this.node;
    this.node = node;
    try {
      const positionView = await this.positionView(node);
      if (node === this.node) this.show(positionView, { animate: true });
    } catch (error) {
      if (node === this.node) this.node = before;
      showError(error);
    }
  }

  async positionView(node) {
    if (!this.known.has(node)) {
      const { tree, record } = this;
      const place = () => ({
        game: record.game,
        position: record.start ?? undefined,
        moves: tree.texts(tree.path(node)),
      });
      const asked = tree.isMain(node)
        ? api.get(of(this.collection.name, `games/${record.number}/plies/${tree.depth(node)}`))
        : api.post("position", place());
      this.known.set(node, asked);
      // Nobody was there to ask: it is asked again when it is wanted again.
      asked.catch(() => this.known.delete(node));
    }
    return this.known.get(node);
  }

  show(positionView, { animate = false } = {}) {
    const { name } = this.collection;
    const { tree, node, moves } = this;
    const line = tree.line(node);
    this.board.set({ ...positionView, moves: [] }, { animate });
    this.count.textContent = `${number(tree.depth(node))} / ${number(line.length)}`;
    const current = moves.mark(node);
    moves.element.scrollTop = current ? current.offsetTop - moves.element.clientHeight / 2 : 0;
    this.links.replaceChildren(
      ...(tree.isMain(node) ? [] : [this.toGame]),
      h("a", { href: address([name, "explore"], { position: positionView.text }) }, t("records.exploreHere")),
      h("a", { href: address([name], { q: `position "${positionView.text}"` }) }, t("records.findHere")),
      h("a", { href: playAddress(this.sheet, positionView) }, t("records.playHere")),
      h(
        "button",
        { class: "quiet small", onclick: () => copy(positionView.text, t("copied")).catch(showError) },
        t("records.copyPosition"),
      ),
    );
    keepAddress([name, "games", this.record.number], { ply: String(this.mainPly()), q: this.query });
    // What comes next is asked for before it is wanted.
    const next = line[tree.depth(node)];
    if (next !== undefined) this.positionView(next).catch(() => undefined);
  }

  key(event) {
    if (
      event.target.closest?.("input, textarea, select, [role=grid]") ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey
    )
      return;
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.go(by);
  }
}
