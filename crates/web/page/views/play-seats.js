// Who sits at a side: a person or a player of the program, with the side's clock.

import { h } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { sideName } from "/board/names.js";
import { paintOf } from "/board/piece.js";
import { clockText } from "./play-clock.js";

const GROUPS = ["level", "engine", "paper"];

/** A player's name as people read it. */
export function playerName(name) {
  if (name === "human") return t("play.you");
  const level = /^level:(\d+)$/.exec(name);
  if (level) return t("play.level", { n: level[1] });
  const engine = /^engine:(\d+)ms$/.exec(name);
  if (engine) return t("play.engine", { n: Number(engine[1]) / 1000 });
  return t("play.paper", { name });
}

/** A list of all players; one that is not offered but chosen stays in it. */
export function seatChoice(players, value, onchange, label) {
  const option = (name, elo) => h("option", { value: name }, playerName(name) + (elo ? ` · ${elo}` : ""));
  const known = players.some((one) => one.name === value) || value === "human";
  const element = h("select", { class: "seat-choice", "aria-label": label, onchange: () => onchange(element.value) },
    option("human"),
    GROUPS.map((group) => [group, players.filter((one) => one.group === group)]).filter(([, list]) => list.length)
      .map(([group, list]) => h("optgroup", { label: t(`play.group.${group}`) }, list.map((one) => option(one.name, one.elo)))),
    !known && option(value));
  element.value = value;
  return element;
}

/** A bar beside the board: the side's colour, who plays it, its clock. */
export class SeatBar {
  constructor(sheet, side, players, sitting) {
    Object.assign(this, { side, sitting });
    const { fill, stroke } = paintOf(sheet, side);
    this.clock = h("span", { class: "clock", role: "timer" });
    this.fate = h("span", { class: "fate small" });
    this.choice = seatChoice(players, sitting.seat(side), (who) => sitting.setSeat(side, who), t("play.who", { side: sideName(sheet, side) }));
    const dot = h("span", { class: "dot" });
    dot.style.background = fill;
    dot.style.borderColor = stroke;
    this.element = h("div", { class: "seat", "data-side": side }, dot, h("strong", null, sideName(sheet, side)), this.choice, this.fate, this.clock);
  }

  draw() {
    const { sitting, side } = this;
    const { latest } = sitting;
    this.choice.value = sitting.seat(side);
    this.element.classList.toggle("to-move", Boolean(latest) && !sitting.outcome && sitting.mover() === side);
    this.element.classList.toggle("thinks", sitting.thinking && latest && sitting.mover() === side);
    const fate = latest?.contest?.sides[side];
    this.element.classList.toggle("out", fate ? !fate.living : false);
    this.fate.textContent = fate ? [!fate.living && t("play.out"), fate.returning && t("play.returning"), fate.points > 0 && t("play.points", { n: fate.points })].filter(Boolean).join(" · ") : "";
    this.tick();
  }

  tick() {
    const ms = this.sitting.state.times?.[this.side];
    this.clock.hidden = ms === undefined || ms === null;
    if (this.clock.hidden) return;
    this.clock.textContent = clockText(ms);
    this.clock.classList.toggle("low", ms < 20000);
  }
}
