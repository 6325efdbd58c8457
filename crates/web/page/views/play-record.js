// The score of a game: saved as a file, loaded from one, pasted, printed.

import { api, showError } from "/lib/api.js";
import { download, h, notice } from "/lib/dom.js";
import { MoveTree } from "/lib/move-tree.js";
import { language, t } from "/lib/words.js";
import { sideName } from "/board/names.js";
import { playersOf } from "./game-head.js";
import { asideState, freshState, keep, putAside } from "./play-keep.js";
import { playerName } from "./play-seats.js";
import { outcomeWords } from "./play-words.js";
import { treeText } from "./tree-view.js";

/** The form of files that hold any game, contests too: what the page itself keeps. */
const OWN = "json";

export class Score {
  /** `open(state)` puts another game on the table. */
  constructor(session, open) {
    Object.assign(this, { session, open });
    this.formats = [...(session.sheet.formats ?? []), OWN];
    this.printed = h("section", { "class": "printed", "aria-hidden": "true" });
  }

  async save(format) {
    const { session } = this;
    const { state, sheet } = session;
    if (format === OWN) {
      const { spec: game, position, moves, seats, record } = state;
      download(
        `${sheet.id}.json`,
        JSON.stringify(
          { game, position, moves, seats, line: session.latest.line, record: record ?? undefined },
          null,
          2,
        ),
        "application/json",
      );
      return;
    }
    try {
      const { text, file_name } = await api.post("score", {
        ...this.game(),
        format,
        tags: this.tags(),
        result: this.result(),
      });
      download(file_name, text);
    } catch (error) {
      showError(error);
    }
  }

  /** The game as it is sent: its moves, or the record that was loaded with all that it says. */
  game() {
    const { session } = this;
    return session.tree ? { ...session.place(0), tree: session.tree.sent } : session.place();
  }

  /** Who, when, where: as the record that was loaded says it. */
  tags() {
    const { state, sheet } = this.session;
    if (state.record) return state.record.tags;
    const names = sheet.sides.map((_, side) =>
      this.session.seat(side) === "human" ? t("play.person") : playerName(this.session.seat(side)),
    );
    return {
      Event: "Ashtapada",
      Date: new Date().toISOString().slice(0, 10).replaceAll("-", "."),
      First: names[0],
      Second: names[1],
    };
  }

  /** A result that the rules cannot know: a record states it, or somebody resigned, agreed or lost on time. */
  result() {
    if (this.session.isRecordOver) return this.session.state.record.result;
    const { ended } = this.session.state;
    if (!ended) return undefined;
    return ended.winner === 0 ? "1-0" : ended.winner === 1 ? "0-1" : "1/2-1/2";
  }

  async loadFile(file) {
    if (file.size > 1 << 20) return notice(t("play.tooLarge"), { isError: true });
    const bytes = await file.arrayBuffer();
    return this.load(decode(bytes));
  }

  /** Reads a score or a position in any form that is known. */
  async load(text) {
    try {
      await this.openText(text.trim());
    } catch (error) {
      showError(error);
    }
  }

  async openText(text) {
    const { sheet } = this.session;
    if (text.startsWith("{") && text.includes('"moves"')) {
      const own = JSON.parse(text);
      if (typeof own.game === "string" && Array.isArray(own.moves)) return this.take(own);
    }
    const isPosition = /^\S+\/\S+(\s+\S+){1,5}$/.test(text);
    if (isPosition) return this.take({ game: sheet.spec, position: text, moves: [] });
    const game = sheet.contest ? undefined : sheet.spec;
    // Moves without tags do not tell their format; with comments and variations they are PGN.
    const ways = [
      () => api.post("score/read", { text, game }),
      () => api.post("score/read", { text }),
      () => api.post("score/read", { text, game, format: "pgn" }),
      () => this.bareMoves(text),
    ];
    let first;
    for (const way of ways) {
      try {
        return await this.take(await way());
      } catch (error) {
        first ??= error;
      }
    }
    throw first;
  }

  /** Moves alone, with or without their numbers, in any notation that can be typed: "1. e2e4 e7e5". */
  async bareMoves(text) {
    const words = text.split(/[\s,]+/).map((word) => word.replace(/^\d+\.+/, ""));
    const moves = words.filter((word) => word && !/^(\*|1-0|0-1|1\/2-1\/2)$/.test(word));
    const { spec: game } = this.session.sheet;
    const { line } = await api.post("position", { game, moves });
    return { game, position: null, moves: line.map((move) => move.text) };
  }

  async take({ game, position, moves, seats, record, tree, tags, result, n_games: nGames = 1 }) {
    const { sheet, state } = this.session;
    const positionView = await api.post("position", { game, position: position ?? undefined, moves });
    const isHere = positionView.game === sheet.spec;
    const its = isHere ? sheet : await api.get(`games/${encodeURIComponent(game)}?lang=${language()}`);
    // What is loaded is looked at first: nobody wants the program to play on at once.
    const people = its.sides.map(() => "human");
    const sat = Array.isArray(seats) ? people.map((who, side) => String(seats[side] ?? who)) : people;
    const line = positionView.line.map((move) => move.text);
    const loaded = freshState(its, {
      position: position ?? null,
      moves: line,
      at: line.length,
      seats: sat,
      view: isHere ? state.view : null,
      record: recordOf(record ?? { tree, tags, result }, line),
    });
    putAside(loaded.spec);
    keep(loaded);
    notice(
      t("play.loaded", { n: moves.length }),
      nGames > 1 ? { hint: t("play.loadedFirst", { n: nGames }) } : {},
    );
    if (isHere) this.open(loaded);
    else location.hash = `#/play/${encodeURIComponent(loaded.spec)}`;
  }

  /** The game that was on the table before this one, if one was. */
  get before() {
    return asideState(this.session.sheet.spec);
  }

  /** Changes places with it. */
  takeUp() {
    const state = this.before;
    putAside(state.spec);
    keep(state);
    this.open(state);
  }

  paste() {
    const area = h("textarea", {
      "rows": 10,
      "aria-label": t("play.paste"),
      "placeholder": t("play.nothingToPaste"),
    });
    const buttons = h(
      "div",
      { class: "row buttons" },
      h("button", { class: "first", type: "submit" }, t("play.open")),
      h("button", { type: "button", onclick: () => dialog.close() }, t("cancel")),
    );
    const form = h(
      "form",
      { method: "dialog", onsubmit: () => this.load(area.value) },
      h("h1", null, t("play.paste")),
      area,
      buttons,
    );
    const dialog = h("dialog", { "class": "setup", "aria-label": t("play.paste") }, form);
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    area.focus();
  }

  /** What is printed: who played, the moves with what is said of them, how it ended. */
  draw() {
    const { session } = this;
    const { sheet, latest, state } = session;
    if (!latest) return;
    const names = state.record ? playersOf(sheet, state.record.tags) : [];
    const players = sheet.sides
      .map((_, side) => `${sideName(sheet, side)}: ${names[side] ?? playerName(session.seat(side))}`)
      .join(" · ");
    const line = treeText(sheet, session.tree ?? MoveTree.ofLine(latest.line));
    const ended = session.isRecordOver
      ? state.record.result
      : session.outcome
        ? outcomeWords(sheet, session.outcome)
        : "";
    this.printed.replaceChildren(
      h("h1", null, sheet.name),
      h("p", null, players),
      h("p", { class: "line" }, line),
      h("p", null, ended),
      h("p", { class: "mono" }, session.shown.text ?? ""),
    );
  }
}

/** What a record says, if it is one and the line is in it. */
function recordOf({ tree, tags, result }, line) {
  if (!MoveTree.isOne(tree) || new MoveTree(tree).nodesOf(line).length !== line.length) return null;
  const texts = Object.entries(tags ?? {}).filter(([, value]) => typeof value === "string");
  return { tree, tags: Object.fromEntries(texts), result: typeof result === "string" ? result : "*" };
}

/** Files of Japanese programs are often Shift_JIS. */
function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("shift_jis").decode(bytes);
  }
}
