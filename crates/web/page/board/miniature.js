// A small still picture of a position, for lists.

import { s } from "/lib/dom.js";
import { withStyle } from "./board.js";
import { chosenPieces } from "./choice.js";
import { drawGround } from "./ground.js";
import { Layout } from "./layout.js";
import { drawPiece } from "./piece.js";

/** An <svg> of a position view; `size` is its width in pixels. */
export function miniature(
  sheet,
  positionView,
  { size = 120, last = positionView.last, pieces = chosenPieces(), view = 0, label, hands = "none" } = {},
) {
  withStyle("/board/board.css");
  const layout = new Layout(sheet, view, hands);
  const mark = (square) => {
    const place = layout.squares.get(square);
    return place && layout.area(place, { class: "last" });
  };
  const put = (kind, side, x, y, scale = 1) =>
    s(
      "g",
      { transform: `translate(${x} ${y}) scale(${scale})` },
      drawPiece(sheet, kind, side, { set: pieces, quarters: layout.quarters(side) }),
    );
  const held =
    layout.hands === "none"
      ? []
      : (positionView.hands ?? []).flatMap((hand, side) =>
          hand.map(({ kind, count }) => heldPiece(layout, side, kind, count, put)),
        );
  return s(
    "svg",
    {
      class: `miniature look-${sheet.look}`,
      viewBox: `0 0 ${layout.boxWidth} ${layout.boxHeight}`,
      width: size,
      height: Math.round((size * layout.boxHeight) / layout.boxWidth),
      ...(label === "" ? { "aria-hidden": "true" } : { "role": "img", "aria-label": label ?? sheet.name }),
    },
    drawGround(layout, { coordinates: false }),
    last?.from && last.from !== last.to && mark(last.from),
    last?.middle && mark(last.middle),
    last?.to && mark(last.to),
    positionView.board.map(({ square, kind, side }) =>
      put(kind, side, ...layout.middle(square), layout.pieceScale),
    ),
    held,
  );
}

function heldPiece(layout, side, kind, count, put) {
  const place = layout.held(side, kind);
  if (!place) return null;
  return s(
    "g",
    null,
    put(kind, side, place.x, place.y, place.scale),
    count > 1 &&
      s(
        "g",
        { class: "count", transform: `translate(${place.x + 28} ${place.y + 28})` },
        s("circle", { r: 20 }),
        s("text", null, count),
      ),
  );
}
