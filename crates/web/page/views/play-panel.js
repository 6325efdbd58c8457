// What stands beside the board: how it stands, the moves, what a person may do.

import { gameName } from "/lib/library.js";
import { api, showError } from "/lib/api.js";
import { copy, download, h, notice, s, select, speak } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { moveWords } from "/board/names.js";
import { choosePieces } from "/board/choice.js";
import { hasSets } from "/board/piece.js";
import { playersOf, playersText, resultBadge, tagsTable } from "./game-head.js";
import { MoveList } from "./play-moves.js";
import { scoreWords, statusWords } from "./play-words.js";

const SIGNS = {
  first: "M6 5v14M19 5L9 12l10 7z",
  previous: "M17 5L7 12l10 7z",
  next: "M7 5l10 7-10 7z",
  last: "M18 5v14M5 5l10 7-10 7z",
  flip: "M8 4v15M4 8l4-4 4 4M16 20V5M12 16l4 4 4-4",
};
const FILE_ENDINGS = ".pgn,.kif,.kifu,.ki2,.csa,.usi,.sfen,.json,.txt";

/** What the keyboard does without a button; see `key` in play.js. */
const KEYS = { takeBack: "u", hint: "h" };

/** Whether the part for files is open: it stays so when another game comes onto the table. */
let areFilesOpen = false;

function sign(name) {
  const fill = name === "flip" ? "none" : "currentColor";
  return s(
    "svg",
    { "viewBox": "0 0 24 24", "width": 22, "height": 22, "aria-hidden": "true" },
    s("path", {
      "d": SIGNS[name],
      fill,
      "stroke": "currentColor",
      "stroke-width": 2,
      "stroke-linejoin": "round",
      "stroke-linecap": "round",
    }),
  );
}

export class Panel {
  /** `can` holds what the view can do: newGame, chooseGame, explain, score. */
  constructor(session, board, games, can) {
    Object.assign(this, { session, board, can });
    this.moves = new MoveList(session);
    this.status = h("p", { class: "status", role: "status" });
    this.advice = h("p", { "class": "advice small", "aria-live": "polite" });
    this.evaluation = h(
      "div",
      { class: "evaluation", hidden: true },
      h("div", { class: "balance" }, h("div", { class: "mine" })),
      h("span", { class: "small" }),
    );
    this.head = this.makeHead(games);
    this.element = h(
      "aside",
      { class: "panel card" },
      this.status,
      this.evaluation,
      can.table?.element,
      this.record(),
      this.moves.element,
      this.steps(),
      this.typed(),
      this.actions(),
      this.advice,
      this.files(),
    );
  }

  makeHead(games) {
    const { sheet } = this.session;
    const game = select(
      games.map((one) => [one.id, gameName(one)]),
      sheet.id,
      (id) => this.can.chooseGame(id),
      { "class": "game-choice", "aria-label": t("play.game") },
    );
    const on = sheet.changes.filter((change) => change.on).map((change) => change.name);
    const fresh = h("button", { class: "first", onclick: () => this.can.newGame() }, t("play.newGame"));
    return h(
      "div",
      { class: "head" },
      h("div", { class: "row" }, game, fresh),
      on.length ? h("p", { class: "faint small" }, `+ ${on.join(", ")}`) : null,
    );
  }

  /** What the record that was loaded says of its game; nothing where none was. */
  record() {
    const { sheet, state, tree } = this.session;
    if (!tree) return null;
    const { tags, result } = state.record;
    const about = [tags.Event, tags.Date].filter((text) => text && text !== "?").join(" · ");
    return h(
      "section",
      { "class": "record", "aria-label": t("play.record") },
      h(
        "div",
        { class: "row between" },
        h("span", { class: "record-players" }, playersText(playersOf(sheet, tags))),
        resultBadge(sheet, result),
      ),
      about && h("p", { class: "faint small" }, about),
      tagsTable(Object.entries(tags)),
    );
  }

  steps() {
    const { session } = this;
    const button = (name, label, onclick) =>
      h("button", { "class": "quiet", "title": t(label), "aria-label": t(label), onclick }, sign(name));
    const step = (name, ply) => button(name, `play.${name}Ply`, () => session.show(ply()));
    const last = () => session.state.moves.length;
    const at = () => session.state.at;
    this.backward = [step("first", () => 0), step("previous", () => Math.max(0, at() - 1))];
    this.forward = [step("next", () => Math.min(last(), at() + 1)), step("last", last)];
    const flip = button("flip", "play.flip", () => this.can.flip());
    this.pause = h("button", { class: "quiet", onclick: () => session.pause(!session.paused) });
    return h("div", { class: "row steps" }, this.backward, this.forward, flip, this.pause);
  }

  typed() {
    const input = h("input", {
      "class": "mono",
      "placeholder": t("play.typeExample", { example: this.example() }),
      "aria-label": t("play.typeMove"),
      "autocomplete": "off",
      "autocapitalize": "off",
      "spellcheck": "false",
      "enterkeyhint": "go",
    });
    const play = async (event) => {
      event.preventDefault();
      const text = input.value.trim();
      if (!text || !this.session.mayMove) return;
      if (await this.session.play(text)) input.value = "";
    };
    this.typing = h(
      "form",
      { class: "row typed", onsubmit: play },
      input,
      h("button", { type: "submit" }, t("play.playIt")),
    );
    return this.typing;
  }

  example() {
    const { start } = this.session.sheet;
    const moves = start.moves.filter((move) => move.from);
    return (moves[Math.floor(moves.length / 2)] ?? start.moves[0])?.text ?? "a2a3";
  }

  actions() {
    const { session } = this;
    const button = (key, run) =>
      h(
        "button",
        {
          "onclick": run,
          "title": KEYS[key] && t("play.byKey", { key: KEYS[key] }),
          "aria-keyshortcuts": KEYS[key],
        },
        t(`play.${key}`),
      );
    const isContest = session.sheet.contest;
    this.buttons = {
      takeBack: button("takeBack", () => session.takeBack()),
      redo: button("redo", () => session.redo()),
      hint: button("hint", () => this.hint()),
      why: !isContest && button("why", () => this.can.explain()),
      pass: !isContest && button("pass", () => session.play(this.passMove()?.text)),
      removeVariation: !isContest && button("removeVariation", () => session.removeVariation()),
      draw: !isContest && button("offerDraw", () => this.offerDraw()),
      resign: button("resign", () => this.resign()),
    };
    return [
      h("div", { class: "row actions" }, Object.values(this.buttons)),
      h(
        "div",
        { class: "row choices" },
        !isContest && this.evaluationChoice(),
        hasSets(session.sheet) && this.setChoice(),
        !isContest && this.valuesChoice(),
        !isContest && this.bookChoice(),
      ),
    ];
  }

  /** What pieces are worth to the engine: as usual, or as was learned here. Nothing is offered where nothing was learned. */
  valuesChoice() {
    const { session } = this;
    const place = h("span", { class: "values-choice" });
    const choose = (name) => {
      session.state.values = name || null;
      session.keep();
      session.told({});
    };
    const offer = (names) => {
      const { values } = session.state;
      if (names.length || values)
        place.append(
          select(
            [["", t("play.usualValues")], ...names.map((name) => [name, name])],
            names.includes(values) ? values : "",
            choose,
            { "aria-label": t("play.values") },
          ),
        );
      if (values && !names.includes(values)) choose("");
    };
    api.get("values").then(offer, showError);
    return place;
  }

  /** A book of openings that the program plays from; nothing is offered where there is none of this game. */
  bookChoice() {
    const { session } = this;
    const place = h("span", { class: "values-choice" });
    const choose = (name) => {
      session.state.book = name || null;
      session.keep();
      session.told({});
    };
    const offer = (books) => {
      const names = books.filter((book) => book.game === session.sheet.spec).map((book) => book.name);
      const { book } = session.state;
      if (names.length)
        place.append(
          select(
            [["", t("play.noBook")], ...names.map((name) => [name, t("play.bookNamed", { name })])],
            names.includes(book) ? book : "",
            choose,
            { "aria-label": t("play.book") },
          ),
        );
      if (book && !names.includes(book)) choose("");
    };
    api.get("books").then(offer, showError);
    return place;
  }

  evaluationChoice() {
    const { state } = this.session;
    const change = (event) => {
      state.evaluation = event.target.checked;
      this.session.keep();
      this.session.told({});
    };
    return h(
      "label",
      { class: "toggle" },
      h("input", { type: "checkbox", checked: state.evaluation, onchange: change }),
      t("play.evaluation"),
    );
  }

  setChoice() {
    const sets = ["auto", "kanji", "western"].map((key) => [key, t(`play.set.${key}`)]);
    return select(
      sets,
      this.board.pieces,
      (key) => {
        choosePieces(key);
        this.board.setPieces(key);
      },
      { "aria-label": t("play.pieces") },
    );
  }

  passMove() {
    return this.session.shown.moves?.find((move) => !move.to);
  }

  files() {
    const { score } = this.can;
    const formats = select(
      score.formats.map((one) => [one, one.toUpperCase()]),
      score.formats[0],
      undefined,
      { "aria-label": t("play.format") },
    );
    const read = () => {
      if (file.files[0]) score.loadFile(file.files[0]);
      file.value = "";
    };
    const file = h("input", {
      "type": "file",
      "class": "unseen",
      "tabindex": -1,
      "aria-label": t("play.load"),
      "accept": FILE_ENDINGS,
      "onchange": read,
    });
    const button = (key, run) => h("button", { onclick: run }, t(`play.${key}`));
    const picture = () => download(`${this.session.sheet.id}.svg`, this.board.svg(), "image/svg+xml");
    return h(
      "details",
      { class: "files", open: areFilesOpen, ontoggle: (event) => this.filesToggled(event.target.open) },
      h("summary", null, t("play.score")),
      h(
        "div",
        { class: "row save" },
        formats,
        h("button", { onclick: () => score.save(formats.value) }, t("save")),
        button("print", () => window.print()),
      ),
      h(
        "div",
        { class: "grid" },
        button("load", () => file.click()),
        file,
        button("paste", () => score.paste()),
        button("copyPosition", () => copy(this.session.shown.text, t("copied")).catch(showError)),
        button("saveBoard", picture),
        !this.session.sheet.contest && button("saveMoves", () => this.saveMoves()),
        score.before && button("before", () => score.takeUp()),
      ),
      h("p", { class: "faint small" }, t("play.dropFile")),
    );
  }

  /** Every legal move of the position that is shown, in the ways that it can be written. */
  saveMoves() {
    const { sheet, shown } = this.session;
    const rows = shown.moves.map(({ text, san, local }) => [text, san, local].join(","));
    download(`${sheet.id}-moves.csv`, ["coordinates,san,local", ...rows].join("\n") + "\n", "text/csv");
  }

  /** What was opened is seen. */
  filesToggled(isOpen) {
    if (isOpen && !areFilesOpen) this.element.scrollTo({ top: this.element.scrollHeight });
    areFilesOpen = isOpen;
  }

  async hint() {
    const { session } = this;
    const ply = session.state.at;
    this.advice.textContent = t("play.thinkingHint");
    try {
      const told = await this.can.askHint();
      if (ply !== session.state.at) return;
      const words = this.hintWords(told);
      this.advice.textContent = words;
      speak(words);
      const move = session.shown.moves.find((one) => one.text === told.move);
      this.board.arrows(
        told.arrows ??
          (move?.to
            ? [
                {
                  from: move.from ?? { hand: session.shown.turn, kind: move.drop },
                  middle: move.middle,
                  to: move.to,
                },
              ]
            : []),
      );
    } catch (error) {
      this.advice.textContent = "";
      showError(error);
    }
  }

  /** "Try d4 (+0.6, White is better) and then d6 Nf3". */
  hintWords({ move, written, score, line }) {
    const { sheet } = this.session;
    const words = [t("play.hintWords", { move: written ? moveWords(written) : move })];
    if (score) words.push(`(${scoreWords(sheet, score)})`);
    if (line?.length > 1)
      words.push(
        t("play.hintLine", {
          line: line
            .slice(1, 5)
            .map((one) => moveWords(one))
            .join(" "),
        }),
      );
    return words.join(" ");
  }

  /** A program takes a draw when it does not stand better; two people agree by the button. */
  async offerDraw() {
    const { session } = this;
    const side = session.person;
    const other = 1 - side;
    if (session.seat(other) === "human") return session.finish({ winner: null, how: "agreed" });
    try {
      const { score } = await api.post("evaluate", session.place());
      const programs = other === 0 ? score.pawns : -score.pawns;
      if (programs <= 0) session.finish({ winner: null, how: "agreed" });
      else notice(t("play.drawRefused"));
    } catch (error) {
      showError(error);
    }
    return undefined;
  }

  resign() {
    if (this.resigning) {
      this.resigning = false;
      this.session.resign();
      return;
    }
    this.resigning = true;
    this.buttons.resign.textContent = t("play.reallyResign");
    setTimeout(() => {
      this.resigning = false;
      this.buttons.resign.textContent = t("play.resign");
    }, 4000);
  }

  draw() {
    const { session, buttons } = this;
    const { state } = session;
    this.status.textContent = statusWords(session);
    this.status.classList.toggle("over", Boolean(session.outcome));
    this.moves.draw();
    this.can.table?.draw();
    const n = state.moves.length;
    this.backward.forEach((button) => {
      button.disabled = state.at === 0;
    });
    this.forward.forEach((button) => {
      button.disabled = state.at === n;
    });
    const isRecord = session.tree !== null;
    buttons.takeBack.hidden = buttons.redo.hidden = isRecord;
    if (buttons.removeVariation)
      buttons.removeVariation.hidden = !isRecord || session.tree.isMain(session.node);
    buttons.takeBack.disabled = n === 0;
    buttons.redo.disabled = state.undone.length === 0;
    const isOpen =
      Boolean(session.latest) &&
      !session.outcome &&
      !session.isRecordOver &&
      !(isRecord && !session.tree.isMain(session.node));
    buttons.hint.disabled =
      !session.mayMove ||
      Boolean(session.shown.outcome) ||
      (session.shown.contest && session.shown.contest.stage !== "turn");
    if (buttons.draw) buttons.draw.disabled = !isOpen || session.person < 0 || n < 2;
    if (buttons.why) buttons.why.disabled = !session.shown.moves?.length;
    if (buttons.pass) buttons.pass.hidden = !session.mayMove || !this.passMove();
    buttons.resign.disabled = !isOpen || session.person < 0 || n === 0;
    this.pause.hidden = (!session.paused && !session.onlyPrograms) || Boolean(session.outcome);
    this.pause.textContent = t(session.paused ? "play.goOn" : "play.stop");
    if (this.adviceAt !== state.at) {
      this.advice.textContent = "";
      this.adviceAt = state.at;
    }
    this.drawEvaluation();
  }

  async drawEvaluation() {
    const { session } = this;
    this.evaluation.hidden = !session.state.evaluation || session.sheet.contest;
    const { shown } = session;
    if (this.evaluation.hidden || this.evaluated === shown || !shown.text) return;
    this.evaluated = shown;
    const [bar, words] = [this.evaluation.querySelector(".mine"), this.evaluation.querySelector("span")];
    if (shown.outcome) {
      words.textContent = "";
      return;
    }
    try {
      const { score } = await api.post("evaluate", session.place(session.state.at));
      if (this.evaluated !== shown) return;
      bar.style.width = `${100 / (1 + Math.exp(-score.pawns / 2.2))}%`;
      words.textContent = scoreWords(session.sheet, score);
    } catch (error) {
      showError(error);
    }
  }
}
