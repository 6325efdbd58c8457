// What to learn: a game, lambdas to compare, how many games and runs; the tables of values there are.

import { fromData, gameName } from "/lib/library.js";
import { api, showError } from "../lib/api.js";
import { download, field, h, notice, select } from "../lib/dom.js";
import { beginJob, jobLink, jobTitle, knowNames, toggles } from "../lib/job.js";
import { t } from "../lib/words.js";
import { numberField } from "./analyze-playing.js";

export async function showForm(root) {
  const [games, catalogue, jobs] = await Promise.all([
    api.get("games"),
    api.get("catalogue"),
    api.get("jobs"),
    knowNames(),
  ]);
  const [runs, tables] = [h("section", { class: "card" }), h("section", { class: "card" })];
  root.append(
    h("h1", null, t("shell.learn")),
    h("p", { class: "faint" }, t("learn.about")),
    h(
      "div",
      { class: "beside" },
      h("div", { class: "stack" }, form(games, catalogue)),
      h("div", { class: "stack" }, runs, tables),
    ),
  );
  const drawTables = async () => tables.replaceChildren(...(await tableLines(drawTables)));
  await drawTables();
  const draw = (all) =>
    drawRuns(
      runs,
      all.filter((job) => job.is_learning),
    );
  draw(jobs);
  return api.watch("jobs/events", draw);
}

function form(games, catalogue) {
  const two = games.filter((game) => (game.n_sides ?? 2) === 2);
  const game = select(
    two.map((each) => [each.id, gameName(each)]),
    "minishogi",
  );
  const changes = h("input", { placeholder: "+double-step" });
  const lambdas = new Set(["0.8"]);
  const otherLambdas = h("input", {
    placeholder: "0.65, 0.99",
    inputmode: "decimal",
    pattern: "[\\s,]*((0|1|0?\\.\\d+|1\\.0+)[\\s,]*)*",
  });
  const allLambdas = () =>
    [...new Set([...lambdas, ...otherLambdas.value.split(/[\s,]+/).filter(Boolean)].map(Number))].sort(
      (a, b) => a - b,
    );
  const nGames = h("input", { type: "number", min: 1, max: 10000000, value: 400 });
  const nRuns = h("input", { type: "number", min: 1, max: 1000, value: 1 });
  const depth = h("input", { type: "number", min: 1, max: 12, value: 2 });
  const seed = h("input", { type: "number", min: 0, value: 1 });
  const batch = h("input", { type: "number", min: 1, max: 10000, placeholder: "–" });
  const more = h("input", { placeholder: "shatranj chess" });
  const texts = {
    alpha: h("input", { placeholder: "0.05:0.002@3000" }),
    unit: h("input", { placeholder: "pawn" }),
    span: h("input", { placeholder: "301-400" }),
  };
  const bared = select(
    [
      ["", "–"],
      ...["plays-on", "breaks-off", "draws", "loses"].map((name) => [name, t(`learn.bared.${name}`)]),
    ],
    "",
  );
  const numbers = {
    quiescence: numberField("learn.quiescence", { min: 0, max: 30, placeholder: "6" }),
    mate: numberField("learn.mate", { min: 0, max: 15, placeholder: "3" }),
    max_plies: numberField("learn.maxPlies", { min: 1, max: 1000000, placeholder: "1000" }),
    opening: numberField("learn.opening", { min: 0, max: 200, placeholder: "0" }),
    threads: numberField("learn.threads", { min: 1, max: 256, placeholder: t("learn.all") }),
  };
  const features = new Set();
  const begin = (event) => {
    event.preventDefault();
    if (!allLambdas().length) return notice(t("learn.chooseLambda"), { isError: true });
    const request = {
      kind: "learn",
      games: [game.value + changes.value.trim(), ...more.value.split(/[\s,]+/).filter(Boolean)],
      lambdas: allLambdas(),
      n_games: Number(nGames.value),
      n_runs: Number(nRuns.value),
      depth: Number(depth.value),
      seed: Number(seed.value),
      features: [...features],
    };
    if (batch.value) request.batch = Number(batch.value);
    for (const [name, input] of Object.entries(texts))
      if (input.value.trim()) request[name] = input.value.trim();
    for (const [name, read] of Object.entries(numbers)) request[name] = read();
    if (bared.value) request.bared = bared.value;
    return beginJob(request);
  };
  const papers = catalogue.experiments.filter((each) => each.sort === "learning");
  return [
    h(
      "form",
      { class: "card", onsubmit: begin },
      h("h2", null, t("learn.new")),
      h("div", { class: "row end" }, field(t("learn.game"), game), field(t("learn.changes"), changes)),
      h("h3", null, "λ"),
      toggles(
        ["0", "0.5", "0.7", "0.8", "0.9", "0.95", "1"].map((value) => [value, value]),
        lambdas,
      ),
      h("p", { class: "small faint" }, t("learn.lambdaHint")),
      field(t("learn.otherLambdas"), otherLambdas),
      h(
        "div",
        { class: "row end", style: { marginTop: "10px" } },
        field(t("learn.nGames"), nGames),
        field(t("learn.nRuns"), nRuns),
        field(t("learn.depth"), depth),
        h("button", { class: "first" }, t("learn.begin")),
      ),
      h(
        "details",
        null,
        h("summary", null, t("learn.options")),
        h(
          "div",
          { class: "choices-grid" },
          field(t("learn.more"), more),
          field(t("learn.seed"), seed),
          field(t("learn.batch"), batch),
          Object.entries(texts).map(([name, input]) => field(t(`learn.${name}`), input)),
          Object.values(numbers).map((read) => read.field),
          field(t("learn.bared"), bared),
        ),
        h("h3", null, t("learn.features")),
        toggles(
          [
            ["hand", t("learn.hand")],
            ["squares", t("learn.squares")],
            ["mobility", t("learn.mobility")],
          ],
          features,
        ),
      ),
    ),
    h(
      "section",
      { class: "card" },
      h("h2", null, t("learn.papers")),
      h(
        "ul",
        { class: "plain" },
        papers.map((each) =>
          h(
            "li",
            null,
            fromData(each.name, each.title),
            h(
              "div",
              { class: "row" },
              h(
                "button",
                {
                  class: "small",
                  onclick: () => beginJob({ kind: "reproduce", name: each.name, n_games: 40 }),
                },
                t("learn.quick"),
              ),
              h(
                "button",
                { class: "small quiet", onclick: () => beginJob({ kind: "reproduce", name: each.name }) },
                t("learn.full", { n: each.n_games.toLocaleString() }),
              ),
            ),
          ),
        ),
      ),
    ),
  ];
}

function drawRuns(card, jobs) {
  const shown = JSON.stringify(jobs.map((job) => [job.id, job.state]));
  if (card.dataset.shown === shown) return;
  card.dataset.shown = shown;
  card.replaceChildren(
    h("h2", null, t("learn.runs")),
    jobs.length
      ? h(
          "ul",
          { class: "plain" },
          jobs.map((job) =>
            h(
              "li",
              { class: "row" },
              h("a", { href: jobLink(job) }, jobTitle(job)),
              h("span", { class: `state ${job.state}` }, t(`jobs.${job.state}`)),
            ),
          ),
        )
      : h("p", { class: "faint" }, t("learn.noRuns")),
  );
}

async function tableLines(redraw) {
  const names = await api.get("values");
  const save = async (name) => download(`${name}.values`, (await api.get(`values/${name}`)).text);
  const remove = async (name) => {
    if (!confirm(t("learn.sure", { name }))) return;
    await api.delete(`values/${name}`);
    redraw();
  };
  return [
    h("h2", null, t("learn.tables")),
    h("p", { class: "small faint" }, t("learn.tablesAbout")),
    names.length
      ? h(
          "ul",
          { class: "plain" },
          names.map((name) =>
            h(
              "li",
              { class: "row" },
              h("span", { style: { flex: 1 } }, name),
              h(
                "button",
                {
                  "class": "small",
                  "aria-label": t("learn.saveTable", { name }),
                  "title": t("learn.saveTable", { name }),
                  "onclick": () => save(name).catch(showError),
                },
                "↓",
              ),
              h(
                "button",
                { class: "small quiet", onclick: () => remove(name).catch(showError) },
                t("delete"),
              ),
            ),
          ),
        )
      : h("p", { class: "faint" }, t("learn.noTables")),
  ];
}
