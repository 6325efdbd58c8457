// The page of a game: board, moves, rules in words, changes as switches, lineage, the file itself.

import { api, showError, whyNot } from "../lib/api.js";
import { download, fillWith, h, svgText } from "../lib/dom.js";
import { t } from "../lib/words.js";
import { Board } from "../board/board.js";
import { pieces } from "./games-diagram.js";
import { treeOf } from "./games-lineage.js";
import { counting } from "./games-count.js";
import { gameAbout, gameName, said } from "../lib/library.js";
import { gameDescriptor } from "../lib/descriptors.js";
import { gameHref } from "./games-list.js";
import { highlighted } from "./games-toml.js";

export async function showGame(root, spec) {
  const page = h("div", { class: "game-page" });
  root.append(page);
  let sheet;
  try {
    sheet = await gameDescriptor(spec, true);
  } catch (error) {
    page.append(
      h("h1", null, spec),
      h("p", { class: "wrong" }, error.message),
      ...whyNot(error),
      h("p", null, h("a", { href: "#/games" }, t("games.back"))),
    );
    return;
  }
  new GamePage(page, sheet).draw();
}

class GamePage {
  constructor(root, sheet) {
    this.root = root;
    this.sheet = sheet;
    this.board = h("div", { class: "board-place" });
    this.rest = h("div", { class: "below" });
    this.changes = h("fieldset", { class: "changes" });
    this.status = h("p", { class: "unseen", role: "status" });
    this.buttons = h("div", { class: "row actions" });
  }

  draw() {
    const { sheet } = this;
    this.root.replaceChildren(
      h("p", { class: "crumbs" }, h("a", { href: "#/games" }, t("games.title")), " / ", gameName(sheet)),
      h(
        "div",
        { class: "beside head" },
        this.board,
        h(
          "div",
          { class: "card about" },
          h("h1", null, gameName(sheet), sheet.own && h("span", { class: "badge" }, t("games.own"))),
          h("p", null, gameAbout(sheet)),
          h("p", { class: "faint small facts" }, this.facts()),
          this.buttons,
          this.changes,
          this.status,
        ),
      ),
      this.rest,
    );
    this.drawChanges();
    this.fill();
  }

  facts() {
    const { sheet } = this;
    return [
      `${sheet.files} × ${sheet.ranks}`,
      t("games.kinds", { n: sheet.kinds.length }),
      sheet.n_sides > 2 && t("games.sides", { n: sheet.n_sides }),
      sheet.hand && t("games.hand"),
      sheet.contest && t("games.dice"),
    ]
      .filter(Boolean)
      .join(" · ");
  }

  /** What follows the changes that are on. */
  fill() {
    const { sheet } = this;
    const board = new Board(sheet, { interactive: false, still: true });
    board.set(sheet.start);
    this.board.replaceChildren(board.element);
    this.shown = board;
    this.drawButtons();
    fillWith(
      this.rest,
      h(
        "section",
        { "aria-labelledby": "moves-of-pieces" },
        h("h2", { id: "moves-of-pieces" }, t("games.moves")),
        pieces(sheet),
      ),
      h(
        "section",
        { "aria-labelledby": "rules-in-words" },
        h("h2", { id: "rules-in-words" }, t("games.rules")),
        rulesInWords(sheet),
      ),
      this.lineage(),
      !sheet.contest && counting(sheet),
      this.file(),
    );
  }

  drawButtons() {
    const { sheet } = this;
    const spec = encodeURIComponent(sheet.spec).replaceAll("%2B", "+");
    const name = sheet.spec.replaceAll("+", "-");
    this.buttons.replaceChildren(
      h("a", { class: "button first", href: `#/play/${spec}` }, t("games.play")),
      h(
        "a",
        { class: "button", href: `#/analyze?game=${encodeURIComponent(sheet.spec)}` },
        t("games.measure"),
      ),
      sheet.own
        ? h(
            "a",
            { class: "button", href: `#/games/new?own=${encodeURIComponent(sheet.id)}` },
            t("games.edit"),
          )
        : h(
            "a",
            { class: "button", href: `#/games/new?from=${encodeURIComponent(sheet.id)}` },
            t("games.write-from"),
          ),
      h(
        "button",
        { onclick: () => download(`${name}.svg`, this.shown.svg(), "image/svg+xml") },
        t("games.save-board"),
      ),
      h("button", { onclick: () => this.saveDiagrams(name) }, t("games.save-diagrams")),
    );
  }

  /** Every diagram of the page as one picture. */
  saveDiagrams(name) {
    const all = [...this.rest.querySelectorAll("figure .diagram")].map((svg, at) => {
      const inner = svgText(svg).replace(
        "<svg",
        `<svg x="${(at % 5) * 220 + 10}" y="${Math.floor(at / 5) * 220 + 10}" width="200" height="200"`,
      );
      return inner;
    });
    const rows = Math.ceil(all.length / 5);
    download(
      `${name}-moves.svg`,
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1120 ${rows * 220 + 20}">${all.join("")}</svg>`,
      "image/svg+xml",
    );
  }

  drawChanges() {
    const { sheet } = this;
    if (!sheet.changes.length) {
      this.changes.remove();
      return;
    }
    const line = (change) => {
      const box = h("input", {
        type: "checkbox",
        role: "switch",
        checked: change.on,
        onchange: () => this.turn(change, box),
      });
      return h(
        "label",
        { class: "change" },
        box,
        h(
          "span",
          null,
          h("strong", { class: "mono" }, change.name),
          h("span", { class: "faint small" }, said(change.about)),
        ),
      );
    };
    this.changes.replaceChildren(h("legend", null, t("games.changes")), ...sheet.changes.map(line));
  }

  /** Switches a change: the address, the board and the words follow. */
  async turn(change, box) {
    const before = this.sheet;
    const on = before.changes
      .filter((one) => (one.name === change.name ? box.checked : one.on))
      .map((one) => one.name);
    const spec = [before.id, ...on].join("+");
    try {
      this.sheet = await gameDescriptor(spec, true);
    } catch (error) {
      // Changes that clash: the switch goes back, the file's words say why.
      box.checked = !box.checked;
      showError(Object.assign(error, { hint: error.problems?.[0]?.what ?? error.hint }));
      return;
    }
    history.replaceState(null, "", gameHref(spec));
    for (const one of before.changes) one.on = on.includes(one.name);
    this.sheet.changes.forEach((one) => {
      one.on = on.includes(one.name);
    });
    this.fill();
    this.status.textContent = t("games.changed", { spec });
  }

  lineage() {
    const { sheet } = this;
    const place = h("div", { class: "tree-place" });
    api
      .get(`lineage?lang=${document.documentElement.lang}`)
      .then((data) => place.replaceChildren(treeOf(data, sheet.id)), showError);
    return h(
      "section",
      { "aria-labelledby": "lineage-of-game" },
      h("h2", { id: "lineage-of-game" }, t("games.lineage")),
      !sheet.lineage.length && h("p", { class: "faint" }, t("games.no-ancestor")),
      place,
    );
  }

  file() {
    const { sheet } = this;
    return h(
      "section",
      { class: "file" },
      h(
        "details",
        null,
        h("summary", null, t("games.file", { name: `${sheet.id}.toml` })),
        h(
          "button",
          { onclick: () => download(`${sheet.id}.toml`, sheet.source, "application/toml") },
          t("games.download"),
        ),
        h("pre", { class: "toml scroll", tabindex: 0 }, highlighted(sheet.source)),
      ),
    );
  }
}

/** The rules under their headings. */
export function rulesInWords(sheet) {
  const upper = (sentence) => sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return h(
    "dl",
    { class: "rules" },
    sheet.rules.map((rule) => [
      h("dt", null, upper(rule.title)),
      h(
        "dd",
        null,
        h(
          "ul",
          null,
          rule.sentences.map((sentence) =>
            h(
              "li",
              { class: sentence.startsWith("…") || sentence.startsWith("...") ? "goes-on" : undefined },
              upper(sentence.replace(/^(\.\.\.|…)\s*/, "")),
            ),
          ),
        ),
      ),
    ]),
  );
}
