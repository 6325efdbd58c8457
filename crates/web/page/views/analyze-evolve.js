// Every game between an old one and a new one: those that the program has, and an evolution of one's own.

import { fromData } from "/lib/library.js";
import { field, h } from "../lib/dom.js";
import { beginJob } from "../lib/job.js";
import { t } from "../lib/words.js";
import { Playing, quickGames } from "./analyze-playing.js";

const EXAMPLE = `title = "From shatranj towards chess"
base = "shatranj"
base_name = "shatranj"
player = "P0"
preset = "plain"
games = 100

[[changes]]
change = "double-step"
about = "pawns may step twice"

[[changes]]
change = "queen-and-bishop"
about = "queen and bishop"
`;

export function evolutionsCard(catalogue) {
  const quick = quickGames();
  const playing = new Playing();
  const player = h("input", { placeholder: "P1" });
  const chosen = (nGames) => ({
    kind: "evolve",
    ...playing.read(nGames),
    ...(player.value.trim() ? { player: player.value.trim() } : {}),
  });
  const begin = (evolution, isQuick) => () =>
    beginJob({ ...chosen(isQuick ? quick() : undefined), name: evolution.name });
  return h(
    "section",
    { class: "card", id: "evolutions" },
    h("h2", null, t("analyze.evolutions")),
    h("p", { class: "small faint" }, t("analyze.evolutionsAbout")),
    quick.field,
    h(
      "details",
      null,
      h("summary", null, t("analyze.options")),
      h("div", { class: "pairs" }, field(t("analyze.player"), player), playing.fields),
    ),
    h(
      "ul",
      { class: "plain" },
      catalogue.evolutions.map((each) =>
        h(
          "li",
          null,
          h("div", null, `${fromData(each.name, each.title)} (${t("analyze.nGames", { n: each.n_cells })})`),
          h(
            "div",
            { class: "row" },
            h("button", { class: "small", onclick: begin(each, true) }, t("analyze.quick")),
            h(
              "button",
              { class: "small quiet", onclick: begin(each) },
              t("analyze.full", { n: each.n_games.toLocaleString() }),
            ),
          ),
        ),
      ),
    ),
    ownEvolution((text) => beginJob({ ...chosen(undefined), text })),
  );
}

/** A file of one's own, written here or chosen. */
function ownEvolution(begin) {
  const text = h("textarea", { rows: 12, spellcheck: "false", style: { width: "100%" }, value: EXAMPLE });
  const file = h("input", {
    "type": "file",
    "accept": ".toml",
    "tabindex": -1,
    "class": "unseen",
    "aria-label": t("analyze.chooseFile"),
    "onchange": async () => {
      if (file.files[0]) text.value = await file.files[0].text();
    },
  });
  return h(
    "details",
    null,
    h("summary", null, t("analyze.ownEvolution")),
    h("p", { class: "small faint" }, t("analyze.ownEvolutionAbout")),
    field(t("analyze.evolutionFile"), text),
    h(
      "div",
      { class: "row", style: { marginTop: "10px" } },
      h("button", { class: "first", onclick: () => begin(text.value) }, t("analyze.begin")),
      h("button", { onclick: () => file.click() }, t("analyze.chooseFile")),
      file,
    ),
  );
}
