// A job on the page: its head with progress and buttons, its files, and being told of every change.

import { api, showError } from "./api.js";
import { copy, fillWith, h } from "./dom.js";
import { fromData, gameWord } from "./library.js";
import { told } from "./localise.js";
import { addWords, t } from "./words.js";
import words from "../words/jobs.js";

addWords(words);

/** In English games and experiments are called as their files say; titles of jobs are ready for use after this. */
export async function knowNames() {
  const [games, { experiments, evolutions }] = await Promise.all([api.get("games"), api.get("catalogue")]);
  const en = Object.fromEntries([
    ...games.map(({ id, name }) => [`library.${id}`, name]),
    ...[...experiments, ...evolutions].map(({ name, title }) => [`names.${name}`, title]),
  ]);
  addWords({ en, ja: {} });
}

/** What a job is about, in the page's language. */
export function jobTitle({ title, request }) {
  const [what, ...part] = title.split(" · ");
  const named = request.kind === "bench" ? t("jobs.bench") : fromData(what, undefined);
  const [games, rest] = what.split(": ");
  const told =
    named ?? [games.split(", ").map(gameWord).join(", "), ...(rest === undefined ? [] : [rest])].join(": ");
  return [told, ...part.map((each) => t("jobs.part", { part: each }))].join(" · ");
}

/** Where a job is shown: what measures and what learns have views of their own. */
export function jobLink(job) {
  return `#/${job.is_learning ? "learn" : "analyze"}/${job.id}`;
}

/** Begins a job and goes to it. */
export async function beginJob(request) {
  try {
    const job = await api.post("jobs", request);
    location.hash = jobLink(job);
  } catch (error) {
    showError(error);
  }
}

/** How much is done, in words. */
export function playedWords({ progress: { done, of }, request }) {
  const sort = request.kind === "bench" ? "positions" : "games";
  return of
    ? t(`jobs.${sort}Of`, { done: done.toLocaleString(), of: of.toLocaleString() })
    : t(`jobs.${sort}`, { done: done.toLocaleString() });
}

/** A duration in words that are short enough for a bar. */
export function duration(ms) {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return t("jobs.seconds", { n: seconds });
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? t("jobs.minutes", { n: minutes, s: String(seconds % 60).padStart(2, "0") })
    : t("jobs.hours", { n: Math.floor(minutes / 60), m: String(minutes % 60).padStart(2, "0") });
}

/** The head of a job's page, which follows the job. */
export class JobHead {
  constructor({ onDeleted } = {}) {
    this.onDeleted = onDeleted;
    this.element = h("section", { class: "card job-head" });
    this.first = null;
  }

  /** Between two states only numbers change: a button that somebody presses or stands on stays. */
  show(job) {
    const { done, of } = job.progress;
    if (!this.first || this.first.started !== job.started_ms)
      this.first = { started: job.started_ms, done, at: Date.now() };
    const drawn = JSON.stringify([job.state, job.error, Boolean(of)]);
    if (drawn !== this.drawn) this.draw(job);
    this.drawn = drawn;
    if (of) Object.assign(this.bar, { max: of, value: done });
    this.words.textContent = this.told(job);
  }

  draw(job) {
    const isAlive = job.state === "running" || job.state === "waiting";
    const act = (verb) => async () => {
      try {
        await api.post(`jobs/${job.id}/${verb}`);
      } catch (error) {
        showError(error);
      }
    };
    const remove = async () => {
      if (!confirm(t("jobs.sure"))) return;
      try {
        await api.delete(`jobs/${job.id}`);
        this.onDeleted?.();
      } catch (error) {
        showError(error);
      }
    };
    this.bar = h("progress", {
      "aria-label": t("jobs.progress"),
      ...(job.progress.of || isAlive ? {} : { value: job.state === "done" ? 1 : 0, max: 1 }),
    });
    this.words = h("div", { class: "row small faint job-told" });
    const focused = this.element.contains(document.activeElement)
      ? document.activeElement.textContent
      : undefined;
    fillWith(
      this.element,
      h(
        "div",
        { class: "row" },
        h("span", { class: `state ${job.state}` }, t(`jobs.${job.state}`)),
        h("h1", { class: "job-title" }, jobTitle(job)),
        h("span", { class: "faint small" }, `#${job.id}`),
      ),
      this.bar,
      this.words,
      job.error && h("p", { class: "wrong" }, told(job.error)),
      job.state === "failed" && otherWords(job),
      h(
        "div",
        { class: "row" },
        isAlive && h("button", { onclick: act("stop") }, t("jobs.stop")),
        (job.state === "stopped" || job.state === "failed") &&
          h("button", { class: "first", onclick: act("resume") }, t("jobs.resume")),
        !isAlive &&
          job.request.kind !== "part" &&
          h("button", { onclick: () => beginJob(job.request) }, t("jobs.again")),
        !isAlive && h("button", { onclick: remove }, t("delete")),
        job.command &&
          h(
            "button",
            { class: "quiet", title: job.command, onclick: () => copy(job.command, t("copied")) },
            t("jobs.command"),
          ),
      ),
    );
    [...this.element.querySelectorAll("button")].find((button) => button.textContent === focused)?.focus();
  }

  told(job) {
    const { done, of } = job.progress;
    const games = playedWords(job);
    if (job.state !== "running") {
      const took = job.ended_ms && job.started_ms ? ` · ${duration(job.ended_ms - job.started_ms)}` : "";
      return games + took;
    }
    const [passed, played] = [Date.now() - this.first.at, done - this.first.done];
    if (passed < 1500 || played < 1) return games;
    const rate = (played / passed) * 1000;
    const left = of ? ` · ${t("jobs.left", { time: duration(((of - done) / rate) * 1000) })}` : "";
    return `${games} · ${t("jobs.perSecond", { n: rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString() })}${left}`;
  }
}

/** What a job said besides why it failed; what a terminal would be told to do is no help here. */
function otherWords({ messages, error }) {
  const others = messages.filter((line) => line !== `error: ${error}` && !/^hint: .*`ashta/.test(line));
  return others.length > 0 && h("pre", { class: "small scroll" }, others.join("\n"));
}

/** The files of a job, to be saved. */
export async function jobFiles(job) {
  const files = await api.get(`jobs/${job.id}/files`);
  if (!files.length) return h("div", { hidden: true });
  const size = (n) =>
    n < 10_000 ? `${n} B` : n < 10_000_000 ? `${Math.round(n / 1000)} kB` : `${Math.round(n / 1e6)} MB`;
  return h(
    "section",
    { class: "card" },
    h("h3", null, t("jobs.files")),
    h(
      "div",
      { class: "row" },
      files.map((file) =>
        h(
          "a",
          {
            class: "button small",
            href: `/api/jobs/${job.id}/files/${encodeURIComponent(file.name)}`,
            download: file.name,
          },
          `${file.name} `,
          h("span", { class: "faint" }, size(file.n_bytes)),
        ),
      ),
    ),
  );
}

/** Toggles for choosing several things; `chosen` is a Set that follows. */
export function toggles(options, chosen, onchange) {
  return h(
    "div",
    { class: "chips" },
    options.map(([key, label, title]) => {
      const chip = h(
        "button",
        {
          "class": "chip",
          "type": "button",
          title,
          "aria-pressed": String(chosen.has(key)),
          "onclick": () => {
            if (!chosen.delete(key)) chosen.add(key);
            chip.setAttribute("aria-pressed", String(chosen.has(key)));
            onchange?.();
          },
        },
        label,
      );
      return chip;
    }),
  );
}
