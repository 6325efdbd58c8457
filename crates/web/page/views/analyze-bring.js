// What was measured elsewhere: a report, whose experiment is carried out again, or the journal of a part.

import { api, showError } from "../lib/api.js";
import { field, h, notice } from "../lib/dom.js";
import { beginJob } from "../lib/job.js";
import { t } from "../lib/words.js";
import { keepChoice, numberField, wholeField } from "./analyze-playing.js";

const JOURNAL = "ASHTAJNL";

/** The plan that a report carries, as JSON or as a page; nothing if it carries none. */
export function planOf(text) {
  const embedded = text.trimStart().startsWith("<")
    ? new DOMParser()
        .parseFromString(text, "text/html")
        .getElementById("plan")
        ?.textContent.replaceAll("<\\/", "</")
    : undefined;
  try {
    const read = JSON.parse(embedded ?? text);
    return embedded === undefined ? read.plan : read;
  } catch {
    return undefined;
  }
}

function again(text, chosen) {
  const plan = planOf(text);
  if (!plan) return notice(t("analyze.noPlan"), { hint: t("analyze.noPlanHint"), isError: true });
  return beginJob({ kind: "rerun", plan, ...chosen });
}

async function bring(files, chosen) {
  for (const file of files) {
    const isJournal = (await file.slice(0, JOURNAL.length).text()) === JOURNAL;
    if (!isJournal) return again(await file.text(), chosen);
    try {
      await api.post("jobs/parts", file);
      notice(t("analyze.partIsHere"));
    } catch (error) {
      showError(error);
    }
  }
  return undefined;
}

/** What else may be said when an experiment is carried out again: its part, what is kept, how many threads. */
function choices() {
  const [keep, shard] = [keepChoice(), h("input", { placeholder: "3/8" })];
  const threads = numberField("analyze.threads", { min: 1, max: 256, placeholder: t("analyze.all") });
  const read = () => ({
    ...(keep.value ? { keep: keep.value } : {}),
    ...(shard.value.trim() ? { shard: shard.value.trim() } : {}),
    threads: threads(),
  });
  const fields = h(
    "details",
    null,
    h("summary", null, t("analyze.options")),
    h(
      "div",
      { class: "pairs" },
      field(t("analyze.keep"), keep),
      threads.field,
      wholeField(t("analyze.shard"), shard),
    ),
  );
  return Object.assign(read, { fields });
}

export function bringCard() {
  const chosen = choices();
  const input = h("input", {
    "type": "file",
    "multiple": true,
    "tabindex": -1,
    "class": "unseen",
    "aria-label": t("analyze.chooseFile"),
    "onchange": () =>
      bring([...input.files], chosen()).finally(() => {
        input.value = "";
      }),
  });
  const over = (isOver) => (event) => {
    event.preventDefault();
    card.classList.toggle("over", isOver);
  };
  const pasted = h("textarea", {
    rows: 4,
    spellcheck: "false",
    style: { width: "100%" },
    placeholder: '{ "plan": …',
  });
  const card = h(
    "section",
    {
      class: "card",
      id: "bring",
      ondragover: over(true),
      ondragleave: over(false),
      ondrop: (event) => {
        over(false)(event);
        bring([...event.dataTransfer.files], chosen());
      },
    },
    h("h2", null, t("analyze.bring")),
    h("p", { class: "small faint" }, t("analyze.bringAbout")),
    h("button", { onclick: () => input.click() }, t("analyze.chooseFile")),
    input,
    chosen.fields,
    h(
      "details",
      null,
      h("summary", null, t("analyze.paste")),
      field(t("analyze.reportText"), pasted),
      h(
        "div",
        { class: "row", style: { marginTop: "10px" } },
        h("button", { onclick: () => again(pasted.value, chosen()) }, t("jobs.again")),
      ),
    ),
  );
  return card;
}
