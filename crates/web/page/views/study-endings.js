// Endings: choose the men, have the table made, see the longest win, ask what any position is worth, practise.

import { api, showError } from "/lib/api.js";
import { download, field, h, s, speak } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { Editor } from "/board/editor.js";
import { kindName, sideName } from "/board/names.js";
import { drawPiece } from "/board/piece.js";
import { csv } from "/lib/csv.js";
import { gameDescriptor } from "/lib/descriptors.js";
import { count, gameChoice, remember, segments, watchWork } from "./study-common.js";
import { EndingBoard } from "./study-moves.js";

export async function show(root, path, query) {
  const view = new EndingsView(root, query);
  await view.begin();
  return () => view.leave();
}

class EndingsView {
  constructor(root, query) {
    this.root = root;
    this.game = query.get("game") ?? "chess";
    this.material = query.get("material") ?? "";
    this.mode = query.get("mode") ?? "longest";
    this.position = query.get("position") ?? undefined;
    this.seed = Number(query.get("seed")) || 0;
    this.played = (query.get("moves") ?? "").split(" ").filter(Boolean);
  }

  async begin() {
    this.board = h("div", { class: "study-board" });
    this.modes = h("div", { class: "study-modes" });
    this.result = h("div", { class: "study-result" });
    this.chooser = h("div", { class: "study-choose" });
    this.root.append(
      h(
        "div",
        { class: "beside study-beside" },
        h("section", null, this.modes, this.board),
        h("div", { class: "study-side" }, this.chooser, this.result),
      ),
    );
    await this.drawChooser();
    if (this.material) await this.build();
  }

  leave() {
    this.controller?.abort();
  }

  keep() {
    const { game, material, mode, position, seed, played } = this;
    remember("endings", {
      game,
      material,
      mode: mode === "longest" ? "" : mode,
      position: mode === "setup" ? position : "",
      seed: mode === "practise" ? seed : "",
      moves: mode === "practise" ? played.join(" ") : "",
    });
  }

  async drawChooser() {
    const choice = await gameChoice(this.game, (game) => {
      Object.assign(this, { game, material: "", position: undefined, mode: "longest", played: [] });
      this.table = undefined;
      this.result.replaceChildren();
      this.keep();
      this.drawChooser();
    });
    try {
      const [sheet, list] = await Promise.all([
        gameDescriptor(this.game),
        api.get(`endings/${encodeURIComponent(this.game)}`),
      ]);
      this.sheet = sheet;
      const parts = [field(t("study.game"), choice)];
      if (list.none) parts.push(h("p", { class: "wrong" }, t("study.noTables"), list.none));
      else parts.push(...this.choices(list.endings));
      this.chooser.replaceChildren(h("section", { class: "card" }, parts));
      this.empty(list.none);
    } catch (error) {
      this.chooser.replaceChildren(h("section", { class: "card" }, field(t("study.game"), choice)));
      showError(error);
    }
  }

  empty(none) {
    const still = new EndingBoard(this.sheet, {});
    still.board.set({ ...this.sheet.start, moves: [] });
    still.board.allow(false);
    this.modes.replaceChildren(
      this.material ? "" : h("p", { class: "faint" }, t(none ? "study.chooseOther" : "study.chooseEnding")),
    );
    this.board.replaceChildren(still.element, h("p", { class: "study-where" }));
  }

  choices(endings) {
    const typed = h("input", {
      "value": this.material,
      "placeholder": endings[1]?.material ?? "KRK",
      "class": "short-text mono",
      "spellcheck": "false",
      "autocapitalize": "characters",
      "aria-label": t("study.men"),
    });
    const form = h(
      "form",
      {
        class: "row end",
        onsubmit: (event) => {
          event.preventDefault();
          this.choose(typed.value.trim());
        },
      },
      field(t("study.menTyped"), typed),
      h("button", null, t("study.open")),
    );
    const three = endings.filter((ending) => ending.sides.flat().length === 3);
    const four = endings.filter((ending) => ending.sides.flat().length > 3);
    const buttons = (list) =>
      h(
        "div",
        { class: "study-men" },
        list.map((ending) => this.menButton(ending)),
      );
    return [
      h("h3", null, t("study.threeMen")),
      buttons(three),
      four.length > 0 &&
        h(
          "details",
          { open: four.some((one) => one.material === this.material) },
          h("summary", null, t("study.fourMen", { n: four.length })),
          buttons(four),
        ),
      form,
    ];
  }

  menButton({ material, sides, ready }) {
    const glyph = (kind, side) =>
      s(
        "svg",
        { "viewBox": "-50 -50 100 100", "width": 26, "height": 26, "aria-hidden": "true" },
        drawPiece(this.sheet, kind, side, { set: "auto", quarters: 0 }),
      );
    const words = sides
      .map((kinds) => kinds.map((kind) => kindName(this.sheet, kind)).join(t("study.and")))
      .join(t("study.against"));
    return h(
      "button",
      {
        "type": "button",
        "aria-pressed": String(material === this.material),
        "data-material": material,
        "title": words,
        "aria-label": `${material}, ${words}`,
        "onclick": () => this.choose(material),
      },
      h(
        "span",
        { class: "glyphs" },
        sides[0].slice(1).map((kind) => glyph(kind, 0)),
      ),
      h("span", { class: "mono" }, material),
      ready && h("span", { class: "ready", title: t("study.ready") }, "●"),
    );
  }

  async choose(material) {
    if (!material) return;
    Object.assign(this, { material, mode: "longest", position: undefined, played: [] });
    for (const button of this.chooser.querySelectorAll("[data-material]"))
      button.setAttribute("aria-pressed", String(button.dataset.material === material));
    this.keep();
    await this.build();
  }

  async build() {
    this.controller?.abort();
    const controller = new AbortController();
    this.controller = controller;
    const progress = h("progress", { max: 100 });
    const said = h("span", null, t("study.building", { material: this.material, percent: 0 }));
    const stop = h("button", { type: "button", onclick: () => controller.abort() }, t("study.stop"));
    this.result.replaceChildren(
      h("section", { class: "card study-progress" }, progress, h("div", { class: "row" }, said, stop)),
    );
    const told = ({ progress: far }) => {
      if (!far?.total) return;
      progress.value = (100 * far.done) / far.total;
      said.textContent = t("study.building", {
        material: far.material,
        percent: Math.round((100 * far.done) / far.total),
      });
    };
    try {
      this.table = await watchWork(
        "endings/table/events",
        { game: this.game, material: this.material },
        told,
        controller.signal,
      );
      this.material = this.table.material;
      this.keep();
      this.tell();
      await this.setMode(this.mode);
    } catch (error) {
      this.result.replaceChildren();
      showError(error);
    }
  }

  /** How much of the ending is won. */
  tell() {
    const { table, sheet } = this;
    const side = (one, at) => {
      const all = one.won + one.drawn + one.lost || 1;
      const part = (n, name, mark) =>
        n > 0 &&
        h(
          "span",
          { class: name, style: { flexGrow: String(n) }, title: `${t(`study.${name}`)} ${count(n)}` },
          n / all > 0.12 ? `${mark} ${((100 * n) / all).toFixed(1)}%` : "",
        );
      return h(
        "div",
        { class: "study-worths" },
        h("h3", null, t("study.toMove", { side: sideName(sheet, at) })),
        h(
          "div",
          {
            "class": "bars worths",
            "role": "img",
            "aria-label": `${t("study.won")} ${one.won}, ${t("study.drawn")} ${one.drawn}, ${t("study.lost")} ${one.lost}`,
          },
          part(one.won, "won", "●"),
          part(one.drawn, "drawn", "■"),
          part(one.lost, "lost", "▲"),
        ),
        h(
          "p",
          { class: "small" },
          t("study.counts", { won: count(one.won), drawn: count(one.drawn), lost: count(one.lost) }),
        ),
        one.longest_win &&
          h(
            "p",
            { class: "longest" },
            t("study.longest", { moves: Math.ceil(one.longest_win_plies / 2), plies: one.longest_win_plies }),
          ),
      );
    };
    const rows = () =>
      csv([
        ["side", "won", "drawn", "lost", "longest_win_plies", "longest_win"],
        ...table.sides.map((one) => [
          one.to_move,
          one.won,
          one.drawn,
          one.lost,
          one.longest_win_plies,
          one.longest_win,
        ]),
      ]);
    this.moveTable = h("div", { class: "study-moves-of" });
    this.result.replaceChildren(
      h(
        "section",
        { class: "card" },
        h("h2", null, table.material),
        h("div", { class: "study-both" }, table.sides.map(side)),
        h("p", { class: "faint small" }, t("study.images")),
        h(
          "button",
          {
            type: "button",
            class: "small",
            onclick: () => download(`${this.game}-${table.material}.csv`, rows(), "text/csv"),
          },
          t("study.saveCsv"),
        ),
      ),
      this.moveTable,
    );
  }

  async setMode(mode) {
    this.mode = mode;
    const options = [
      ["longest", t("study.longestWin")],
      ["practise", t("study.practise")],
      ["setup", t("study.anyPosition")],
    ];
    this.modes.replaceChildren(
      segments(t("study.mode"), options, mode, (next) => {
        this.played = [];
        if (next === "practise") this.seed = 0;
        this.setMode(next);
      }),
    );
    this.moveTable.replaceChildren();
    this.keep();
    try {
      if (mode === "practise") await this.practise();
      else if (mode === "setup") this.setUp();
      else await this.longest();
    } catch (error) {
      showError(error);
    }
  }

  async longest() {
    const best = [...this.table.sides].sort(
      (a, b) => (b.longest_win_plies ?? 0) - (a.longest_win_plies ?? 0),
    )[0];
    if (!best.longest_win) {
      this.board.replaceChildren(
        h("p", { class: "card" }, t("study.nobodyWins", { material: this.table.material })),
      );
      return;
    }
    const walk = new EndingBoard(this.sheet, {
      game: this.game,
      values: true,
      table: this.moveTable,
      onPlay: () => {},
    });
    this.board.replaceChildren(walk.element, walk.controls);
    await walk.start(best.longest_win);
  }

  async practise() {
    this.seed ||= 1 + Math.floor(Math.random() * 999_999);
    const drawn = await api.post("endings/practice", {
      game: this.game,
      material: this.material,
      seed: this.seed,
    });
    const walk = new EndingBoard(this.sheet, {
      game: this.game,
      practise: drawn.plies,
      table: this.moveTable,
      onPlay: (moves) => {
        this.played = moves;
        this.keep();
      },
    });
    const next = h(
      "button",
      {
        type: "button",
        onclick: () => {
          this.seed = 0;
          this.played = [];
          this.setMode("practise");
        },
      },
      t("study.another"),
    );
    walk.controls.append(next);
    this.board.replaceChildren(walk.element, walk.verdict, walk.controls);
    this.keep();
    await walk.start(drawn.position, this.played);
    if (!this.played.length) speak(t("study.winIn", { n: Math.ceil(drawn.plies / 2) }));
  }

  setUp() {
    this.position ??= this.table.sides.find((one) => one.longest_win)?.longest_win ?? this.sheet.start.text;
    const walk = new EndingBoard(this.sheet, {
      game: this.game,
      values: true,
      table: this.moveTable,
      onPlay: () => {},
    });
    const editor = new Editor(this.sheet, {
      marks: false,
      onChange: (text) => {
        this.position = text;
        this.keep();
      },
    });
    editor.take(this.position);
    const probe = async () => {
      this.position = editor.text();
      this.keep();
      try {
        await walk.start(this.position);
        this.board.replaceChildren(walk.element, walk.controls);
        walk.controls.append(h("button", { type: "button", onclick: () => this.setUp() }, t("study.setup")));
      } catch (error) {
        showError(error);
      }
    };
    this.moveTable.replaceChildren();
    this.board.replaceChildren(
      editor.element,
      h("button", { type: "button", class: "first", onclick: probe }, t("study.whatIsIt")),
    );
  }
}
