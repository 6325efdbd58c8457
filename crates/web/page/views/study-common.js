// What the parts of study share: games, sheets, the address, work that is watched.

import { gameName } from "/lib/library.js";
import { ApiError, api, ask, showError } from "/lib/api.js";
import { download, h, select } from "/lib/dom.js";
import { localisedError } from "/lib/localise.js";
import { language, t } from "/lib/words.js";

/** A list of the games for two, to choose one. */
export async function gameChoice(value, onchange) {
  const games = (await api.get("games")).filter((game) => (game.n_sides ?? 2) === 2);
  const options = games.map((game) => [game.id, gameName(game)]);
  if (!options.some(([id]) => id === value)) options.push([value, value]);
  return select(options, value, onchange);
}

/** Writes where somebody is into the address, without making the page anew. */
export function remember(path, values) {
  const query = new URLSearchParams(
    Object.entries(values).filter(
      ([, value]) => value !== undefined && value !== null && value !== "" && value !== false,
    ),
  );
  history.replaceState(null, "", `#/study/${path}${query.size ? `?${query}` : ""}`);
}

/** Watches work: calls `told(event)` for each event until it is done, and gives the answer. Aborting stops the work. */
export async function watchWork(path, body, told, signal) {
  const response = await ask(path, {
    method: "POST",
    signal,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok)
    throw new ApiError(await localisedError(await response.json().catch(() => ({}))), response.status);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new ApiError({ error: t("study.broken") }, 0);
    const events = (waiting + value).split("\n\n");
    waiting = events.pop();
    for (const text of events) {
      const data = text
        .split("\n")
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(5))
        .join("\n");
      if (!data) continue;
      const event = JSON.parse(data);
      if (event.event === "done") return event.answer;
      if (event.event === "refused") throw new ApiError(await localisedError(event.refusal), 400);
      told(event);
    }
  }
}

/** "1." before the first side's move, "1..." before the other's. */
export function moveNumber(ply) {
  return `${Math.floor(ply / 2) + 1}${ply % 2 === 0 ? "." : "…"}`;
}

/** A number as people of the language write it. */
export function count(n) {
  return Number(n).toLocaleString(language());
}

/** A button that saves the moves on a board as a score; `placeNow()` gives the game, its position and its moves. */
export function saveButton(sheet, placeNow) {
  const save = async () => {
    const place = placeNow();
    try {
      const { text, file_name } = await api.post("score", {
        ...place,
        format: sheet.formats[0],
        tags: { Event: "Ashtapada" },
      });
      download(file_name, text);
    } catch (error) {
      showError(error);
    }
  };
  return sheet.formats?.length
    ? h("button", { type: "button", class: "quiet small", onclick: save }, t("study.saveGame"))
    : "";
}

/** A small button with an icon that says what it does. */
export function iconButton(icon, label, run, more = {}) {
  return h(
    "button",
    { "type": "button", "class": "icon", "aria-label": label, "title": label, "onclick": run, ...more },
    icon,
  );
}

/** Buttons of which one is chosen: [[value, text]]. */
export function segments(label, options, value, onchange) {
  const group = h("div", { "class": "segments", "role": "group", "aria-label": label });
  group.append(
    ...options.map(([key, text]) =>
      h(
        "button",
        {
          "type": "button",
          "aria-pressed": String(key === value),
          "data-value": key,
          "onclick": () => onchange(key),
        },
        text,
      ),
    ),
  );
  return group;
}
