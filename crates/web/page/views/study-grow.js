// A book grown from a collection of records or from a file.

import { api, showError } from "/lib/api.js";
import { field, h, notice, select } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { count } from "./study-common.js";

/** Forms to grow a book; `view` has `path`, `line` and `go`. */
export function growForms(view) {
  const body = h("div", { class: "study-form" });
  const box = h(
    "details",
    { class: "card study-grow", open: view.growing },
    h("summary", null, t("study.grow")),
    body,
  );
  box.addEventListener("toggle", () => {
    view.growing = box.open;
    if (box.open && !body.childElementCount) fill(view, body);
  });
  if (view.growing) fill(view, body);
  return box;
}

async function fill(view, body) {
  const plies = h("input", { type: "number", min: 1, max: 200, value: 16, class: "short" });
  const least = h("input", { type: "number", min: 1, value: 2, class: "short" });
  const told = (grown) => {
    notice(t("study.grown", { games: count(grown.games), positions: count(grown.n_positions) }), {
      hint: grown.unreadable
        ? `${t("study.unreadable", { n: grown.unreadable })} ${grown.first_problem}`
        : undefined,
    });
    return view.go(view.line);
  };
  const busy = async (button, work) => {
    button.disabled = true;
    try {
      await told(await work());
    } catch (error) {
      showError(error);
    }
    button.disabled = false;
  };
  const sources = await api.get(`${view.path}/sources`).catch(() => []);
  let collection = sources[0]?.name;
  const grow = h(
    "button",
    {
      type: "button",
      disabled: !collection,
      onclick: () =>
        busy(grow, () =>
          api.post(`${view.path}/grow`, {
            collection,
            plies: Number(plies.value),
            at_least: Number(least.value),
          }),
        ),
    },
    t("study.growNow"),
  );
  const input = h("input", {
    type: "file",
    id: "book-file",
    class: "unseen",
    accept: ".pgn,.bin,.kif,.csa,.usi,.ki2,.jkf,.txt",
    onchange: () => input.files[0] && take(input.files[0]),
  });
  const take = (file) =>
    busy(input, () =>
      api.post(
        `${view.path}/import?file=${encodeURIComponent(file.name)}&plies=${Number(plies.value)}&at_least=1`,
        file,
      ),
    );
  const drop = h("label", { class: "drop", for: "book-file" }, t("study.dropGames"));
  drop.addEventListener("dragover", (event) => event.preventDefault());
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
  });
  body.replaceChildren(
    h("div", { class: "row end" }, field(t("study.plies"), plies), field(t("study.atLeast"), least)),
    sources.length
      ? h(
          "div",
          { class: "row end" },
          field(
            t("study.collection"),
            select(
              sources.map((one) => [one.name, `${one.name} (${count(one.games)})`]),
              collection,
              (value) => {
                collection = value;
              },
            ),
          ),
          grow,
        )
      : h("p", { class: "faint small" }, t("study.noCollections")),
    input,
    drop,
  );
}
