// Arrows and circles over a board.

import { s } from "/lib/dom.js";

const COLOURS = { green: "#2f8f4e", red: "#c8372d", blue: "#2d6fc8", yellow: "#d59a00" };

/** The squares of a legal move, for arrows. */
export const wayOf = ({ from, middle, to }) => ({ from, middle, to });

/** An arrow between two points, or a circle where they are one. */
export function drawArrow([x1, y1], [x2, y2], colour = "green") {
  const paint = COLOURS[colour] ?? colour;
  if (x1 === x2 && y1 === y2)
    return s("circle", {
      "class": "arrow",
      "cx": x1,
      "cy": y1,
      "r": 44,
      "fill": "none",
      "stroke": paint,
      "stroke-width": 8,
      "opacity": 0.8,
    });
  const length = Math.hypot(x2 - x1, y2 - y1);
  const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  const end = length - 8;
  return s("path", {
    class: "arrow",
    transform: `translate(${x1} ${y1}) rotate(${angle})`,
    fill: paint,
    opacity: 0.78,
    d: `M26 -8 H${end - 36} V-25 L${end} 0 L${end - 36} 25 V8 H26 Q18 0 26 -8 Z`,
  });
}
