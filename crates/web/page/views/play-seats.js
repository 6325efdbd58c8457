// Who sits at a side: a person or a player of the program, with the side's clock.

import { h } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { sideName } from "/board/names.js";
import { paintOf } from "/board/piece.js";
import { playersOf } from "./game-head.js";
import { clockText } from "./play-clock.js";

/** Stands in a list for whoever is named by hand. */
const ANOTHER = "…";

const GROUPS = ["level", "engine", "paper"];

/** Players of the papers by the form of their name; the words say what they do. */
const PAPERS = [
  ["random", /^(?:P0|A1)$/],
  ["forced", /^P([1-9])$/],
  ["forcedFirst", /^P([1-9])\(first\)$/],
  ["material", /^P'(\d)/],
  ["mating", /^A2\((\d+)\)$/],
  ["learned", /^A3\((\d+)\)$/],
  ["baba", /^baba:(\d+)$/],
  ["depth", /^depth:(\d+)$/],
  ["expect", /^expect:(\d+)$/],
];

/** A player's name as people read it. */
export function playerName(name) {
  if (name === "human") return t("play.you");
  const level = /^level:(\d+)$/.exec(name);
  if (level) return t("play.level", { n: level[1] });
  const engine = /^engine:(\d+)ms$/.exec(name);
  if (engine) return t("play.engine", { n: Number(engine[1]) / 1000 });
  const paper = PAPERS.map(([key, pattern]) => [key, pattern.exec(name)]).find(([, found]) => found);
  return paper ? t(`play.player.${paper[0]}`, { name, n: paper[1][1] }) : name;
}

/** A list of all players; one that is not offered but chosen stays in it. */
export function seatChoice(players, value, onchange, label) {
  const option = (name, elo) => h("option", { value: name }, playerName(name) + (elo ? ` (${elo})` : ""));
  const known = players.some((one) => one.name === value) || value === "human";
  const another = h("option", { value: ANOTHER }, t("play.another"));
  const element = h(
    "select",
    {
      "class": "seat-choice",
      "aria-label": label,
      "onchange": () => {
        if (element.value === ANOTHER) element.value = nameAnother(another) ?? value;
        value = element.value;
        onchange(value);
      },
    },
    option("human"),
    GROUPS.map((group) => [group, players.filter((one) => one.group === group)])
      .filter(([, list]) => list.length)
      .map(([group, list]) =>
        h(
          "optgroup",
          { label: t(`play.group.${group}`) },
          list.map((one) => option(one.name, one.elo)),
        ),
      ),
    !known && option(value),
    another,
  );
  element.value = value;
  return element;
}

/** Asks for a player that the list has not: its name, offered from then on, or nothing. */
function nameAnother(another) {
  const name = prompt(t("play.anotherHow"), "engine:1000ms")?.trim();
  if (!name) return undefined;
  another.before(h("option", { value: name }, playerName(name)));
  return name;
}

/** Points are counted everywhere and matter in some games: those that write them into the position. */
function countsPoints(positionView) {
  return /\+\d/.test(positionView.text.split(" ").at(-1));
}

function fateWords(fate, withPoints) {
  const words = [
    !fate.living && t("play.out"),
    fate.returning && t("play.returning"),
    withPoints && fate.points > 0 && t("play.points", { n: fate.points }),
  ];
  return words.filter(Boolean).join(" · ");
}

/** A bar beside the board: the side's colour, who plays it, its clock. */
export class SeatBar {
  constructor(sheet, side, players, session) {
    Object.assign(this, { side, session });
    const { fill, stroke } = paintOf(sheet, side);
    this.clock = h("span", { class: "clock", role: "timer" });
    this.fate = h("span", { class: "fate small" });
    this.choice = seatChoice(
      players,
      session.seat(side),
      (who) => session.setSeat(side, who),
      t("play.who", { side: sideName(sheet, side) }),
    );
    const dot = h("span", { class: "dot" });
    dot.style.background = fill;
    dot.style.borderColor = stroke;
    this.element = h(
      "div",
      { "class": "seat", "data-side": side },
      dot,
      h("strong", null, sideName(sheet, side)),
      this.player(sheet),
      this.choice,
      this.fate,
      this.clock,
    );
  }

  /** Who played this side of the record that was loaded. */
  player(sheet) {
    const { record } = this.session.state;
    const name = record && playersOf(sheet, record.tags)[this.side];
    return name ? h("span", { class: "player" }, name) : null;
  }

  draw() {
    const { session, side } = this;
    const { latest } = session;
    if (this.choice.value !== session.seat(side)) this.choice.value = session.seat(side);
    this.element.classList.toggle("to-move", Boolean(latest) && !session.outcome && session.mover() === side);
    this.element.classList.toggle("thinks", session.thinking && latest && session.mover() === side);
    const fate = latest?.contest?.sides[side];
    this.element.classList.toggle("out", fate ? !fate.living : false);
    this.fate.textContent = fate ? fateWords(fate, countsPoints(latest)) : "";
    this.tick();
  }

  tick() {
    const ms = this.session.state.times?.[this.side];
    this.clock.hidden = ms === undefined || ms === null;
    if (this.clock.hidden) return;
    this.clock.textContent = clockText(ms);
    this.clock.classList.toggle("low", ms < 20000);
  }
}
