// The score of a game: saved as a file, loaded from one, pasted, printed.

import { api, showError } from "/lib/api.js";
import { download, h, notice } from "/lib/dom.js";
import { language, t } from "/lib/words.js";
import { moveWords, sideName } from "/board/names.js";
import { asideState, freshState, keep, putAside } from "./play-keep.js";
import { playerName } from "./play-seats.js";
import { outcomeWords } from "./play-words.js";

/** The form of files that hold any game, contests too: what the page itself keeps. */
const OWN = "json";

export class Score {
  /** `open(state)` puts another game on the table. */
  constructor(sitting, open) {
    Object.assign(this, { sitting, open });
    this.formats = [...(sitting.sheet.formats ?? []), OWN];
    this.printed = h("section", { class: "printed", "aria-hidden": "true" });
  }

  async save(format) {
    const { sitting } = this;
    const { state, sheet } = sitting;
    if (format === OWN) {
      const { spec: game, position, moves, seats } = state;
      download(`${sheet.id}.json`, JSON.stringify({ game, position, moves, seats, line: sitting.latest.line }, null, 2), "application/json");
      return;
    }
    try {
      const { text, file_name } = await api.post("score", { ...sitting.place(), format, tags: this.tags(), result: this.result(), notes: this.notes() });
      download(file_name, text);
    } catch (error) {
      showError(error);
    }
  }

  /** What a loaded score says beside its moves, as far as they are still those of the game. */
  notes() {
    const { moves, said } = this.sitting.state;
    if (!said) return [];
    const shared = said.moves.findIndex((move, at) => move !== moves[at]);
    return shared < 0 ? said.notes : said.notes.filter((note) => note.ply <= shared);
  }

  tags() {
    const names = this.sitting.sheet.sides.map((_, side) => (this.sitting.seat(side) === "human" ? t("play.person") : playerName(this.sitting.seat(side))));
    return { Event: "Ashtapada", Date: new Date().toISOString().slice(0, 10).replaceAll("-", "."), First: names[0], Second: names[1] };
  }

  /** A result that the rules cannot know: somebody resigned, agreed or lost on time. */
  result() {
    const { ended } = this.sitting.state;
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
    const { sheet } = this.sitting;
    if (text.startsWith("{") && text.includes('"moves"')) {
      const own = JSON.parse(text);
      if (typeof own.game === "string" && Array.isArray(own.moves)) return this.take(own);
    }
    const isPosition = /^\S+\/\S+(\s+\S+){1,5}$/.test(text);
    if (isPosition) return this.take({ game: sheet.spec, position: text, moves: [] });
    const ways = [() => api.post("score/read", { text, game: sheet.contest ? undefined : sheet.spec }), () => api.post("score/read", { text }), () => this.bareMoves(text)];
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

  /** Moves alone, with or without their numbers: "1. e4 e5 2. Nf3". */
  async bareMoves(text) {
    const words = text.replace(/\{[^}]*\}/g, " ").split(/[\s,]+/).map((word) => word.replace(/^\d+\.+/, ""));
    const moves = words.filter((word) => word && !/^(\*|1-0|0-1|1\/2-1\/2)$/.test(word));
    const { spec: game } = this.sitting.sheet;
    const { line } = await api.post("position", { game, moves });
    return { game, position: null, moves: line.map((move) => move.text) };
  }

  async take({ game, position, moves, seats, notes }) {
    const { sheet, state } = this.sitting;
    const standing = await api.post("position", { game, position: position ?? undefined, moves });
    const isHere = standing.game === sheet.spec;
    const its = isHere ? sheet : await api.get(`games/${encodeURIComponent(game)}?lang=${language()}`);
    // What is loaded is looked at first: nobody wants the program to play on at once.
    const people = its.sides.map(() => "human");
    const sat = Array.isArray(seats) ? people.map((who, side) => String(seats[side] ?? who)) : people;
    const line = standing.line.map((move) => move.text);
    const loaded = freshState(its, { position: position ?? null, moves: line, at: line.length, seats: sat, view: isHere ? state.view : null, said: notes?.length ? { moves: line, notes } : null });
    putAside(loaded.spec);
    keep(loaded);
    notice(t("play.loaded", { n: moves.length }));
    if (isHere) this.open(loaded);
    else location.hash = `#/play/${encodeURIComponent(loaded.spec)}`;
  }

  /** The game that was on the table before this one, if one was. */
  get before() {
    return asideState(this.sitting.sheet.spec);
  }

  /** Changes places with it. */
  takeUp() {
    const state = this.before;
    putAside(state.spec);
    keep(state);
    this.open(state);
  }

  paste() {
    const area = h("textarea", { rows: 10, "aria-label": t("play.paste"), placeholder: t("play.nothingToPaste") });
    const buttons = h("div", { class: "row buttons" }, h("button", { class: "first", type: "submit" }, t("play.open")),
      h("button", { type: "button", onclick: () => dialog.close() }, t("cancel")));
    const form = h("form", { method: "dialog", onsubmit: () => this.load(area.value) }, h("h1", null, t("play.paste")), area, buttons);
    const dialog = h("dialog", { class: "setup", "aria-label": t("play.paste") }, form);
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    area.focus();
  }

  /** What is printed: who played, the moves, how it ended. */
  draw() {
    const { sitting } = this;
    const { sheet, latest } = sitting;
    if (!latest) return;
    const number = (move) => (sheet.look === "shogi" || sheet.contest ? `${move.ply} ` : move.ply % 2 ? `${Math.ceil(move.ply / 2)}. ` : "");
    const players = sheet.sides.map((_, side) => `${sideName(sheet, side)}: ${playerName(sitting.seat(side))}`).join(" · ");
    const said = new Map(this.notes().map((note) => [note.ply, note.comment]));
    const line = latest.line.map((move, at) => number(move) + moveWords(move) + (said.get(at + 1) ? ` (${said.get(at + 1)})` : "")).join(" ");
    this.printed.replaceChildren(h("h1", null, sheet.name), h("p", null, players), h("p", { class: "line" }, line),
      h("p", null, sitting.outcome ? outcomeWords(sheet, sitting.outcome) : ""), h("p", { class: "mono" }, sitting.shown.text ?? ""));
  }
}

/** Files of Japanese programs are often Shift_JIS. */
function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("shift_jis").decode(bytes);
  }
}
