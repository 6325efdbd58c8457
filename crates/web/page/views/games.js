// Games: the library, the page of a game, the family tree, an editor for games of one's own.

import { addWords } from "../lib/words.js";
import { withStyle } from "../board/board.js";
import words from "../words/games.js";

addWords(words);

/** #/games, #/games/new, #/games?show=tree, #/games/shatranj+double-step. */
export async function show(root, path, query) {
  await Promise.all([withStyle("/views/games.css"), withStyle("/board/board.css")]);
  if (path[0] === "new") return (await import("./games-editor.js")).showEditor(root, query);
  if (path[0]) return (await import("./games-page.js")).showGame(root, path[0], query);
  if (query.get("show") === "tree") return (await import("./games-lineage.js")).showTree(root, query);
  return (await import("./games-list.js")).showList(root, query);
}
