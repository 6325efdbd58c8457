// What to measure: games, players, how many; or an experiment of a paper; and the runs there are.

import { fromData, gameAbout, gameName } from "/lib/library.js";
import { api, showError } from "../lib/api.js";
import { field, fillWith, h, notice, select } from "../lib/dom.js";
import { beginJob, jobLink, jobTitle, knowNames, toggles } from "../lib/job.js";
import { locale, t } from "../lib/words.js";
import { bringCard } from "./analyze-bring.js";
import { evolutionsCard } from "./analyze-evolve.js";
import { Playing, keepChoice, numberField, quickGames, wholeField } from "./analyze-playing.js";

/** How P'i may be read. */
const READINGS = ["next", "captures", "promoted", "all"];

export async function showForm(root, query) {
  const [games, catalogue, tables, jobs] = await Promise.all([
    api.get("games"),
    api.get("catalogue"),
    api.get("values"),
    api.get("jobs"),
    knowNames(),
  ]);
  const runs = h("section", { class: "card" });
  root.append(
    h("h1", null, t("shell.analyze")),
    h("p", { class: "faint" }, t("analyze.about")),
    h(
      "div",
      { class: "beside" },
      h(
        "div",
        { class: "stack" },
        measureCard(games, catalogue, tables, query),
        presetsCard(catalogue, tables),
      ),
      h(
        "div",
        { class: "stack" },
        runs,
        matchCard(games, catalogue, tables, query),
        evolutionsCard(catalogue),
        bringCard(),
      ),
    ),
  );
  const draw = (all) =>
    drawRuns(
      runs,
      all.filter((job) => !job.is_learning && job.request.kind !== "bench"),
    );
  draw(jobs);
  return api.watch("jobs/events", draw);
}

function measureCard(games, catalogue, tables, query) {
  const chosen = new Set((query.get("game") ?? "chess,shatranj").split(",").filter(Boolean));
  const players = new Set(["P0"]);
  const known = new Set(games.map((game) => game.id));
  const more = h("input", {
    placeholder: "shatranj+double-step",
    value: [...chosen].filter((game) => !known.has(game)).join(" "),
  });
  const morePlayers = h("input", { placeholder: "P3/P0, level:4" });
  const many = h("input", { type: "number", min: 1, max: 100000000, value: 1000 });
  const playing = new Playing();
  const maxPlies = numberField("analyze.maxPlies", { min: 1, max: 100000, placeholder: "1000" });
  const preset = select(
    catalogue.presets.map((name) => [name, name]),
    "plain",
  );
  const values = select([["", "–"], ...tables.map((name) => [name, name])], query.get("values") ?? "");
  const split = (text) => text.split(/[\s,]+/).filter(Boolean);
  const begin = (event) => {
    event.preventDefault();
    const named = [...[...chosen].filter((game) => known.has(game)), ...split(more.value)];
    const who = [...players, ...split(morePlayers.value)];
    if (!named.length || !who.length) return notice(t("analyze.chooseBoth"), { isError: true });
    const request = {
      kind: "analyze",
      games: named,
      players: who,
      preset: preset.value,
      ...playing.read(Number(many.value)),
      max_plies: maxPlies(),
    };
    if (values.value) request.values = values.value;
    return beginJob(request);
  };
  return h(
    "form",
    { class: "card", id: "measure", onsubmit: begin },
    h("h2", null, t("analyze.measure")),
    h("h3", null, t("analyze.games")),
    toggles(
      games.map((game) => [game.id, gameName(game), gameAbout(game)]),
      chosen,
    ),
    field(t("analyze.more"), more, t("analyze.moreHint")),
    h("h3", null, t("analyze.players")),
    toggles(
      catalogue.players.map((name) => [name, name, playerWords(name)]),
      players,
    ),
    h("p", { class: "small faint" }, t("analyze.playersHint")),
    field(t("analyze.morePlayers"), morePlayers),
    h(
      "div",
      { class: "row end", style: { marginTop: "10px" } },
      field(t("analyze.number"), many),
      h("button", { class: "first" }, t("analyze.begin")),
    ),
    h(
      "details",
      null,
      h("summary", null, t("analyze.options")),
      h(
        "div",
        { class: "choices-grid" },
        field(t("analyze.preset"), preset),
        field(t("analyze.values"), values),
        maxPlies.field,
        playing.fields,
      ),
    ),
  );
}

/** What a player does; the words file has one line for each sort. */
function playerWords(name) {
  const sort = name.startsWith("P'")
    ? "PX"
    : name.startsWith("P0")
      ? "P0"
      : name[0] === "P"
        ? "P"
        : name.split(/[:(]/)[0];
  return t(`analyze.player.${sort}`);
}

function matchCard(games, catalogue, tables, query) {
  const two = games.filter((game) => (game.n_sides ?? 2) === 2);
  const game = select(
    two.map((each) => [each.id, gameName(each)]),
    query.get("match") ?? "chess",
  );
  const names = [...catalogue.players, ...catalogue.tables, ...tables];
  const list = h(
    "datalist",
    { id: "competitors" },
    names.map((name) => h("option", { value: name })),
  );
  const [first, second] = [query.get("first") ?? "level:3", query.get("second") ?? "level:2"].map((value) =>
    h("input", { list: "competitors", value, required: true }),
  );
  const pairs = h("input", { type: "number", min: 1, max: 100000, value: 20 });
  const opening = h("input", { type: "number", min: 0, max: 200, value: 4 });
  const changes = h("input", { placeholder: "+castling, minishogi" });
  const sprt = h("input", { placeholder: "0:20" });
  const numbers = {
    depth: numberField("analyze.depth", { min: 1, max: 12, placeholder: "3" }),
    quiescence: numberField("analyze.quiescence", { min: 0, max: 30, placeholder: "6" }),
    mate: numberField("analyze.mate", { min: 0, max: 15, placeholder: "3" }),
    max_plies: numberField("analyze.maxPlies", { min: 1, max: 1000000, placeholder: "1000" }),
    seed: numberField("analyze.seed", { min: 0, placeholder: "1" }),
    threads: numberField("analyze.threads", { min: 1, max: 256, placeholder: t("analyze.all") }),
  };
  const begin = (event) => {
    event.preventDefault();
    const request = {
      kind: "match",
      games: matchGames(game.value, changes.value),
      players: [first.value, second.value],
      n_pairs: Number(pairs.value),
      opening: Number(opening.value),
    };
    if (sprt.value.trim()) request.sprt = sprt.value.trim();
    for (const [name, read] of Object.entries(numbers)) request[name] = read();
    beginJob(request);
  };
  return h(
    "form",
    { class: "card", onsubmit: begin },
    list,
    h("h2", null, t("analyze.match")),
    h("p", { class: "small faint" }, t("analyze.matchAbout")),
    h(
      "div",
      { class: "pairs" },
      wholeField(t("analyze.game"), game),
      field(t("analyze.first"), first),
      field(t("analyze.second"), second),
      field(t("analyze.pairs"), pairs),
      field(t("analyze.opening"), opening),
    ),
    h(
      "details",
      null,
      h("summary", null, t("analyze.options")),
      h(
        "div",
        { class: "pairs" },
        field(t("analyze.more"), changes),
        field(t("analyze.sprt"), sprt),
        Object.values(numbers).map((read) => read.field),
      ),
    ),
    h(
      "div",
      { class: "row", style: { marginTop: "12px" } },
      h("button", { class: "first" }, t("analyze.begin")),
    ),
  );
}

/** "+castling, minishogi" are a change of the game that was chosen, and another game beside it. */
function matchGames(game, more) {
  const named = more.split(/[\s,]+/).filter(Boolean);
  const changes = named.filter((name) => name.startsWith("+"));
  return [game + changes.join(""), ...named.filter((name) => !name.startsWith("+"))];
}

function presetsCard(catalogue, tables) {
  const quick = quickGames();
  const playing = new Playing();
  const readings = new Set();
  const reading = toggles(
    READINGS.map((name) => [name, t(`analyze.reading.${name}`)]),
    readings,
  );
  const values = select([["", "–"], ...tables.map((name) => [name, name])], "");
  learnedJobs().then(
    (jobs) =>
      values.append(
        ...jobs.map((job) => h("option", { value: `job:${job.id}` }, `${jobTitle(job)} (#${job.id})`)),
      ),
    showError,
  );
  const begin = (experiment, isQuick) => () => {
    const chosen = playing.read(isQuick ? Math.min(quick(), experiment.n_games) : undefined);
    beginJob({
      kind: "reproduce",
      name: experiment.name,
      ...chosen,
      ...(values.value ? { values: values.value } : {}),
      ...(readings.size ? { reading: readings.has("all") ? "all" : [...readings].join(",") } : {}),
    });
  };
  const line = (experiment) =>
    h(
      "li",
      null,
      h("div", null, fromData(experiment.name, experiment.title)),
      h(
        "div",
        { class: "row" },
        h(
          "button",
          { "class": "small", "onclick": begin(experiment, true), "data-experiment": experiment.name },
          t("analyze.quick"),
        ),
        h(
          "button",
          { class: "small quiet", onclick: begin(experiment) },
          t("analyze.full", { n: experiment.n_games.toLocaleString() }),
        ),
      ),
    );
  return h(
    "section",
    { class: "card", id: "papers" },
    h("h2", null, t("analyze.papers")),
    h("p", { class: "small faint" }, t("analyze.papersAbout")),
    quick.field,
    h(
      "details",
      null,
      h("summary", null, t("analyze.options")),
      h("div", { class: "choices-grid" }, playing.fields, field(t("analyze.papersValues"), values)),
      h("h3", null, t("analyze.reading")),
      reading,
    ),
    h("ul", { class: "plain columns" }, catalogue.experiments.map(line)),
  );
}

/** Jobs that have learned what pieces are worth. */
const learnedJobs = async () =>
  (await api.get("jobs")).filter((job) => job.is_learning && job.state === "done");

/** Whether a job has played, or brought in, a part of an experiment. */
const isPart = (job) => job.request.kind === "part" || Boolean(job.request.shard);

function drawRuns(card, jobs) {
  // Nothing is drawn anew unless a run came, went or changed its state: whoever is about to tick one is not disturbed.
  const shown = JSON.stringify(jobs.map((job) => [job.id, job.state]));
  if (card.dataset.shown === shown) return;
  card.dataset.shown = shown;
  const ticked = new Set([...card.querySelectorAll("input:checked")].map((box) => box.value));
  const compare = () => {
    const ids = [...card.querySelectorAll("input:checked")].map((box) => box.value);
    if (ids.length < 2) return notice(t("analyze.chooseTwo"));
    location.hash = `#/analyze/compare?jobs=${ids.join(",")}`;
  };
  const line = (job) =>
    h(
      "li",
      { class: "row run-line" },
      h(
        "label",
        { class: "tick" },
        h("input", {
          "type": "checkbox",
          "value": job.id,
          "checked": ticked.has(String(job.id)),
          "aria-label": t("analyze.compareThis", { title: jobTitle(job) }),
        }),
      ),
      h(
        "div",
        { class: "row" },
        h("a", { href: jobLink(job) }, jobTitle(job)),
        h("span", { class: `state ${job.state}` }, t(`jobs.${job.state}`)),
        h("span", { class: "faint small" }, new Date(job.created_ms).toLocaleDateString(locale())),
      ),
    );
  const join = () => {
    const ids = [...card.querySelectorAll("input:checked")].map((box) => Number(box.value));
    if (ids.length < 2) return notice(t("analyze.chooseParts"));
    return beginJob({ kind: "merge", jobs: ids, ...(keep.value ? { keep: keep.value } : {}) });
  };
  const keep = keepChoice();
  fillWith(
    card,
    h("h2", null, t("analyze.runs")),
    jobs.length
      ? h("ul", { class: "plain" }, jobs.slice(0, 30).map(line))
      : h("p", { class: "faint" }, t("analyze.noRuns")),
    jobs.length > 1 &&
      h(
        "div",
        { class: "row" },
        h("button", { onclick: compare }, t("analyze.compare")),
        jobs.some(isPart) && h("button", { onclick: join }, t("analyze.join")),
        jobs.some(isPart) && field(t("analyze.keep"), keep),
      ),
  );
}
