// Conditions on games as fields of a form: players, dates, results, lengths.

import { field, h, select } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { sideName } from "/board/names.js";
import { NO_FILTERS } from "./records-query.js";

export class Filters {
  constructor(sheet, changed) {
    this.inputs = {};
    const told = () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => {
        this.count();
        changed();
      }, 120);
    };
    const input = (key, label, attributes = {}) => {
      this.inputs[key] = h("input", { autocomplete: "off", ...attributes, oninput: told });
      return field(label, this.inputs[key]);
    };
    const whole = { type: "number", min: 0, step: 1, inputmode: "numeric" };
    const date = { placeholder: t("records.datePlaceholder"), pattern: "[0-9]{1,4}([-./][0-9]{1,2}){0,2}" };
    this.inputs.result = select(
      [
        ["", t("records.anyResult")],
        ...sheet.sides
          .slice(0, 2)
          .map((_, side) => [["first", "second"][side], t("result.won", { side: sideName(sheet, side) })]),
        ["draw", t("result.draw")],
        ["unknown", t("result.unknown")],
      ],
      "",
      told,
    );
    this.title = h("summary", null, t("records.filters"));
    this.element = h(
      "details",
      { class: "filters" },
      this.title,
      h(
        "div",
        { class: "filter-grid" },
        input("player", t("records.player")),
        field(t("records.result"), this.inputs.result),
        input("first", t("records.playerOf", { side: sideName(sheet, 0) })),
        input("second", t("records.playerOf", { side: sideName(sheet, 1) })),
        input("from", t("records.dateFrom"), date),
        input("to", t("records.dateTo"), date),
        input("shortest", t("records.shortest"), whole),
        input("longest", t("records.longest"), whole),
        input("event", t("records.event")),
        input("opening", t("records.opening")),
        input("rating", t("records.rating"), whole),
      ),
    );
  }

  /** What the fields say; a date that is not yet one says nothing. */
  values() {
    const said = Object.fromEntries(
      Object.entries(this.inputs).map(([key, input]) => [
        key,
        input.validity.valid ? input.value.trim() : "",
      ]),
    );
    return { ...NO_FILTERS, ...said };
  }

  set(values) {
    for (const [key, input] of Object.entries(this.inputs))
      if (input !== document.activeElement) input.value = values[key] ?? "";
    if (this.count()) this.element.open = true;
  }

  count() {
    const n = Object.values(this.values()).filter(Boolean).length;
    this.title.textContent = n ? `${t("records.filters")} (${n})` : t("records.filters");
    return n;
  }
}
