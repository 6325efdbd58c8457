// Files into a collection: dropped anywhere or chosen, sent one after another, watched; what was refused is told with its place.

import { api, showError } from "/lib/api.js";
import { download, field, h, select, speak } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { csv } from "/lib/csv.js";
import { address, bytes, collectionAndSheet, duration, head, number, of } from "./records-common.js";

const MOST_BYTES = 2 ** 30;
/** Rows of a table of refusals; the file that can be saved has them all. */
const MOST_ROWS = 100;

/** The part "add" of a collection. */
export async function showPart(root, name) {
  const { collection, sheet } = await collectionAndSheet(name);
  const reports = h("div", { class: "reports" });
  const form = formatChoice();
  const take = (files) => importFiles(name, files, reports, { format: form.value }).catch(showError);
  root.append(
    ...head(collection, sheet, "add"),
    chooser(take, t("records.dropInto", { name })),
    reports,
    h("p", { class: "faint small" }, t("records.formats")),
    h("div", { class: "row" }, field(t("records.format"), form)),
    h("div", { class: "row" }, tending(name, "check"), tending(name, "merge"), removal(name)),
  );
  return dropAnywhere(take, t("records.dropInto", { name }));
}

/** The form of files whose names do not tell it. */
export function formatChoice() {
  return select(
    [
      ["", t("records.usualFormat")],
      ...["pgn", "kif", "ki2", "csa", "usi", "jkf", "tsv"].map((name) => [name, name.toUpperCase()]),
    ],
    "",
  );
}

/** A place to drop files on, and a button for whoever would rather choose. */
export function chooser(take, words) {
  const input = h("input", {
    "type": "file",
    "multiple": true,
    "class": "unseen",
    "aria-label": t("records.choose"),
    "onchange": () => {
      take([...input.files]);
      input.value = "";
    },
  });
  return h(
    "label",
    { class: "drop-place" },
    h("strong", null, words),
    h("span", { class: "button" }, t("records.choose")),
    input,
  );
}

/** Takes files that are dropped anywhere on the page; gives what ends it. */
export function dropAnywhere(take, words) {
  const veil = h("div", { class: "drop-veil", hidden: true }, h("strong", null, words));
  document.body.append(veil);
  const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  const listeners = {
    dragover: (event) => {
      if (hasFiles(event)) {
        event.preventDefault();
        veil.hidden = false;
      }
    },
    dragleave: (event) => {
      if (!event.relatedTarget) veil.hidden = true;
    },
    drop: (event) => {
      veil.hidden = true;
      if (hasFiles(event)) {
        event.preventDefault();
        take([...event.dataTransfer.files]);
      }
    },
  };
  for (const [name, told] of Object.entries(listeners)) window.addEventListener(name, told);
  return () => {
    veil.remove();
    for (const [name, told] of Object.entries(listeners)) window.removeEventListener(name, told);
  };
}

/** Sends files one after another; each has its own card, where it can be stopped. */
export async function importFiles(name, files, reports, options = {}) {
  const cards = files.map((file) => new ImportCard(name, file, options));
  reports.prepend(...cards.map((card) => card.element));
  for (const card of cards) await card.run();
  return cards;
}

class ImportCard {
  constructor(name, file, options) {
    Object.assign(this, { name, file, options, controller: new AbortController() });
    this.bar = h("progress", { "aria-label": file.name });
    this.words = h("p", { "class": "small", "aria-live": "polite" }, t("records.waiting"));
    this.stop = h("button", { class: "quiet", onclick: () => this.controller.abort() }, t("records.stop"));
    this.body = h("div", null, this.bar, this.words);
    this.element = h(
      "section",
      { class: "card report" },
      h(
        "div",
        { class: "row between" },
        h("strong", null, file.name, h("span", { class: "faint small" }, ` ${bytes(file.size)}`)),
        this.stop,
      ),
      this.body,
    );
  }

  async run() {
    if (this.file.size > MOST_BYTES)
      return this.fail({ message: t("records.tooLarge"), hint: t("records.tooLargeHint") });
    const leave = api.watch(
      of(this.name, "import/events"),
      (progress) => progress.file === this.file.name && this.show(progress),
    );
    const { game, format } = this.options;
    const given = new URLSearchParams({
      file: this.file.name,
      ...(game ? { game } : {}),
      ...(format ? { format } : {}),
    });
    try {
      this.done(
        await api.put(`${of(this.name, "import")}?${given}`, this.file, { signal: this.controller.signal }),
      );
    } catch (error) {
      this.fail(
        error.name === "AbortError"
          ? { message: t("records.stopped"), hint: t("records.stoppedHint") }
          : error,
      );
    } finally {
      leave();
      this.stop.remove();
    }
    return undefined;
  }

  show({ stage, bytes: come, of_bytes: all, added, known, refused }) {
    if (stage === "idle" || this.isOver) return;
    if (stage === "receiving" && all) {
      this.bar.max = all;
      this.bar.value = come;
    } else this.bar.removeAttribute("value");
    this.words.textContent =
      stage === "receiving"
        ? t("records.receiving", { come: bytes(come), all: bytes(all ?? this.file.size) })
        : stage === "reading"
          ? t("records.reading", { added: number(added), known: number(known), refused: number(refused) })
          : t(`records.${stage}`);
  }

  fail({ message, hint }) {
    this.isOver = true;
    this.body.replaceChildren(
      h("p", { class: "wrong", role: "alert" }, h("strong", null, message), " ", hint ?? ""),
    );
  }

  done(report) {
    this.isOver = true;
    this.report = report;
    const words = t("records.imported", {
      added: number(report.added),
      known: number(report.duplicates),
      refused: number(report.refused),
      time: duration(report.elapsed_ms),
    });
    speak(words);
    const rows = report.refusals
      .slice(0, MOST_ROWS)
      .map(({ game, line, what }) =>
        h(
          "tr",
          null,
          h("td", { class: "number" }, game ?? ""),
          h("td", { class: "number" }, line),
          h("td", null, what),
        ),
      );
    const save = () =>
      download(
        `${this.file.name}-refused.csv`,
        csv([
          ["game", "line", "reason"],
          ...report.refusals.map(({ game, line, what }) => [game ?? "", line, what]),
        ]),
        "text/csv",
      );
    this.body.replaceChildren(
      h(
        "p",
        { class: "imported" },
        report.added + report.duplicates
          ? h("span", { "class": "good", "aria-hidden": "true" }, "✓ ")
          : h("span", { "class": "wrong", "aria-hidden": "true" }, "✗ "),
        words,
      ),
      ["merged", "not_dates", "diagrams"]
        .filter((kind) => report[kind])
        .map((kind) =>
          h("p", { class: "small" }, t(`records.import_${kind}`, { count: number(report[kind]) })),
        ),
      report.refused
        ? h(
            "details",
            { class: "refused", open: report.added === 0 },
            h("summary", null, t("records.refusedTitle", { count: number(report.refused) })),
            h(
              "div",
              { class: "scroll" },
              h(
                "table",
                null,
                h(
                  "thead",
                  null,
                  h(
                    "tr",
                    null,
                    h("th", { class: "number" }, t("records.gameHead")),
                    h("th", { class: "number" }, t("records.lineHead")),
                    h("th", null, t("records.reason")),
                  ),
                ),
                h("tbody", null, rows),
              ),
            ),
            report.refused > MOST_ROWS
              ? h("p", { class: "small faint" }, t("records.firstRefusals", { n: MOST_ROWS }))
              : "",
            h("button", { class: "quiet", onclick: save }, t("records.saveCsv")),
          )
        : "",
      report.games
        ? h(
            "p",
            { class: "row" },
            h(
              "a",
              { class: "button", href: address([report.name]) },
              t("records.open", { name: report.name }),
            ),
          )
        : "",
    );
  }
}

/** A button that checks or merges the files of a collection, and what came of it. */
function tending(name, work) {
  const told = h("span", { class: "small", role: "status" });
  const button = h(
    "button",
    {
      title: t(`records.${work}Help`),
      onclick: async () => {
        button.disabled = true;
        told.replaceChildren(t("records.working"));
        try {
          const { games, files, bytes: size } = await api.post(of(name, work), {});
          told.replaceChildren(
            t(`records.${work}Done`, { games: number(games), files: number(files), bytes: bytes(size) }),
          );
        } catch (error) {
          told.replaceChildren();
          showError(error);
        } finally {
          button.disabled = false;
        }
      },
    },
    t(`records.${work}`),
  );
  return h("span", { class: "tending" }, button, " ", told);
}

/** Removing a collection, asked twice. */
function removal(name) {
  const sure = h(
    "dialog",
    { "aria-label": t("records.removeTitle", { name }) },
    h("h2", null, t("records.removeTitle", { name })),
    h("p", null, t("records.removeWords")),
    h(
      "div",
      { class: "row" },
      h("button", { class: "first", onclick: () => remove() }, t("records.remove")),
      h("button", { onclick: () => sure.close() }, t("records.cancel")),
    ),
  );
  const remove = async () => {
    try {
      await api.delete(of(name));
      sure.close();
      location.hash = "#/records";
    } catch (error) {
      sure.close();
      showError(error);
    }
  };
  return h(
    "div",
    { class: "removal" },
    h("button", { onclick: () => sure.showModal() }, t("records.removeThis")),
    sure,
  );
}
