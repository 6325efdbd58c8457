// The editor's palette: every kind of every side, the eraser and, for queries, "empty", "any piece", "not" and "one of".

import { h, s } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { anyIcon, emptyIcon } from "./editor-marks.js";
import { pieceName, sideName } from "./names.js";
import { drawPiece, paintOf } from "./piece.js";

const icon = (drawing) => s("svg", { "viewBox": "-50 -50 100 100", "aria-hidden": "true" }, drawing);
const eraser = () =>
  s(
    "g",
    null,
    s("path", {
      "d": "M-10 32 L-36 8 Q-40 3 -36 -1 L2 -36 Q6 -40 10 -36 L36 -10 Q40 -6 36 -2 L2 32 Z",
      "fill": "#f2b8a8",
      "stroke": "#6b2b1c",
      "stroke-width": 4,
      "stroke-linejoin": "round",
    }),
    s("path", { "d": "M-17 -18 L18 15", "stroke": "#6b2b1c", "stroke-width": 4 }),
    s("path", { "d": "M-14 34 H38", "stroke": "currentColor", "stroke-width": 4, "stroke-linecap": "round" }),
  );
const notIcon = () =>
  s(
    "g",
    null,
    s("circle", { "r": 34, "fill": "none", "stroke": "#c8372d", "stroke-width": 8 }),
    s("path", { "d": "M-24 -24 L24 24", "stroke": "#c8372d", "stroke-width": 8 }),
  );

/** Whether two tools are the same. */
export function isTool(a, b) {
  return a.type === b.type && a.kind === b.kind && a.side === b.side;
}

/** All tools in rows: one row for each side, one for what is no piece. */
export function toolRows(sheet, withMarks) {
  const pieces = (side) => sheet.kinds.map((_, kind) => ({ type: "piece", kind, side }));
  const rows = sheet.sides.map((_, side) => pieces(side));
  const anyOf = sheet.sides.map((_, side) => ({ type: "side", side }));
  rows.push([
    { type: "erase" },
    ...(withMarks ? [{ type: "empty" }, { type: "any" }, ...anyOf, { type: "not" }] : []),
  ]);
  return rows;
}

function toolKey(sheet, { type, kind, side }) {
  if (type === "piece") return `${side}:${sheet.kinds[kind].name}`;
  return type === "side" ? `side:${side}` : type;
}

function toolName(sheet, tool) {
  switch (tool.type) {
    case "piece":
      return pieceName(sheet, tool);
    case "side":
      return t("board.anyOf", { side: sideName(sheet, tool.side) });
    default:
      return t(`board.tool.${tool.type}`);
  }
}

function toolIcon(sheet, tool, set) {
  switch (tool.type) {
    case "piece":
      return drawPiece(sheet, tool.kind, tool.side, { set, quarters: sheet.sides[tool.side].quarters });
    case "side":
      return anyIcon(paintOf(sheet, tool.side));
    case "empty":
      return emptyIcon();
    case "any":
      return anyIcon();
    case "not":
      return notIcon();
    default:
      return eraser();
  }
}

/** The palette of an editor; buttons are chosen by click and dragged onto the board. */
export function drawPalette(editor) {
  const { sheet } = editor;
  const button = (tool) => {
    const name = toolName(sheet, tool);
    const made = h(
      "button",
      {
        "type": "button",
        "class": "tool",
        "title": name,
        "aria-label": name,
        "data-tool": toolKey(sheet, tool),
        "aria-pressed": String(isTool(tool, editor.tool)),
        "onclick": () => editor.choose(tool),
      },
      icon(toolIcon(sheet, tool, editor.board.pieces)),
    );
    made.tool = tool;
    if (tool.type !== "not") dragOut(editor, made, tool);
    return made;
  };
  // Lines of the same length, of eleven at most: fourteen kinds are twice seven.
  const across = (n) => Math.ceil(n / Math.ceil(n / 11));
  const rows = toolRows(sheet, editor.options.marks).map((row) =>
    h("div", { class: "tools", style: { maxWidth: `${across(row.length) * 47}px` } }, row.map(button)),
  );
  const palette = h(
    "div",
    {
      "class": "palette",
      "role": "toolbar",
      "aria-label": t("board.palette"),
      "onkeydown": (event) => walk(event, palette),
      "onfocusin": (event) => stopAt(palette, event.target),
    },
    rows,
  );
  stopAt(palette, palette.querySelector('[aria-pressed="true"]') ?? palette.querySelector(".tool"));
  return palette;
}

/** The palette is one stop of the tab key, at the tool that was last stood on. */
function stopAt(palette, tool) {
  palette.querySelectorAll(".tool").forEach((other) => {
    other.tabIndex = other === tool ? 0 : -1;
  });
}

/** Arrows go from tool to tool. */
function walk(event, palette) {
  const tools = [...palette.querySelectorAll(".tool")];
  const at = tools.indexOf(event.target);
  const step = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: event.target.parentElement.children.length,
    ArrowUp: -event.target.parentElement.children.length,
  }[event.key];
  const next =
    { Home: tools[0], End: tools.at(-1) }[event.key] ??
    (step && tools[Math.max(0, Math.min(tools.length - 1, at + step))]);
  if (at < 0 || !next) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
}

/** A tool dragged onto a square is used there. */
function dragOut(editor, button, tool) {
  let start = null;
  let ghost = null;
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    start = event;
    button.setPointerCapture(event.pointerId);
  });
  button.addEventListener("pointermove", (event) => {
    if (!start || (!ghost && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < 6))
      return;
    ghost ??= document.body.appendChild(
      h("div", { class: "palette-ghost" }, button.firstChild.cloneNode(true)),
    );
    ghost.style.left = `${event.clientX}px`;
    ghost.style.top = `${event.clientY}px`;
  });
  const end = (event) => {
    const dragged = ghost;
    start = null;
    ghost?.remove();
    ghost = null;
    if (event.type === "pointercancel") return;
    // A touch is not always followed by a click.
    if (!dragged) {
      editor.choose(tool);
      return;
    }
    const spot = editor.board.spotAt(event.clientX, event.clientY);
    editor.choose(tool);
    if (spot?.square) editor.use(spot.square, tool);
    else if (spot && tool.type === "piece") editor.addToHand(spot.hand, tool.kind, 1);
  };
  button.addEventListener("pointerup", end);
  button.addEventListener("pointercancel", end);
}
