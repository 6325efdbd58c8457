// A learner at work: a picture for each run with a curve for each piece, the values so far, and what to do with them.

import { api, ask, showError } from "../lib/api.js";
import { csv } from "../lib/csv.js";
import { download, h, notice } from "../lib/dom.js";
import { JobHead, jobFiles, knowNames } from "../lib/job.js";
import { gameWord } from "../lib/library.js";
import { Plot, curves, dots, short } from "../lib/plot.js";
import { gameDescriptor } from "../lib/descriptors.js";
import { reportOf } from "../lib/report.js";
import { t } from "../lib/words.js";
import { kindName } from "../board/names.js";

export async function showLearning(root, id) {
  sheets.clear();
  const [first] = await Promise.all([api.get(`jobs/${id}`), knowNames()]);
  const head = new JobHead({
    onDeleted: () => {
      location.hash = "#/learn";
    },
  });
  const [compared, pictures, values, files, use, report] = [
    h("div", { class: "stack" }),
    h("div", { class: "learn-pictures" }),
    h("section", { class: "card scroll" }),
    h("div"),
    h("div"),
    h("div"),
  ];
  root.append(
    h("p", null, h("a", { href: "#/learn" }, `← ${t("shell.learn")}`)),
    h(
      "div",
      { class: "beside" },
      h("div", { class: "stack" }, head.element, compared, pictures),
      h("div", { class: "stack" }, values, use, files),
    ),
    report,
  );
  root.classList.add("stack");
  const plots = new Map();
  let told;
  const draw = async (job) => {
    head.show(job);
    const curves = job.progress.curves ?? [];
    await learnNames(curves);
    compareLambdas(job, compared, plots);
    drawCurves(job, pictures, plots);
    values.hidden = !curves.length && !isAlive(job);
    values.replaceChildren(...valuesOf(curves));
    if (told === job.state) return;
    files.replaceChildren(await jobFiles(job));
    // Only now: a server that was killed in between tells the state again when it is back.
    told = job.state;
    if (job.state !== "done") return;
    use.replaceChildren(await useOf(job));
    report.replaceChildren(reportOf(job));
  };
  await draw(first);
  return api.watch(`jobs/${id}/events`, (job) => draw(job).catch(showError));
}

/** Sheets of the games that are learned, for what their pieces are called; a game that is gone has none. */
const sheets = new Map();

async function learnNames(curves) {
  const unknown = [...new Set(curves.map((curve) => curve.name))].filter((name) => !sheets.has(name));
  await Promise.all(
    unknown.map(async (name) => sheets.set(name, await gameDescriptor(name).catch(() => null))),
  );
}

/** A piece as the page calls it. */
function pieceWord(game, name) {
  const sheet = sheets.get(game);
  return sheet?.kinds.some((kind) => kind.name === name) ? kindName(sheet, name) : name;
}

const isAlive = (job) => job.state === "running" || job.state === "waiting";

const runName = (curve) =>
  `${gameWord(curve.name)}, λ ${curve.lambda}${curve.run > 1 ? `, ${t("learn.run", { n: curve.run })}` : ""}`;

function drawCurves(job, pictures, plots) {
  const all = job.progress.curves ?? [];
  if (!all.length && !isAlive(job)) return pictures.replaceChildren();
  if (!all.length && !pictures.childElementCount)
    pictures.append(h("p", { class: "faint" }, t("learn.waiting")));
  if (all.length) pictures.querySelector(":scope > p")?.remove();
  all.slice(0, 24).forEach((curve) => {
    const name = runName(curve);
    if (!plots.has(name)) {
      const plot = new Plot(`learn-${job.id}-${pictures.childElementCount + 1}`, { height: 300 });
      plots.set(name, plot);
      pictures.append(h("section", { class: "card" }, h("h3", null, name), plot.element));
    }
    const series = curve.series.map((each) => ({
      name: pieceWord(curve.name, each.name),
      x: curve.n_games,
      y: each.values,
    }));
    const rows = [
      [t("learn.nGames"), ...curve.series.map((each) => each.name)],
      ...curve.n_games.map((n, at) => [n, ...curve.series.map((each) => each.values[at])]),
    ];
    plots.get(name).show(curves(series, { xLabel: t("learn.gamesPlayed"), yLabel: t("learn.weight") }), rows);
  });
}

/** The last weight of a piece in units of the first piece of its game. */
function worth(curve, name) {
  const unit = curve.series[0]?.values.at(-1);
  const found = curve.series.find((each) => each.name === name)?.values.at(-1);
  return unit > 0 ? found / unit : found;
}

/** What each piece is worth by each lambda: the mean of its runs, and how far these reach. */
function lambdaRows(all) {
  const lambdas = [...new Set(all.map((curve) => curve.lambda))];
  return all[0].series.flatMap(({ name }) =>
    lambdas.map((lambda, group) => {
      const found = all
        .filter((curve) => curve.lambda === lambda)
        .map((curve) => worth(curve, name))
        .filter(Number.isFinite);
      const reach = found.length > 1 ? { low: Math.min(...found), high: Math.max(...found) } : {};
      return {
        name,
        lambda,
        label: `${pieceWord(all[0].name, name)} λ ${lambda}`,
        group,
        value: found.reduce((sum, value) => sum + value, 0) / found.length,
        ...reach,
      };
    }),
  );
}

/** A picture for each game that is learned with several lambdas. */
function compareLambdas(job, compared, plots) {
  const all = job.progress.curves ?? [];
  for (const game of new Set(all.map((curve) => curve.name))) {
    const own = all.filter((curve) => curve.name === game);
    const key = `lambdas of ${game}`;
    if (new Set(own.map((curve) => curve.lambda)).size < 2) continue;
    if (!plots.has(key)) {
      plots.set(key, new Plot(`lambdas-${job.id}-${game}`));
      compared.append(
        h(
          "section",
          { class: "card" },
          h("h3", null, `${gameWord(game)}: ${t("learn.lambdas")}`),
          h("p", { class: "small faint" }, t("learn.lambdasAbout")),
          plots.get(key).element,
        ),
      );
    }
    const rows = lambdaRows(own);
    plots
      .get(key)
      .show(dots(rows, { label: t("learn.valuesAbout") }), [
        ["piece", "lambda", "value", "lowest run", "highest run"],
        ...rows.map((row) => [row.name, row.lambda, row.value, row.low, row.high]),
      ]);
  }
}

/** The last weights, in units of the first piece of each game: pieces down, runs across. */
function valuesOf(all) {
  if (!all.length) return [h("h2", null, t("learn.values")), h("p", { class: "faint" }, t("learn.waiting"))];
  const names = [...new Set(all.flatMap((curve) => curve.series.map((each) => each.name)))];
  const value = (curve, name) => short(worth(curve, name));
  const shown = all.slice(0, 6);
  const run = (curve) => `λ ${curve.lambda}${curve.run > 1 ? ` #${curve.run}` : ""}`;
  const save = () =>
    download(
      "values.csv",
      csv([
        ["piece", ...all.map((curve) => `${curve.name} ${run(curve)}`)],
        ...names.map((name) => [name, ...all.map((curve) => value(curve, name))]),
      ]),
      "text/csv",
    );
  return [
    h("h2", null, t("learn.values")),
    h("p", { class: "small faint" }, t("learn.valuesAbout")),
    h(
      "table",
      { class: "tight" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", null),
          shown.map((curve) =>
            h(
              "th",
              { scope: "col", class: "number" },
              `λ ${curve.lambda}`,
              curve.run > 1 && [h("br"), `#${curve.run}`],
            ),
          ),
        ),
      ),
      h(
        "tbody",
        null,
        names.map((name) =>
          h(
            "tr",
            null,
            h("th", { scope: "row" }, pieceWord(shown[0].name, name)),
            shown.map((curve) => h("td", { class: "number" }, value(curve, name))),
          ),
        ),
      ),
    ),
    h("button", { class: "quiet small", onclick: save }, "CSV ↓"),
  ];
}

/** Weights at once: kept as a table, then played with, measured with, or put against another. */
async function useOf(job) {
  const files = (await api.get(`jobs/${job.id}/files`)).filter((file) => file.name.endsWith(".values"));
  const line = (file) => {
    const name = h("input", {
      "value": file.name
        .replace(/\.values$/, "")
        .replaceAll(/[^\p{L}\p{N}_-]/gu, "-")
        .slice(0, 60),
      "aria-label": t("learn.tableName"),
    });
    const links = h("div", { class: "row" });
    const keep = async () => {
      const response = await ask(`jobs/${job.id}/files/${encodeURIComponent(file.name)}`);
      await api.put(`values/${name.value}`, { text: await response.text() });
      notice(t("learn.kept", { name: name.value }));
      const game = job.request.games?.[0] ?? file.name.split("-lambda")[0];
      links.replaceChildren(
        h(
          "a",
          {
            class: "button small",
            href: `#/play/${encodeURIComponent(game)}?values=${encodeURIComponent(name.value)}`,
          },
          t("learn.playWith"),
        ),
        h(
          "a",
          {
            class: "button small",
            href: `#/analyze?match=${encodeURIComponent(game)}&first=${encodeURIComponent(name.value)}&second=given`,
          },
          t("learn.test"),
        ),
        h(
          "a",
          {
            class: "button small",
            href: `#/analyze?game=${encodeURIComponent(game)}&values=${encodeURIComponent(name.value)}`,
          },
          t("learn.measureWith"),
        ),
      );
    };
    return h(
      "li",
      null,
      h(
        "div",
        { class: "row keep-line" },
        name,
        h("button", { class: "first small", onclick: () => keep().catch(showError) }, t("learn.keep")),
      ),
      links,
    );
  };
  return h(
    "section",
    { class: "card" },
    h("h2", null, t("learn.use")),
    h("p", { class: "small faint" }, t("learn.useAbout")),
    h("ul", { class: "plain" }, files.map(line)),
  );
}
