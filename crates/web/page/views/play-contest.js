// A contest at the board: dice, turns of one or two moves, the question about an exchange, all in plain words.

import { h, s } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { kindName, sideName } from "/board/names.js";

const CORNERS = [
  [-1, -1],
  [1, 1],
  [1, -1],
  [-1, 1],
];
const PIPS = {
  1: [[0, 0]],
  2: CORNERS.slice(0, 2),
  3: [[0, 0], ...CORNERS.slice(0, 2)],
  4: CORNERS,
  5: [[0, 0], ...CORNERS],
  6: [[-1, 0], [1, 0], ...CORNERS],
};

function die(number) {
  return s(
    "svg",
    {
      "class": "die",
      "viewBox": "-50 -50 100 100",
      "role": "img",
      "aria-label": number ? String(number) : undefined,
      "aria-hidden": number ? undefined : "true",
    },
    s("rect", { x: -44, y: -44, width: 88, height: 88, rx: 16, class: "face" }),
    (PIPS[number] ?? []).map(([x, y]) => s("circle", { cx: x * 23, cy: y * 23, r: 9, class: "pip" })),
  );
}

export class ContestTable {
  constructor(session, board) {
    Object.assign(this, { session, board, legs: [] });
    this.element = h("section", { "class": "contest", "aria-live": "polite" });
  }

  /** The position view to show: with the moves of this turn that were made already, and those that may follow. */
  positionView() {
    const { shown } = this.session;
    const { contest } = shown;
    if (this.of !== shown) Object.assign(this, { of: shown, legs: [], made: null });
    if (contest.stage !== "turn") return shown;
    if (this.made?.legs === this.legs) return this.made.positionView;
    const here = applied(shown.board, this.legs);
    const next = this.fitting()
      .filter((turn) => turn.legs.length > this.legs.length)
      .map((turn) => turn.legs[this.legs.length]);
    const moves = new Map(
      next.map((leg) => [
        JSON.stringify(leg),
        { ...leg, text: JSON.stringify(leg), captures: here.some((piece) => piece.square === leg.to) },
      ]),
    );
    const positionView = {
      ...shown,
      board: here,
      moves: [...moves.values()],
      last: this.legs.length ? this.legs.at(-1) : shown.last,
    };
    this.made = { legs: this.legs, positionView };
    return positionView;
  }

  /** Turns that begin with what was done. */
  fitting() {
    return this.session.shown.contest.turns.filter((turn) =>
      this.legs.every((leg, at) => same(turn.legs[at], leg)),
    );
  }

  /** A person moved a piece: the turn is over if nothing may follow. */
  move(text) {
    this.legs = [...this.legs, JSON.parse(text)];
    const fitting = this.fitting();
    const whole = fitting.find((turn) => turn.legs.length === this.legs.length);
    if (whole && fitting.every((turn) => turn.legs.length === this.legs.length))
      return this.session.play(whole.text);
    this.session.told({ animate: true });
    return undefined;
  }

  draw() {
    const { session } = this;
    const { contest, turn } = session.shown;
    const { sheet } = session;
    const awaited = contest.stage === "throw" ? (contest.throws[0]?.text.split("-").map(() => 0) ?? []) : [];
    const dice = h(
      "div",
      { class: contest.roll.length ? "dice" : "dice blank" },
      (contest.roll.length ? contest.roll : awaited).map(die),
    );
    const button = (key, run, isFirst, given) =>
      h("button", { class: isFirst ? "first" : "", onclick: run }, t(`play.${key}`, given));
    const side = sideName(sheet, contest.asked ?? turn);
    const mine = session.mayMove && session.isLatest;
    const said = [];
    const buttons = [];
    if (contest.stage === "throw") {
      said.push(t(mine ? "play.throwYou" : "play.throwOther", { side }));
      if (mine) buttons.push(button("throw", () => session.throwDice(), true));
    } else if (contest.stage === "exchange") {
      said.push(t("play.askExchange", { side }));
      if (mine)
        buttons.push(
          button("exchange", () => session.play("exchange"), true),
          button("keepCaptive", () => session.play("keep")),
        );
    } else if (contest.stage === "turn") {
      said.push(...this.mayDo(contest, side));
      if (mine) buttons.push(...this.turnButtons(button));
    }
    this.element.replaceChildren(
      dice,
      h(
        "div",
        { class: "may" },
        said.map((text) => h("p", null, text)),
        h("div", { class: "row" }, buttons),
      ),
    );
  }

  /** "2 moves a roca, 5 a padati or a raja." */
  mayDo(contest, side) {
    const { sheet } = this.session;
    const named = [...new Set(contest.roll)]
      .map((number) => {
        const kinds = sheet.kinds
          .filter((kind) => kind.number === number && !kind.promoted)
          .map((kind) => kindName(sheet, kind.name));
        return kinds.length ? t("play.number", { n: number, kinds: kinds.join(t("play.orKind")) }) : null;
      })
      .filter(Boolean);
    const isStuck = contest.turns.every((turn) => turn.legs.length === 0);
    const done = this.legs.length ? [t("play.secondMove")] : [];
    return [
      named.length
        ? t("play.thrown", { side, what: named.join(t("play.semicolon")) })
        : t("play.toMove", { side }),
      ...(isStuck ? [t("play.stuck")] : done),
    ];
  }

  turnButtons(button) {
    const { session } = this;
    const fitting = this.fitting();
    const whole = fitting.find((turn) => turn.legs.length === this.legs.length);
    const made = [];
    if (whole && this.legs.length) made.push(button("endTurn", () => session.play(whole.text), true));
    if (whole && !this.legs.length)
      made.push(button("pass", () => session.play(whole.text), fitting.length === 1));
    if (this.legs.length)
      made.push(
        button("undoLeg", () => {
          this.legs = [];
          session.told({});
        }),
      );
    return made;
  }
}

function same(a, b) {
  return Boolean(a) && a.from === b.from && a.to === b.to && a.drop === b.drop && a.becomes === b.becomes;
}

/** Pieces after some moves of a turn, as far as they can be told without rules. */
function applied(board, legs) {
  return legs.reduce((pieces, { from, to, becomes }) => {
    const mover = pieces.find((piece) => piece.square === from);
    if (!mover) return pieces;
    return [
      ...pieces.filter((piece) => piece.square !== from && piece.square !== to),
      { ...mover, square: to, kind: becomes ?? mover.kind },
    ];
  }, board);
}
