// All collections; files that are dropped here begin a new one.

import { gameDescriptor } from "/lib/descriptors.js";
import { gameName } from "/lib/library.js";
import { api, showError } from "/lib/api.js";
import { field, h, select } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { miniature } from "/board/miniature.js";
import { address, bytes, number, of } from "./records-common.js";
import { chooser, dropAnywhere, formatChoice, importFiles } from "./records-import.js";

/** How often samples that are being played are looked at. */
const SOON = 700;

export async function showList(root) {
  const games = await api.get("games");
  const list = h("div", { class: "collections cards" });
  const reports = h("div", { class: "reports" });
  let timer;
  const draw = async () => {
    const collections = await api.get("collections");
    list.replaceChildren(...collections.map((one) => card(one, games)));
    if (!collections.length) list.append(h("p", { class: "card empty" }, t("records.none")));
    clearTimeout(timer);
    if (collections.some((one) => one.playing || one.importing))
      timer = setTimeout(() => draw().catch(showError), SOON);
  };
  const take = (files) => files.length && root.append(newDialog({ games, files, reports, draw }));
  root.append(
    h(
      "div",
      { class: "row between" },
      h("h1", null, t("records.title")),
      h(
        "button",
        { onclick: () => root.append(newDialog({ games, files: [], reports, draw })) },
        t("records.new"),
      ),
    ),
    h("p", { class: "faint" }, t("records.about")),
    reports,
    list,
    chooser(take, t("records.dropHere")),
    h("p", { class: "faint small" }, t("records.formats")),
  );
  await draw();
  const ended = dropAnywhere(take, t("records.dropHere"));
  return () => {
    clearTimeout(timer);
    ended();
  };
}

function card(collection, games) {
  const { name, game, playing } = collection;
  const known = games.find((one) => one.id === game);
  const title = known ? gameName(known) : game;
  if (playing) {
    return h(
      "div",
      { class: "card collection" },
      h("h2", null, name),
      h("p", { class: "faint" }, title),
      h(
        "p",
        { class: "small" },
        t("records.playing", { done: number(playing.done), of: number(playing.of) }),
      ),
      h("progress", { "max": playing.of, "value": playing.done, "aria-label": name }),
    );
  }
  const picture = h("div", { class: "collection-board" });
  showFirst(collection, picture).catch(() => picture.remove());
  return h(
    "a",
    { class: "card collection", href: address([name]) },
    picture,
    h(
      "div",
      null,
      h("h2", null, name),
      h("p", { class: "faint" }, title),
      collection.error
        ? h("p", { class: "wrong small" }, collection.error)
        : h(
            "p",
            { class: "small" },
            t("records.holdsShort", {
              games: number(collection.games),
              positions: number(collection.positions),
              bytes: bytes(collection.bytes),
            }),
          ),
      collection.importing ? h("p", { class: "small good" }, t("records.importing")) : "",
    ),
  );
}

/** How its first game ended, as a picture of the collection. */
async function showFirst({ name, game, error }, into) {
  if (error) return into.remove();
  const [sheet, found] = await Promise.all([
    gameDescriptor(game),
    api.post(of(name, "find"), { query: "", limit: 1 }),
  ]);
  into.replaceChildren(miniature(sheet, found.hits[0]?.diagram ?? sheet.start, { size: 104, label: "" }));
  return undefined;
}

/** A name and a game for a new collection, and what goes into it. */
function newDialog({ games, files, reports, draw }) {
  const stem = (files[0]?.name ?? "")
    .replace(/\.(zst|gz)$/i, "")
    .replace(/\.[^.]*$/, "")
    .replace(/[^\p{L}\p{N}_-]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64);
  const name = h("input", { required: true, maxlength: 64, value: stem, autocomplete: "off" });
  const fitting = games.filter((game) => game.n_sides === 2);
  const game = select(
    [
      ...(files.length ? [["", t("records.usualGame")]] : []),
      ...fitting.map((one) => [one.id, gameName(one)]),
    ],
    files.length ? "" : "chess",
  );
  const form = formatChoice();
  const wrong = h("p", { class: "wrong", role: "alert" });
  const begin = async (event) => {
    event.preventDefault();
    try {
      if (files.length) {
        dialog.close();
        await importFiles(name.value.trim(), files, reports, { game: game.value, format: form.value });
        await draw();
      } else {
        const made = await api.post("collections", { name: name.value.trim(), game: game.value });
        dialog.close();
        location.hash = address([made.name, "add"]);
      }
    } catch (error) {
      wrong.textContent = [error.message, error.hint].filter(Boolean).join(" · ");
    }
  };
  const dialog = h(
    "dialog",
    { "class": "new-collection", "aria-label": t("records.new"), "onclose": () => dialog.remove() },
    h("h2", null, t(files.length ? "records.importTitle" : "records.new")),
    files.length ? h("p", { class: "small faint" }, files.map((file) => file.name).join(", ")) : "",
    h(
      "form",
      { class: "new-form", onsubmit: begin },
      field(t("records.name"), name, t(files.length ? "records.nameHintFiles" : "records.nameHint")),
      field(t("records.gameField"), game),
      files.length ? field(t("records.format"), form) : "",
      wrong,
      h(
        "div",
        { class: "row" },
        h("button", { class: "first" }, t(files.length ? "records.import" : "records.begin")),
        h("button", { type: "button", onclick: () => dialog.close() }, t("records.cancel")),
      ),
    ),
  );
  queueMicrotask(() => dialog.isConnected && dialog.showModal());
  return dialog;
}
