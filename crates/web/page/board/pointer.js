// Mouse, touch, pen and keyboard on a board; what they mean is the business of the board's `input`.

const FAR = 5;

/** Listens to everything that is done with a board. */
export function listen(board) {
  const svg = board.drawing;
  let drag = null;
  let line = null;

  svg.addEventListener("pointerdown", (event) => {
    const spot = spotOf(board, event);
    if (event.button === 2) {
      line = spot?.square;
      return;
    }
    if (event.button !== 0 || !event.isPrimary || !board.interactive) return;
    board.closeChooser?.();
    if (board.drawn.own.length) {
      board.drawn.own = [];
      board.drawArrows();
    }
    const piece = spot && board.input.grab(spot);
    drag = { spot, piece, x: event.clientX, y: event.clientY, dragged: false };
    if (spot?.square) moveCursor(board, spot.square);
    if (piece) svg.setPointerCapture(event.pointerId);
  });

  svg.addEventListener("pointermove", (event) => {
    if (!drag?.piece) return;
    if (!drag.dragged && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
    drag.dragged = true;
    follow(board, drag, event);
  });

  svg.addEventListener("pointerup", (event) => {
    if (event.button === 2) {
      if (line) draw(board, line, spotOf(board, event)?.square);
      line = null;
      return;
    }
    if (!drag || event.button !== 0) return;
    const { spot, dragged } = drag;
    endDrag(board, drag);
    drag = null;
    if (dragged) board.input.put(spot, spotOf(board, event));
    else board.input.press(spot, { event });
  });

  // A finger on a piece carries it, elsewhere it scrolls the page; browsers do not heed touch-action on parts of an <svg>.
  svg.addEventListener(
    "touchstart",
    (event) => {
      if (drag?.piece) event.preventDefault();
    },
    { passive: false },
  );
  svg.addEventListener("pointercancel", () => {
    if (drag) endDrag(board, drag);
    drag = null;
    board.refresh();
  });
  // Screen readers click without a pointer.
  svg.addEventListener("click", (event) => {
    if (event.detail === 0)
      press(board, event.target.dataset.square, event.target.closest("[data-hand]")?.dataset.hand);
  });
  svg.addEventListener("contextmenu", (event) => event.preventDefault());
  svg.addEventListener("keydown", (event) => onKey(board, event));
  // Not on the <svg>: browsers make one that listens to focus a stop of the Tab key.
  board.element.addEventListener("focusin", (event) => {
    const { square } = event.target.dataset;
    if (square) moveCursor(board, square);
  });
}

function point(board, event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(
    board.drawing.getScreenCTM().inverse(),
  );
  return [at.x, at.y];
}

function spotOf(board, event) {
  return board.spotAt(event.clientX, event.clientY);
}

function follow(board, drag, event) {
  const [x, y] = point(board, event);
  drag.ghost ??= lift(board, drag);
  if (!drag.ghost) return;
  drag.ghost.setAttribute("transform", `translate(${x} ${y}) scale(1.08)`);
  const over = board.layout.spotAt(x, y)?.square;
  if (drag.over !== over) {
    board.cells.get(drag.over)?.classList.remove("over");
    board.cells.get(over)?.classList.add("over");
    drag.over = over;
  }
}

/** The dragged piece: a copy above everything, and the piece itself pale. */
function lift(board, { spot }) {
  const find = (what) => board.drawing.querySelector(what);
  const source = spot.square
    ? (board.drawnPieces.get(spot.square) ?? find(`[data-mark="${spot.square}"]`))
    : find(`[data-hand="${spot.hand}:${board.sheet.kinds[spot.kind].name}"]`);
  if (!source) return null;
  const shape = [...source.children].find((child) => !child.matches(".slot, .count"));
  const ghost = document.createElementNS("http://www.w3.org/2000/svg", "g");
  ghost.setAttribute("class", "ghost");
  ghost.append(shape.cloneNode(true));
  source.classList.add("lifted");
  board.drawing.append(ghost);
  return ghost;
}

function endDrag(board, drag) {
  drag.ghost?.remove();
  board.cells.get(drag.over)?.classList.remove("over");
  board.drawing.querySelectorAll(".lifted").forEach((piece) => piece.classList.remove("lifted"));
}

function draw(board, from, to) {
  if (!to) return;
  const same = (arrow) => arrow.from === from && (arrow.to ?? arrow.from) === to;
  const { own } = board.drawn;
  board.drawn.own = own.some(same)
    ? own.filter((arrow) => !same(arrow))
    : [...own, { from, to, colour: "yellow" }];
  board.drawArrows();
}

function moveCursor(board, square) {
  if (board.cursor === square) return;
  board.cells.get(board.cursor)?.setAttribute("tabindex", -1);
  board.cursor = square;
  board.cells.get(square)?.setAttribute("tabindex", 0);
}

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function onKey(board, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { square, hand } = event.target.dataset;
  if (event.key in STEPS) step(board, STEPS[event.key], hand);
  else if (event.key === "Escape") {
    board.input.letGo();
    board.arrows([]);
  } else if (event.key === "Enter" || event.key === " ") press(board, square, hand);
  else if (!board.input.key?.(event, square)) return;
  event.preventDefault();
  event.stopPropagation();
}

function press(board, square, hand) {
  if (!board.interactive) return;
  if (!hand) return board.input.press({ square: square ?? board.cursor }, { byKey: true });
  const [side, name] = hand.split(":");
  board.input.press(
    { hand: Number(side), kind: board.sheet.kinds.findIndex((kind) => kind.name === name) },
    { byKey: true },
  );
  board.focus();
}

/** To the next square in a direction, over places where the board has none. */
function step(board, [dx, dy], hand) {
  if (hand) return board.focus();
  const { layout } = board;
  const here = layout.squares.get(board.cursor);
  const { files } = layout.sheet;
  const around = (x) => (layout.sheet.ring ? (x + files) % files : x);
  for (let n = 1; n < 20; n += 1) {
    for (const { name, x, y } of layout.squares.values()) {
      if (x === around(here.x + dx * n) && y === here.y + dy * n) return board.focus(name);
    }
  }
}
