// Records: collections, and of each what can be found, explored, surveyed, added, replayed. Each part is loaded when it is asked for.

import { h } from "/lib/dom.js";
import { addWords, t } from "/lib/words.js";
import { withStyle } from "/board/board.js";
import words from "/words/records.js";

addWords(words);
const PARTS = { explore: "explore", players: "players", survey: "survey", add: "import", games: "game" };

export async function show(root, path, query) {
  await Promise.all([withStyle("/views/records.css"), withStyle("/views/game.css")]);
  const [name, part, ...rest] = path.filter(Boolean);
  try {
    if (!name) return await (await import("./records-list.js")).showList(root);
    const module = await import(`./records-${PARTS[part] ?? "find"}.js`);
    return await module.showPart(root, name, rest, query);
  } catch (error) {
    if (error.status !== 404 && error.status !== 400) throw error;
    root.replaceChildren(
      h(
        "div",
        { class: "card empty" },
        h("h1", null, error.message),
        h("p", null, h("a", { href: "#/records" }, t("records.all"))),
      ),
    );
    return undefined;
  }
}
