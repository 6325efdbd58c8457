// Which of several moves between the same squares: the pieces that it could become, over the board.

import { h, s } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { kindName } from "./names.js";
import { drawPiece } from "./piece.js";

/** Asks; `choose(move)` is called with the answer, or with nothing. Gives a function that takes the question away. */
export function askWhich(board, moves, { kind, side }, square, choose) {
  const { layout } = board;
  const done = (move) => {
    box.remove();
    choose(move);
  };
  const option = (move) => {
    const becomes = move.becomes ?? kind;
    const picture = s(
      "svg",
      { "viewBox": "-50 -50 100 100", "aria-hidden": "true" },
      drawPiece(board.sheet, becomes, side, { set: board.pieces, quarters: layout.quarters(side) }),
    );
    const name =
      move.becomes === null || move.becomes === undefined
        ? `${kindName(board.sheet, kind)} (${t("board.stay")})`
        : kindName(board.sheet, becomes);
    return h(
      "button",
      {
        "type": "button",
        "title": name,
        "aria-label": name,
        "data-move": move.text,
        "onclick": () => done(move),
      },
      picture,
    );
  };
  const strongest = [...moves].sort((a, b) => worth(board, b, kind) - worth(board, a, kind));
  const box = h(
    "div",
    {
      "class": "chooser",
      "role": "dialog",
      "aria-label": t("board.choose"),
      "onkeydown": (event) => onKey(event, box, done),
    },
    strongest.map(option),
  );
  const [x, y] = layout.middle(square);
  const percent = (value, of) => `${(value / of) * 100}%`;
  const cell = (100 / layout.boxWidth) * 100;
  const span = cell * moves.length;
  box.style.setProperty("--cell", `${cell}cqw`);
  box.style.left = `${Math.max(0, Math.min(100 - span, (x / layout.boxWidth) * 100 - span / 2))}%`;
  box.style.top = percent(Math.min(layout.boxHeight - 100, Math.max(0, y - 50)), layout.boxHeight);
  board.element.append(box);
  box.firstChild.focus();
  return () => box.remove();
}

function worth(board, move, kind) {
  return (
    board.sheet.kinds[move.becomes ?? kind].value ??
    (move.becomes === null || move.becomes === undefined ? 0 : 1)
  );
}

function onKey(event, box, done) {
  const options = [...box.children];
  const at = options.indexOf(document.activeElement);
  if (event.key === "Escape") done(null);
  else if (event.key === "ArrowRight" || event.key === "ArrowDown")
    options[(at + 1) % options.length].focus();
  else if (event.key === "ArrowLeft" || event.key === "ArrowUp")
    options[(at + options.length - 1) % options.length].focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
