// Queries that are kept in the data folder under a name.

import { api, showError } from "/lib/api.js";
import { h, notice } from "/lib/dom.js";
import { t } from "/lib/words.js";

export class Kept {
  constructor(sheet, text, use) {
    Object.assign(this, { sheet, text, use });
    this.list = h("div", { class: "kept-list" });
    this.name = h("input", {
      "placeholder": t("records.keepName"),
      "aria-label": t("records.keepName"),
      "maxlength": 80,
      "autocomplete": "off",
    });
    this.button = h("button", null, t("records.keep"));
    this.element = h(
      "details",
      { class: "kept" },
      h("summary", null, t("records.kept")),
      this.list,
      h(
        "form",
        {
          class: "row",
          onsubmit: (event) => {
            event.preventDefault();
            this.keep().catch(showError);
          },
        },
        this.name,
        this.button,
      ),
    );
    this.element.addEventListener("toggle", () => this.element.open && this.draw().catch(showError));
    this.changed();
  }

  /** There is something to keep, or not. */
  changed() {
    this.button.disabled = !this.text();
  }

  async keep() {
    const name = this.name.value.trim() || this.text().slice(0, 80);
    await api.put(`queries/${encodeURIComponent(name)}`, { game: this.sheet.spec, text: this.text() });
    notice(t("records.isKept", { name }));
    this.name.value = "";
    await this.draw();
  }

  async draw() {
    const all = (await api.get("queries")).filter((kept) => kept.game === this.sheet.spec);
    const forget = async (name) => {
      await api.delete(`queries/${encodeURIComponent(name)}`);
      await this.draw();
    };
    this.list.replaceChildren(
      ...(all.length
        ? all.map(({ name, text }) =>
            h(
              "div",
              { class: "row kept-line" },
              h("button", { class: "quiet use", title: text, onclick: () => this.use(text) }, name),
              h(
                "button",
                {
                  "class": "quiet",
                  "aria-label": t("records.forget", { name }),
                  "title": t("records.forget", { name }),
                  "onclick": () => forget(name).catch(showError),
                },
                "×",
              ),
            ),
          )
        : [h("p", { class: "faint small" }, t("records.noneKept"))]),
    );
  }
}
