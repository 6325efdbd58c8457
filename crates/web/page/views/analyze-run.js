// One run: how far it is, what it has found, a game of it on the board, its report and files.

import { api } from "../lib/api.js";
import { h, select } from "../lib/dom.js";
import { JobHead, jobFiles, knowNames } from "../lib/job.js";
import { gameWord } from "../lib/library.js";
import { reportOf } from "../lib/report.js";
import { Plot, dots } from "../lib/plot.js";
import { language, t } from "../lib/words.js";
import { latticeLegend, latticePicture } from "./analyze-lattice.js";
import { countsTable } from "./analyze-counts.js";
import { cellName, formatter, measureHead, measureName, withInterval } from "./analyze-measures.js";

export async function showRun(root, id) {
  const [catalogue, first] = await Promise.all([api.get("catalogue"), api.get(`jobs/${id}`), knowNames()]);
  const head = new JobHead({
    onDeleted: () => {
      location.hash = "#/analyze";
    },
  });
  const plot = new Plot(`run-${id}`);
  const between = h("div");
  let lattice;
  const table = h("div", { class: "scroll estimates" });
  const files = h("div");
  const report = h("div");
  const watch = h("div");
  let measure = "E";
  let last = first;
  const choice = select(
    catalogue.measures.map((each) => [each.symbol, measureName(each)]),
    measure,
    (symbol) => {
      measure = symbol;
      draw(last);
    },
  );
  const found = h(
    "section",
    { class: "card" },
    h(
      "div",
      { class: "row" },
      h("h2", { style: { margin: 0, flex: "1 0 auto" } }, t("analyze.found")),
      choice,
    ),
    between,
    plot.element,
    table,
  );
  root.append(
    h("p", null, h("a", { href: "#/analyze" }, `← ${t("shell.analyze")}`)),
    h(
      "div",
      { class: "beside" },
      h("div", { class: "stack" }, head.element, partNote(first) || "", found),
      h("div", { class: "stack" }, watch, files),
    ),
    report,
  );
  root.classList.add("stack");

  const draw = (job) => {
    last = job;
    head.show(job);
    const { cells = [], scores = [], counts = [] } = job.progress;
    found.hidden = !cells.length && !scores.length && !counts.length;
    choice.hidden = !cells.length;
    plot.element.hidden = counts.length > 0;
    if (counts.length) table.replaceChildren(...countsTable(counts));
    if (cells.length) drawCells(cells, catalogue, measure, plot, table);
    if (cells.length)
      lattice?.show(
        cells,
        catalogue.measures.find((each) => each.symbol === measure),
      );
    else if (scores.length) drawScores(scores, plot, table);
  };
  const look = async (job) => {
    lattice ??= await Lattice.of(job);
    if (lattice) between.replaceChildren(lattice.element);
  };
  let told;
  const follow = async (job) => {
    draw(job);
    if (told === job.state) return;
    await look(job);
    draw(job);
    files.replaceChildren(await jobFiles(job));
    // Only now: a server that was killed in between tells the state again when it is back.
    told = job.state;
    if (job.state === "done" && hasReport(job)) report.replaceChildren(reportOf(job));
  };
  await follow(first);
  const stop = api.watch(`jobs/${id}/events`, follow);
  let leaveBoard;
  if (isWatched(first.request)) {
    const { watchGames } = await import("./analyze-watch.js");
    leaveBoard = await watchGames(watch, id, () => last.progress.cells ?? []);
  }
  return () => {
    stop();
    leaveBoard?.();
  };
}

/** Whether single games of it can be seen. */
function isWatched({ kind, name }) {
  return !["match", "part", "bench"].includes(kind) && !String(name ?? "").startsWith("004-table");
}

/** Parts are told of in a report when they are joined. */
const hasReport = ({ request: { kind, shard } }) => !shard && !["part", "bench"].includes(kind);

/** What to do with a part. */
function partNote({ request: { kind, shard } }) {
  return (
    (shard || kind === "part") &&
    h("section", { class: "card" }, h("h2", null, t("analyze.aPart")), h("p", null, t("analyze.aPartAbout")))
  );
}

/** What the changes of an evolution file do, in its words: `about = "text"` or `about = { en = "text", ja = "text" }`. */
function changesOf(text) {
  const quoted = '"((?:[^"\\\\]|\\\\.)*)"';
  const change = new RegExp(
    `\\[\\[changes\\]\\][^[]*?about\\s*=\\s*(?:${quoted}|\\{\\s*en\\s*=\\s*${quoted},\\s*ja\\s*=\\s*${quoted})`,
    "g",
  );
  return [...text.matchAll(change)].map(([, about, en, ja]) => ({ about: about ?? { en, ja } }));
}

/** The lattice of an evolution, with what its letters mean. */
class Lattice {
  /** Of an evolution that the program has, of a file, of a report, or of parts that were joined; other jobs have none. */
  static async of({ id, request, state }) {
    const joined =
      request.kind === "merge" && state === "done"
        ? (await api.get(`jobs/${id}/files/report.json`)).plan
        : undefined;
    const text = request.text ?? (request.plan ?? joined)?.kind?.evolution;
    if (text) return new Lattice(id, { changes: changesOf(text) });
    if (request.kind !== "evolve") return undefined;
    const { evolutions } = await api.get(`lineage?lang=${language()}`);
    const evolution = evolutions.find((each) => each.id === request.name);
    return evolution && new Lattice(id, evolution);
  }

  constructor(id, evolution) {
    this.evolution = evolution;
    this.plot = new Plot(`lattice-${id}`, { height: 300 });
    this.told = h("p", { class: "small lattice-told", role: "status" });
    this.element = h(
      "div",
      null,
      h("p", { class: "small faint" }, t("analyze.latticeAbout")),
      latticeLegend(evolution),
      this.told,
      this.plot.element,
    );
  }

  show(cells, measure) {
    const estimate = (cell) => cell.estimates.find((one) => one.measure === measure.symbol);
    const rows = cells.map((cell) => [
      cell.name,
      cell.game,
      cell.n_games,
      estimate(cell)?.value,
      estimate(cell)?.low,
      estimate(cell)?.high,
    ]);
    this.plot.show(latticePicture(cells, measure, this.evolution, this.told), [
      ["cell", "game", "games", measure.symbol, "low", "high"],
      ...rows,
    ]);
  }
}

function drawCells(cells, catalogue, measure, plot, table) {
  const about = catalogue.measures.find((each) => each.symbol === measure);
  const format = formatter(about);
  const games = [...new Set(cells.map((cell) => cell.name))];
  const rows = cells.map((cell) => ({
    label: cellName(cell),
    group: games.length > 6 ? 0 : games.indexOf(cell.name),
    ...cell.estimates.find((each) => each.measure === measure),
  }));
  const head = [
    t("analyze.game"),
    t("analyze.players"),
    t("analyze.nPlayed"),
    ...catalogue.measures.flatMap((each) => [each.symbol, `${each.symbol} low`, `${each.symbol} high`]),
  ];
  const lines = cells.map((cell) => [
    cell.name,
    cell.players.join("/"),
    cell.n_games,
    ...catalogue.measures.flatMap((each) => {
      const found = cell.estimates.find((one) => one.measure === each.symbol);
      return [found?.value, found?.low, found?.high];
    }),
  ]);
  plot.show(dots(rows, { label: measureName(about), format }), [head, ...lines]);
  const shown = ["B", "D", "E", "draws", "first-side"].map((symbol) =>
    catalogue.measures.find((each) => each.symbol === symbol),
  );
  table.replaceChildren(
    h(
      "table",
      { class: "tight" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, t("analyze.game")),
          h("th", { scope: "col" }, t("analyze.players")),
          h("th", { scope: "col", class: "number" }, t("analyze.nPlayed")),
          shown.map((each) =>
            h("th", { scope: "col", class: "number", title: measureName(each) }, measureHead(each)),
          ),
        ),
      ),
      h(
        "tbody",
        null,
        cells.map((cell) =>
          h(
            "tr",
            null,
            h("td", null, gameWord(cell.name)),
            h("td", null, [...new Set(cell.players)].join("/")),
            h("td", { class: "number" }, cell.n_games.toLocaleString()),
            shown.map((each) =>
              estimateCell(
                each,
                cell.estimates.find((one) => one.measure === each.symbol),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

function estimateCell(measure, estimate) {
  const isFew = Number.isFinite(estimate?.value) && !hasInterval(estimate);
  const [value, half] = withInterval(
    measure,
    estimate?.value,
    isFew ? undefined : (estimate?.high - estimate?.low) / 2,
  );
  const beside = isFew ? ` ${t("analyze.tooFew")}` : half && ` ±${half}`;
  return h("td", { class: "number" }, value, beside && h("span", { class: "faint small" }, beside));
}

/** Few games have no interval that says something: its ends are null then. */
const hasInterval = ({ low, high }) => Number.isFinite(low) || Number.isFinite(high);

function drawScores(scores, plot, table) {
  // Whoever wins every game, or none, has no Elo that so few games could tell.
  const isKnown = (score) => Number.isFinite(score.elo.value);
  const rows = scores.map((score) => ({ label: gameWord(score.name), ...score.elo }));
  plot.element.hidden = !scores.some(isKnown);
  plot.show(dots(rows, { label: `Elo: ${scores[0].players.join(" – ")}` }), [
    ["game", "games", "Elo", "low", "high"],
    ...scores.map((score) => [score.name, score.n_games, score.elo.value, score.elo.low, score.elo.high]),
  ]);
  table.replaceChildren(
    h(
      "p",
      { class: "small faint" },
      scores
        .map(
          (score) =>
            `${gameWord(score.name)}: ${t("jobs.games", { done: score.n_games })}${isKnown(score) ? (hasInterval(score.elo) ? "" : `, ${t("analyze.tooFew")}`) : `, ${t("analyze.noElo")}`}`,
        )
        .join(" · "),
    ),
  );
}
