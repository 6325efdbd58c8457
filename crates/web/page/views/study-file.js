// A file of problems: dropped or chosen, solved one after another, told as a table that can be saved.

import { showError } from "/lib/api.js";
import { download, h } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { csv } from "/lib/csv.js";
import { count, watchWork } from "./study-common.js";

const COLUMNS = ["line", "id", "position", "length", "unit", "keys", "agrees", "nodes", "ms", "error"];

/** A place to drop a file of problems on; `problems` says the game and what is looked for. */
export function problemFile(problems) {
  const input = h("input", {
    type: "file",
    id: "problem-file",
    class: "unseen",
    accept: ".epd,.fen,.sfen,.txt,.pgn,.tsv,.csv",
    onchange: () => input.files[0] && run(input.files[0]),
  });
  const drop = h(
    "label",
    { class: "drop", for: "problem-file" },
    t("study.dropProblems"),
    h("small", { class: "faint" }, t("study.dropProblemsHint")),
  );
  const outcome = h("div", { "aria-live": "polite" });
  const over = (event) => {
    event.preventDefault();
    drop.classList.toggle("over", event.type === "dragover");
  };
  drop.addEventListener("dragover", over);
  drop.addEventListener("dragleave", over);
  drop.addEventListener("drop", (event) => {
    over(event);
    if (event.dataTransfer.files[0]) run(event.dataTransfer.files[0]);
  });

  async function run(file) {
    const controller = new AbortController();
    const rows = [];
    const body = h("tbody");
    const progress = h("progress", { max: 1, value: 0 });
    const said = h("p", { class: "small" });
    const stop = h("button", { type: "button", onclick: () => controller.abort() }, t("study.stop"));
    const save = h(
      "button",
      {
        type: "button",
        onclick: () =>
          download(
            `${file.name}.csv`,
            csv([
              COLUMNS,
              ...rows.map((row) =>
                COLUMNS.map((name) => (name === "keys" ? row.keys?.join(" ") : row[name])),
              ),
            ]),
            "text/csv",
          ),
      },
      t("study.saveCsv"),
    );
    outcome.replaceChildren(
      h("div", { class: "row" }, h("strong", null, file.name), stop, save),
      progress,
      said,
      h(
        "div",
        { class: "scroll study-file-table" },
        h(
          "table",
          null,
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              ["line", "problem", "found", "keys", "agrees"].map((name) =>
                h("th", null, t(`study.file.${name}`)),
              ),
              h("th", { class: "number" }, "ms"),
            ),
          ),
          body,
        ),
      ),
    );
    const told = (event) => {
      if (event.event === "part") {
        rows.push(event.part);
        body.append(row(event.part));
      } else if (event.progress?.total) {
        progress.max = event.progress.total;
        progress.value = rows.length;
      }
    };
    try {
      const wanted = problems.byChecks ? problems.wanted() : { mate: problems.moves };
      const sum = await watchWork(
        "problems/file/events",
        { game: problems.game, text: await file.text(), ...wanted },
        told,
        controller.signal,
      );
      said.textContent = t("study.file.sum", {
        problems: count(sum.problems),
        solved: count(sum.solved),
        without: count(sum.without),
        unlike: count(sum.unlike),
        unreadable: count(sum.unreadable),
      });
    } catch (error) {
      if (rows.length) said.textContent = t("study.file.stopped", { n: rows.length });
      showError(error);
    }
    progress.remove();
    stop.remove();
  }

  function row(part) {
    if (part.error)
      return h("tr", { class: "wrong" }, h("td", null, part.line), h("td", { colspan: 5 }, part.error));
    const open = h(
      "button",
      {
        type: "button",
        class: "quiet small mono",
        title: part.position,
        onclick: () =>
          problems.take({
            game: problems.game,
            position: part.position,
            mate: part.unit === "moves" ? (part.length ?? problems.moves) : undefined,
            plies: part.length,
          }),
      },
      part.id ?? part.position,
    );
    return h(
      "tr",
      null,
      h("td", null, part.line),
      h("td", { class: "cut" }, open),
      h(
        "td",
        null,
        part.length
          ? t(part.unit === "plies" ? "study.tsumeOf" : "study.mateIn", { n: part.length })
          : t("study.file.none"),
      ),
      h("td", null, part.keys.join(" ")),
      h(
        "td",
        { class: part.agrees === false ? "wrong" : "good" },
        part.agrees === null ? "" : part.agrees ? "✓" : t("study.file.unlike"),
      ),
      h("td", { class: "number" }, part.ms.toFixed(1)),
    );
  }

  return h("section", { class: "study-file" }, h("h2", null, t("study.fileTitle")), input, drop, outcome);
}
