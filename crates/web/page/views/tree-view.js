// A tree of moves as a list: the game in rows, what is said of a move below it, variations as running text.

import { h } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { moveWords } from "/board/names.js";

/** Signs for what is thought of a move, by their numbers in PGN; others are shown as those. */
const GLYPHS = {
  1: "!",
  2: "?",
  3: "!!",
  4: "??",
  5: "!?",
  6: "?!",
  10: "=",
  13: "∞",
  14: "⩲",
  15: "⩱",
  16: "±",
  17: "∓",
  18: "+−",
  19: "−+",
};

/** The signs of a note. */
export function glyphsText(glyphs = []) {
  return glyphs.map((glyph) => GLYPHS[glyph] ?? ` $${glyph}`).join("");
}

/** A time as clocks show it. */
function clock(ms) {
  const seconds = Math.round(ms / 1000);
  const two = (part) => String(part).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}:${two(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

export class TreeView {
  /** `go(node)` is called for a click; `single` puts one move in a row. */
  constructor(sheet, { go, label, className, single = false }) {
    Object.assign(this, { sheet, go, single, perRow: single ? 1 : sheet.n_sides });
    this.element = h("ol", { "class": className, "aria-label": label });
    this.buttons = new Map();
  }

  /** Draws a tree; `none` is said where it has no moves, `hit` is a node to be pointed out. */
  draw(tree, { none = "", hit = null } = {}) {
    Object.assign(this, { tree, hit });
    this.buttons.clear();
    const rows = this.rows();
    this.element.replaceChildren(...(rows.length ? rows : [h("li", { class: "faint none" }, none)]));
  }

  /** Marks where somebody is; nothing at the start. */
  mark(node) {
    this.current?.removeAttribute("aria-current");
    this.current = this.buttons.get(node);
    this.current?.setAttribute("aria-current", "step");
    return this.current;
  }

  rows() {
    const { tree } = this;
    const rows = [];
    let row = null;
    const say = (node) => {
      const said = this.said(node);
      if (said.length) rows.push(h("li", { class: "note" }, said));
      return said.length > 0;
    };
    say(0);
    for (const node of tree.main) {
      const at = (tree.nodes[node].ply - 1) % this.perRow;
      if (!row)
        rows.push(
          (row = h(
            "li",
            { class: this.single ? "single" : "" },
            h("span", { class: "number" }, this.number(node, true)),
            Array.from({ length: at }, () => h("span", { class: "gap" }, "…")),
          )),
        );
      row.append(this.button(node));
      if (say(node) || at === this.perRow - 1) row = null;
    }
    return rows;
  }

  /** "12.", in the middle of a row "12…"; where every ply has a number, that. */
  number(node, isRow) {
    const { ply } = this.tree.nodes[node];
    const n = this.sheet.n_sides;
    if (this.single) return String(ply);
    return `${Math.floor((ply - 1) / n) + 1}${(ply - 1) % n && !isRow ? "…" : "."}`;
  }

  button(node) {
    const { glyphs, spent_ms } = this.tree.nodes[node];
    const spent = spent_ms === undefined ? "" : h("span", { class: "faint small" }, ` ${clock(spent_ms)}`);
    const button = h(
      "button",
      {
        "class": `quiet move${node === this.hit ? " at-hit" : ""}`,
        "data-ply": this.tree.depth(node),
        "onclick": () => this.go(node),
      },
      moveWords(this.tree.nodes[node]),
      glyphsText(glyphs),
      spent,
    );
    this.buttons.set(node, button);
    return button;
  }

  /** What is said after a move, and the lines beside it. */
  said(node) {
    return [
      ...this.words(this.tree.nodes[node]),
      ...this.tree.beside(node).map((first) => this.variation(first)),
    ];
  }

  words({ comment, glyphs }, isBefore = false) {
    const text = [isBefore ? glyphsText(glyphs) : "", comment].filter(Boolean).join(" ");
    return text ? [h("span", { class: "said" }, text)] : [];
  }

  variation(first) {
    const { tree } = this;
    const parts = this.words(tree.nodes[first].before ?? {}, true);
    let isNumbered = false;
    for (const node of [first, ...tree.after(first)]) {
      const isFirstSide = (tree.nodes[node].ply - 1) % this.sheet.n_sides === 0;
      if (this.single || isFirstSide || !isNumbered)
        parts.push(h("span", { class: "number" }, this.number(node, false)));
      parts.push(this.button(node));
      const said = node === first ? this.words(tree.nodes[node]) : this.said(node);
      parts.push(...said);
      isNumbered = said.length === 0;
    }
    return h("span", { "class": "variation", "role": "group", "aria-label": t("variation") }, parts);
  }
}

/** A tree as text, for paper: "1. e4! (the best) e5 [1… c5 2. Nf3]". */
export function treeText(sheet, tree) {
  const isSingle = sheet.look === "shogi" || sheet.contest;
  const number = ({ ply }, isNeeded) => {
    if (isSingle) return `${ply} `;
    if ((ply - 1) % sheet.n_sides === 0) return `${Math.floor((ply - 1) / sheet.n_sides) + 1}. `;
    return isNeeded ? `${Math.floor((ply - 1) / sheet.n_sides) + 1}… ` : "";
  };
  const words = (node) => (tree.nodes[node].comment ? [`(${tree.nodes[node].comment})`] : []);
  const line = (nodes, isVariation) => {
    let isBroken = true;
    return nodes
      .flatMap((node, at) => {
        const move =
          number(tree.nodes[node], isBroken) +
          moveWords(tree.nodes[node]) +
          glyphsText(tree.nodes[node].glyphs);
        const others =
          isVariation && at === 0
            ? []
            : tree.beside(node).map((first) => `[${line([first, ...tree.after(first)], true)}]`);
        const said = [...words(node), ...others];
        isBroken = said.length > 0;
        return [move, ...said];
      })
      .join(" ");
  };
  return [...words(0), line(tree.main, false)].filter(Boolean).join(" ");
}
