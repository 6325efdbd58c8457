// A survey of a collection: numbers, plots, the most frequent positions.

import { api } from "/lib/api.js";
import { download, h } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { miniature } from "/board/miniature.js";
import { moveWords, sideName } from "/board/names.js";
import { address, collectionAndSheet, head, number, of, percent, resultBar } from "./records-common.js";
import { playersTable, rowsOf } from "./records-players.js";
import { bars, line, saves } from "./records-plot.js";

/** Frequent positions that are shown at first. */
const N_SHOWN = 12;

export async function showPart(root, name) {
  const { collection, sheet } = await collectionAndSheet(name);
  const body = h(
    "div",
    { "class": "survey", "aria-busy": "true" },
    h("p", { class: "faint" }, t("records.surveying")),
    h("progress"),
  );
  root.append(...head(collection, sheet, "survey"), body);
  if (!collection.games) {
    body.replaceChildren(
      h(
        "p",
        { class: "card empty" },
        t("records.emptyCollection"),
        " ",
        h("a", { href: address([name, "add"]) }, t("records.add")),
      ),
    );
    return;
  }
  const survey = await api.get(of(name, "survey"));
  body.removeAttribute("aria-busy");
  body.replaceChildren(...draw(collection, sheet, survey));
}

function draw(collection, sheet, survey) {
  const { name } = collection;
  const mean = survey.plies / Math.max(1, survey.games);
  const figures = [
    ["games", number(survey.games)],
    ["plies", number(survey.plies)],
    ["meanLength", number(mean, { maximumFractionDigits: 1 })],
    ["positions", number(survey.positions)],
    ["distinct", number(survey.distinct)],
    ["repeated", percent(survey.repeated_share)],
  ];
  const json = h(
    "button",
    {
      class: "quiet",
      onclick: () => download(`${name}-survey.json`, JSON.stringify(survey, null, 1), "application/json"),
    },
    t("records.saveJson"),
  );
  return [
    h(
      "dl",
      { class: "figures" },
      figures.map(([key, value]) =>
        h("div", { class: "card" }, h("dt", null, t(`records.survey.${key}`)), h("dd", null, value)),
      ),
    ),
    h(
      "div",
      { class: "card" },
      h(
        "div",
        { class: "row between" },
        h("h2", null, t("records.results")),
        saves(`${name}-results`, null, [["result", "games"], ...resultRows(sheet, survey.results)]),
      ),
      resultBar(sheet, survey.results),
      h(
        "p",
        { class: "small faint" },
        resultRows(sheet, survey.results)
          .map(([words, n]) => `${words} ${number(n)}`)
          .join(" · "),
      ),
    ),
    survey.fit ? h("p", { class: "law" }, lawWords(survey.fit)) : "",
    h("div", { class: "plots" }, plots(name, sheet, survey)),
    players(name, sheet, survey),
    ...frequent(collection, sheet, survey),
    h("p", null, json),
  ];
}

function resultRows(sheet, { wins, draws, unknown }) {
  return [
    ...wins.map((n, side) => [t("result.won", { side: sideName(sheet, side) }), n]),
    [t("result.draw"), draws],
    ...(unknown ? [[t("result.unknown"), unknown]] : []),
  ];
}

function lawWords(fit) {
  const goesOn = fit.exponent + fit.exponent_half_width < 1;
  return t(goesOn ? "records.goesOn" : "records.settled", {
    exponent: number(fit.exponent, { maximumFractionDigits: 4 }),
    width: number(fit.exponent_half_width, { maximumFractionDigits: 4 }),
    share: percent(fit.repeated_share_at_ten_times),
  });
}

function plots(name, sheet, survey) {
  const first = survey.first_moves.filter((next) => next.move);
  const sides = sheet.sides.map((_, side) => `${sideName(sheet, side)} wins`);
  return [
    line({
      name: `${name}-growth`,
      title: t("records.growth"),
      xLabel: t("records.gamesAxis"),
      points: survey.growth.map((point) => [point.games, point.repeated_share]),
      format: percent,
      columns: ["games", "positions", "distinct", "repeated_share"],
      table: survey.growth.map((point) => [
        point.games,
        point.positions,
        point.distinct,
        point.repeated_share,
      ]),
    }),
    bars({
      name: `${name}-lengths`,
      title: t("records.lengths"),
      xLabel: t("records.pliesAxis"),
      rows: survey.lengths.map(({ from, to, games }) => ({
        label: from,
        hint: `${from}–${to}`,
        value: games,
      })),
      columns: ["from_plies", "to_plies", "games"],
      table: survey.lengths.map(({ from, to, games }) => [from, to, games]),
    }),
    bars({
      name: `${name}-first-moves`,
      title: t("records.firstMoves"),
      xLabel: t("records.move"),
      rows: first.map((next) => ({ label: moveWords(next.move), value: next.count })),
      columns: ["move", "games", ...sides, "draws"],
      table: first.map((next) => [next.move.text, next.count, ...next.wins, next.draws]),
    }),
    bars({
      name: `${name}-occurrences`,
      title: t("records.occurrences"),
      xLabel: t("records.timesAxis"),
      rows: survey.by_occurrence.map(({ from, to, positions }) => ({
        label: from,
        hint: from === to ? from : `${from}–${to}`,
        value: positions ? 1 + Math.log10(positions) : 0,
      })),
      format: (value) => number(value ? Math.round(10 ** (value - 1)) : 0),
      columns: ["from_times", "to_times", "positions"],
      table: survey.by_occurrence.map(({ from, to, positions }) => [from, to, positions]),
    }),
    survey.years.length
      ? bars({
          name: `${name}-years`,
          title: t("records.years"),
          xLabel: t("records.year"),
          rows: survey.years.map(({ year, games }) => ({ label: year, value: games })),
          columns: ["year", "games", ...sides, "draws", "unknown"],
          table: survey.years.map((year) => [year.year, year.games, ...year.wins, year.draws, year.unknown]),
        })
      : "",
  ];
}

function players(name, sheet, survey) {
  if (!survey.players.length) return "";
  return h(
    "div",
    { class: "card" },
    h(
      "div",
      { class: "row between" },
      h("h2", null, t("records.players")),
      saves(`${name}-players`, null, rowsOf(sheet, survey.players)),
    ),
    h("div", { class: "scroll" }, playersTable(name, sheet, survey.players)),
    h("p", null, h("a", { href: address([name, "players"]) }, t("records.allPlayers"))),
  );
}

/** The most frequent positions: a dozen, and the others for whoever wants them. */
function frequent({ name }, sheet, { frequent: found }) {
  const line = ({ count, moves, diagram }) =>
    h(
      "li",
      null,
      h(
        "a",
        {
          class: "hit",
          href: address([name, "explore"], { moves: moves.map((move) => move.text).join(",") }),
        },
        miniature(sheet, diagram, { size: 116 }),
        h(
          "div",
          { class: "hit-words" },
          h("b", null, t("records.times", { count: number(count) })),
          h(
            "div",
            { class: "small faint" },
            moves.length ? moves.map((move) => moveWords(move)).join(" ") : t("records.start"),
          ),
        ),
      ),
    );
  const list = h("ol", { class: "frequent" }, found.slice(0, N_SHOWN).map(line));
  const more = h(
    "button",
    {
      onclick: () => {
        list.append(...found.slice(N_SHOWN).map(line));
        list.children[N_SHOWN].querySelector("a").focus();
        more.remove();
      },
    },
    t("records.allFrequent", { n: found.length }),
  );
  const table = [
    ["times", "moves"],
    ...found.map(({ count, moves }) => [count, moves.map((move) => move.text).join(" ")]),
  ];
  return [
    h(
      "div",
      { class: "row between" },
      h("h2", null, t("records.frequent")),
      saves(`${name}-frequent`, null, table),
    ),
    list,
    found.length > N_SHOWN ? h("p", null, more) : "",
  ];
}
