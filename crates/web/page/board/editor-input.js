// Pointer and keys on the editor's board: placing with the chosen tool, moving, taking away.

import { pieceText } from "./names.js";

export class EditInput {
  constructor(board, editor) {
    Object.assign(this, { board, editor });
  }

  canGrab(spot) {
    return spot.square ? this.editor.marks.has(spot.square) : true;
  }

  targets() {
    return [];
  }

  over() {
    return this.editor.drawMarks();
  }

  words(square) {
    return this.editor.words(square);
  }

  grab(spot) {
    const mark = spot.square && this.editor.marks.get(spot.square);
    return mark ? { mark } : null;
  }

  /** A drag: to another square it moves, beside the board it takes away. */
  put(from, to) {
    const { marks } = this.editor;
    const mark = marks.get(from.square);
    if (to?.square === from.square) return;
    marks.delete(from.square);
    if (to?.square) marks.set(to.square, mark);
    else if (to && to.hand !== undefined) this.editor.addToHand(to.hand, to.kind, 1);
    this.editor.changed();
  }

  press(spot) {
    if (!spot) return;
    if (spot.square) this.editor.use(spot.square);
    else this.editor.addToHand(spot.hand, spot.kind, this.editor.tool.type === "erase" ? -1 : 1);
  }

  letGo() {
    this.editor.choose({ type: "erase" });
  }

  /** A piece's letter puts it on the cursor's square; Delete takes away. */
  key(event, square) {
    const { editor, board } = this;
    if (event.key === "Delete" || event.key === "Backspace") editor.use(square, { type: "erase" });
    else if (event.key === "." && editor.options.marks) editor.use(square, { type: "empty" });
    else if (event.key === "*" && editor.options.marks) editor.use(square, { type: "any" });
    else {
      const { sheet } = board;
      const pieces = sheet.sides.flatMap((_, side) => sheet.kinds.map((_, kind) => ({ kind, side })));
      const piece = pieces.find(
        (one) => pieceText(sheet, one).replace(/^[+]/, "") === event.key && !sheet.kinds[one.kind].promoted,
      );
      if (!piece) return false;
      editor.use(square, { type: "piece", ...piece });
    }
    return true;
  }
}
