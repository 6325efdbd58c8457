// A game of a run on the board, move by move; then the next. Any game can be asked for by its number.

import { api, showError } from "../lib/api.js";
import { download, field, h, select } from "../lib/dom.js";
import { gameDescriptor } from "../lib/descriptors.js";
import { t } from "../lib/words.js";
import { cellName } from "./analyze-measures.js";

const PAUSE_MS = 450;

/** Saves the game on the board: as a score where there is a form for it, else as the page keeps games itself. */
async function save(shown) {
  if (!shown) return;
  const { game, sheet, steps, players, id } = shown;
  const [format] = sheet.formats;
  const moves = steps.flat();
  if (!format)
    return download(
      `${sheet.id}-${id}.json`,
      JSON.stringify({ game, position: null, moves, seats: players }, null, 2),
      "application/json",
    );
  const { text, file_name } = await api.post("score", {
    game,
    moves,
    format,
    tags: { Event: "Ashtapada", First: players[0], Second: players[1] },
  });
  download(file_name, text);
}

/** The board of a game as it begins: there before the first game is, so that nothing jumps. */
async function firstBoard(cell) {
  const [{ Board }, sheet] = await Promise.all([import("../board/board.js"), gameDescriptor(cell.game)]);
  const board = new Board(sheet, { interactive: false, announce: false });
  board.set(sheet.start);
  return board.element;
}

/** Shows games in `root`; gives a function that ends it. */
export async function watchGames(root, id, cellsNow) {
  let timer;
  let turn = 0;
  let isPaused = false;
  let shown;
  const place = h("div", { class: "watch-board" });
  const said = h("p", { "class": "small faint", "aria-live": "off" }, "\u00a0");
  const number = h("input", {
    type: "number",
    min: 1,
    value: 1,
    style: { width: "7em" },
    onchange: () => begin(),
  });
  const cell = h("div", { class: "shrinks" });
  let chosen = "0";
  const pause = h(
    "button",
    {
      onclick: () => {
        isPaused = !isPaused;
        pause.textContent = t(isPaused ? "analyze.play" : "analyze.pause");
      },
    },
    t("analyze.pause"),
  );
  root.append(
    h(
      "section",
      { class: "card" },
      h("h2", { style: { marginTop: 0 } }, t("analyze.watch")),
      place,
      said,
      h(
        "div",
        { class: "row end" },
        cell,
        field(t("analyze.gameNumber"), number),
        pause,
        h("button", { onclick: () => save(shown).catch(showError) }, t("analyze.saveGame")),
      ),
    ),
  );

  function drawChoice() {
    const cells = cellsNow();
    if (cells.length && cell.childElementCount === 0) {
      cell.replaceChildren(
        field(
          t("analyze.which"),
          select(
            cells.map((each, at) => [String(at), cellName(each)]),
            chosen,
            (value) => {
              chosen = value;
              begin();
            },
          ),
        ),
      );
    }
    return cells;
  }

  async function begin() {
    const mine = ++turn;
    clearTimeout(timer);
    const cells = drawChoice();
    const n = Math.max(1, Number(number.value) || 1);
    if (!cells[Number(chosen)]?.n_games) {
      timer = setTimeout(begin, 800);
      return;
    }
    try {
      const game = await api.get(`jobs/${id}/games/${chosen}/${n - 1}`);
      if (mine === turn) await play(game, mine);
    } catch (error) {
      if (mine === turn) said.textContent = error.message;
    }
  }

  async function play(game, mine) {
    const [{ Board }, sheet] = await Promise.all([import("../board/board.js"), gameDescriptor(game.game)]);
    const board = new Board(sheet, { interactive: false, announce: false });
    // A turn of a contest is written with its throw before it: 5-3:b2b3+b1c3.
    const steps = game.moves.map((move) => (sheet.contest ? move.split(":") : [move]));
    place.replaceChildren(board.element);
    shown = { ...game, sheet, id, steps };
    for (let ply = 0; ply <= game.moves.length && mine === turn; ply++) {
      const positionView = await api.post("position", { game: game.game, moves: steps.slice(0, ply).flat() });
      if (mine !== turn) return;
      board.set(positionView, { animate: ply > 0 });
      said.textContent = `${game.players.join(" – ")} · ${ply}/${game.moves.length}${ply === game.moves.length && game.outcome ? ` · ${game.outcome}` : ""}`;
      await new Promise((go) => {
        timer = setTimeout(go, PAUSE_MS);
      });
      while (isPaused && mine === turn)
        await new Promise((go) => {
          timer = setTimeout(go, 200);
        });
    }
    timer = setTimeout(() => {
      if (mine !== turn) return;
      number.value = Math.min(Number(number.value) + 1, cellsNow()[Number(chosen)]?.n_games ?? 1);
      begin();
    }, 3000);
  }

  drawChoice();
  const [first] = cellsNow();
  if (first) await firstBoard(first).then((element) => place.append(element), showError);
  begin();
  return () => {
    turn++;
    clearTimeout(timer);
  };
}
