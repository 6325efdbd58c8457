// Marks of the squares that a selected piece may go to.
//
// A target is { square, captures, way }. `way` is set where captures on the way play a part: "through", the piece here may
// be captured on the way or by stopping; "only", the square is reached only by such a capture; "stop" and "back", ends of
// the second step on the square itself and on the piece's own square.

import { s } from "/lib/dom.js";
import { t } from "/lib/words.js";

const SIGNS = {
  // A square, as on a button that stops, and an arrow that turns back.
  stop: "M-15 -29 H15 V1 H-15 Z",
  back: "M-24 -18 L-6 -34 V-24 H8 A14.5 14.5 0 0 1 8 5 H-10 V-5 H8 A4.5 4.5 0 0 0 8 -14 H-6 V-2 Z",
};

/** A dot on an empty square, a ring around a piece; a second colour where a capture on the way leads there. */
export function drawTarget({ captures, way }, [cx, cy]) {
  if (way in SIGNS)
    return s(
      "g",
      { class: `target-sign ${way}`, transform: `translate(${cx} ${cy})` },
      s("rect", { x: -44, y: -44, width: 88, height: 88, rx: 14 }),
      s("path", { d: SIGNS[way] }),
      s("text", { y: 32 }, t(`board.${way}`)),
    );
  const name = way === "only" ? " on-way" : "";
  if (!captures) return s("circle", { class: `dot${name}`, cx, cy, r: 15 });
  const ring = s("circle", { class: `ring${name}`, cx, cy, r: 43 });
  if (way !== "through") return ring;
  return s("g", null, ring, s("circle", { class: "ring on-way inner", cx, cy, r: 34 }));
}

/** The key of what a target's square says to people who hear the page. */
export function targetWords({ captures, way }) {
  if (way) return `board.target.${way}`;
  return captures ? "board.capture" : "board.target";
}
