// The explorer: what was played from a position, how often and how it went; deeper by a click, back by another.

import { ApiError, api, showError } from "/lib/api.js";
import { download, field, h } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { Board } from "/board/board.js";
import { moveWords, sideName } from "/board/names.js";
import { csv } from "/lib/csv.js";
import {
  address,
  collectionAndSheet,
  duration,
  head,
  number,
  of,
  percent,
  playAddress,
  resultBar,
} from "./records-common.js";

export async function showPart(root, name, _, query) {
  const { collection, sheet } = await collectionAndSheet(name);
  const explorer = new Explorer(collection, sheet, query);
  root.append(...head(collection, sheet, "explore"), explorer.element);
  const keys = (event) => {
    if (event.key === "Backspace" && !event.target.closest("input, textarea, select")) {
      event.preventDefault();
      explorer.back();
    }
  };
  document.addEventListener("keydown", keys);
  await explorer.ask();
  return () => document.removeEventListener("keydown", keys);
}

class Explorer {
  constructor(collection, sheet, query) {
    Object.assign(this, { collection, sheet });
    this.board = new Board(sheet, { onMove: (text) => this.deeper(text) });
    this.line = h("div", { "class": "row explore-line", "aria-label": t("records.line") });
    this.counted = h("p", { "class": "counted", "aria-live": "polite" });
    this.table = h("div", { class: "scroll" });
    this.filter = h("input", {
      class: "mono",
      placeholder: "rating>=2000 result=draw",
      autocomplete: "off",
      spellcheck: "false",
      onchange: () => {
        this.query = this.filter.value.trim();
        this.go();
      },
    });
    this.wrong = h("div", { class: "wrong", role: "alert" });
    this.read(query);
    this.element = h(
      "div",
      { class: "beside explore" },
      h("div", { class: "replay-board" }, this.board.element),
      h(
        "div",
        { class: "card explore-side" },
        this.line,
        this.counted,
        this.table,
        this.wrong,
        field(t("records.onlyIn"), this.filter),
        (this.links = h("div", { class: "row" })),
      ),
    );
  }

  read(query) {
    this.position = query.get("position") ?? "";
    this.moves = (query.get("moves") ?? "").split(",").filter(Boolean);
    this.query = query.get("q") ?? "";
    this.filter.value = this.query;
  }

  address() {
    return address([this.collection.name, "explore"], {
      position: this.position,
      moves: this.moves.join(","),
      q: this.query,
    });
  }

  /** The address changes with every step, so that the browser's own "back" works too. */
  go() {
    history.pushState(null, "", this.address());
    return this.ask({ animate: true });
  }

  deeper(text) {
    this.moves = [...this.moves, text];
    return this.go();
  }

  back() {
    if (!this.moves.length) return undefined;
    this.moves = this.moves.slice(0, -1);
    return this.go();
  }

  async ask({ animate = false } = {}) {
    this.controller?.abort();
    const controller = new AbortController();
    this.controller = controller;
    try {
      const body = { position: this.position || undefined, moves: this.moves, query: this.query };
      const explored = await api.post(of(this.collection.name, "explore"), body, {
        signal: controller.signal,
      });
      if (!controller.signal.aborted) this.show(explored, { animate });
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof ApiError)) showError(error);
      this.wrong.replaceChildren(
        h("strong", null, error.message),
        error.hint ? h("div", { class: "small" }, error.hint) : "",
      );
    }
  }

  show(explored, { animate }) {
    const { sheet, collection } = this;
    this.wrong.replaceChildren();
    this.board.set(explored.position_view, { animate });
    const to = (n) => () => {
      this.moves = this.moves.slice(0, n);
      this.go();
    };
    this.line.replaceChildren(
      h(
        "button",
        {
          "class": "quiet",
          "disabled": !this.moves.length,
          "onclick": () => this.back(),
          "aria-label": t("records.back"),
          "title": t("records.back"),
        },
        "‹",
      ),
      h(
        "button",
        { "class": "quiet", "onclick": to(0), "aria-current": this.moves.length ? undefined : "true" },
        t(this.position ? "records.fromHere" : "records.start"),
      ),
      ...explored.position_view.line.map((move, at) =>
        h(
          "button",
          {
            "class": "quiet",
            "onclick": to(at + 1),
            "aria-current": at + 1 === this.moves.length ? "true" : undefined,
          },
          moveWords(move),
        ),
      ),
    );
    this.counted.replaceChildren(
      h(
        "strong",
        null,
        t(explored.games === 1 ? "records.game" : "records.games", { count: number(explored.games) }),
      ),
      " ",
      h(
        "span",
        { class: "faint small" },
        t("records.timesHere", { count: number(explored.positions), time: duration(explored.elapsed_ms) }),
      ),
    );
    this.table.replaceChildren(
      explored.moves.length ? this.drawTable(explored) : h("p", { class: "faint" }, t("records.neverHere")),
    );
    this.links.replaceChildren(
      h(
        "a",
        { href: address([collection.name], { q: `position "${explored.position_view.text}"` }) },
        t("records.findHere"),
      ),
      h("a", { href: playAddress(sheet, explored.position_view) }, t("records.playHere")),
      h("button", { class: "quiet", onclick: () => this.save(explored) }, t("records.saveCsv")),
    );
  }

  drawTable(explored) {
    const { sheet, collection } = this;
    const row = (next) => {
      const text = next.move ? moveWords(next.move) : t("records.end");
      const games = next.games.map((game) =>
        h(
          "a",
          {
            class: "small",
            href: address([collection.name, "games", game], { ply: String(this.moves.length) }),
          },
          `#${game}`,
        ),
      );
      return h(
        "tr",
        null,
        h(
          "td",
          null,
          next.move
            ? h("button", { class: "quiet move", onclick: () => this.deeper(next.move.text) }, text)
            : h("span", { class: "faint" }, text),
        ),
        h("td", { class: "number" }, number(next.count)),
        h("td", { class: "number faint small" }, percent(next.share)),
        h("td", { class: "bar" }, resultBar(sheet, next)),
        h("td", null, h("div", { class: "examples" }, games)),
      );
    };
    return h(
      "table",
      { class: "explore-table" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", null, t("records.move")),
          h("th", { class: "number" }, t("records.count")),
          h("th", { class: "number" }, "%"),
          h("th", null, t("records.results")),
          h("th", null, t("records.examples")),
        ),
      ),
      h("tbody", null, explored.moves.map(row)),
    );
  }

  save(explored) {
    const wins = this.sheet.sides.map((_, side) => `${sideName(this.sheet, side)} wins`);
    const rows = explored.moves.map((next) => [
      next.move?.text ?? "",
      next.count,
      next.share.toFixed(6),
      ...next.wins,
      next.draws,
      next.unknown,
    ]);
    download(
      `${this.collection.name}-explore.csv`,
      csv([["move", "count", "share", ...wins, "draws", "unknown"], ...rows]),
      "text/csv",
    );
  }
}
