// How many games of so many moves there are: what move generators are compared by.

import { api, showError } from "../lib/api.js";
import { download, field, h } from "../lib/dom.js";
import { csv } from "../lib/csv.js";
import { t } from "../lib/words.js";

/** A form that counts the sequences of legal moves of a game's start, or of any position. */
export function counting(sheet) {
  const plies = h("input", { type: "number", min: 0, max: 12, value: 3, style: { width: "6em" } });
  const from = h("input", {
    class: "mono",
    placeholder: sheet.start.text,
    autocomplete: "off",
    spellcheck: "false",
  });
  const line = h("input", {
    class: "mono",
    placeholder: sheet.start.moves[0]?.text,
    autocomplete: "off",
    spellcheck: "false",
  });
  const told = h("div", { "class": "scroll", "aria-live": "polite" });
  const count = async (event) => {
    event.preventDefault();
    told.replaceChildren(h("p", { class: "faint" }, t("games.counting")));
    try {
      told.replaceChildren(
        ...answer(
          sheet,
          plies.value,
          await api.post("perft", {
            game: sheet.spec,
            position: from.value.trim() || undefined,
            moves: line.value.split(/[\s,]+/).filter(Boolean),
            depth: Number(plies.value),
          }),
        ),
      );
    } catch (error) {
      told.replaceChildren();
      showError(error);
    }
  };
  return h(
    "details",
    null,
    h("summary", null, t("games.perft")),
    h(
      "form",
      { class: "row end", onsubmit: count },
      field(t("games.plies"), plies),
      h("div", { class: "count-from" }, field(t("games.countFrom"), from)),
      h("div", { class: "count-from" }, field(t("games.countAfter"), line)),
      h("button", null, t("games.countThem")),
    ),
    told,
  );
}

function answer(sheet, plies, { nodes, divide, elapsed_ms }) {
  const save = () =>
    download(
      `${sheet.id}-perft-${plies}.csv`,
      csv([["move", "sequences"], ...divide.map((each) => [each.move, each.nodes])]),
      "text/csv",
    );
  return [
    h(
      "p",
      null,
      h("strong", { class: "counted" }, nodes.toLocaleString("en")),
      ` ${t("games.sequences", { ms: elapsed_ms })} `,
      h("button", { class: "quiet small", onclick: save }, "CSV ↓"),
    ),
    h(
      "table",
      null,
      h(
        "tbody",
        null,
        divide.map((each) =>
          h(
            "tr",
            null,
            h("th", { scope: "row" }, each.move),
            h("td", { class: "number" }, each.nodes.toLocaleString("en")),
          ),
        ),
      ),
    ),
  ];
}
