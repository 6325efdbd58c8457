import { api } from "/lib/api.js";
import { Board } from "/board/board.js";
import { Editor } from "/board/editor.js";
import { miniature } from "/board/miniature.js";

export async function show(root, path, query) {
  const sheet = await api.get(`games/${path[0] ?? "chess"}`);
  if (query.has("edit")) {
    const editor = new Editor(sheet, { onChange: (q) => { window.q = q; } });
    root.append(editor.element);
    window.editor = editor;
    return;
  }
  const board = new Board(sheet, { flipped: query.has("flip"), pieces: query.get("pieces") ?? undefined, onMove: async (text) => {
    moves.push(text);
    board.set(await api.post("position", { game: sheet.spec, moves }), { animate: true });
  } });
  const moves = [];
  root.append(board.element, miniature(sheet, sheet.start));
  board.set(sheet.start);
  window.board = board;
}
