// Every job: what runs, what waits, what was found.

import { api, showError } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { beginJob, jobLink, jobTitle, knowNames, playedWords } from "../lib/job.js";
import { locale, t } from "../lib/words.js";

export async function show(root) {
  const [jobs] = await Promise.all([api.get("jobs"), knowNames()]);
  const list = h("div");
  root.append(
    h("h1", null, t("shell.jobs")),
    h("p", { class: "faint" }, t("jobs.about")),
    list,
    h(
      "p",
      { class: "row small", id: "bench" },
      h("button", { class: "small", onclick: () => beginJob({ kind: "bench" }) }, t("jobs.bench")),
      h("span", { class: "faint" }, t("jobs.benchAbout")),
    ),
  );
  let shown;
  const draw = (jobs) => {
    const now = JSON.stringify(jobs.map((job) => [job.id, job.state, job.progress.of]));
    if (now === shown) return jobs.forEach((job) => drawProgress(list, job));
    shown = now;
    return list.replaceChildren(jobs.length ? table(jobs) : empty());
  };
  // What is there already is there at once: nothing jumps.
  draw(jobs);
  return api.watch("jobs/events", draw);
}

/** Between two states only numbers change, and whoever is about to press a button is not disturbed. */
function drawProgress(list, job) {
  const row = list.querySelector(`[data-job="${job.id}"]`);
  const [bar, words] = [row.querySelector("progress"), row.querySelector(".played")];
  if (job.progress.of) bar.value = job.progress.done;
  words.textContent = playedWords(job);
}

function empty() {
  return h(
    "div",
    { class: "card" },
    h("p", null, t("jobs.none")),
    h(
      "div",
      { class: "row" },
      h("a", { class: "button", href: "#/analyze" }, t("jobs.toAnalyze")),
      h("a", { class: "button", href: "#/learn" }, t("jobs.toLearn")),
    ),
  );
}

function table(jobs) {
  return h(
    "div",
    { class: "scroll card" },
    h(
      "table",
      { class: "job-list" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          ["jobs.what", "jobs.state", "jobs.progress", "jobs.when"].map((key) =>
            h("th", { scope: "col" }, t(key)),
          ),
          h("th", null),
        ),
      ),
      h("tbody", null, jobs.map(row)),
    ),
  );
}

function row(job) {
  const { done, of } = job.progress;
  const act = (ask) => async () => {
    try {
      await ask();
    } catch (error) {
      showError(error);
    }
  };
  const isAlive = job.state === "running" || job.state === "waiting";
  return h(
    "tr",
    { "data-job": job.id },
    h(
      "td",
      null,
      h("a", { href: jobLink(job) }, jobTitle(job)),
      h("div", { class: "small faint" }, `#${job.id} · ${t(`jobs.kind.${job.request.kind}`)}`),
    ),
    h("td", null, h("span", { class: `state ${job.state}` }, t(`jobs.${job.state}`))),
    h(
      "td",
      { style: { minWidth: "120px" } },
      h(
        "progress",
        of
          ? { "max": of, "value": done, "aria-label": t("jobs.progress") }
          : { "value": 0, "max": 1, "aria-label": t("jobs.progress") },
      ),
      h("div", { class: "small faint played" }, playedWords(job)),
    ),
    h("td", { class: "small" }, new Date(job.created_ms).toLocaleString(locale())),
    h(
      "td",
      null,
      h(
        "div",
        { class: "row" },
        isAlive &&
          h(
            "button",
            { class: "small", onclick: act(() => api.post(`jobs/${job.id}/stop`)) },
            t("jobs.stop"),
          ),
        (job.state === "stopped" || job.state === "failed") &&
          h(
            "button",
            { class: "small", onclick: act(() => api.post(`jobs/${job.id}/resume`)) },
            t("jobs.resume"),
          ),
        !isAlive &&
          h(
            "button",
            {
              class: "small quiet",
              onclick: act(async () => {
                if (confirm(t("jobs.sure"))) await api.delete(`jobs/${job.id}`);
              }),
            },
            t("delete"),
          ),
      ),
    ),
  );
}
