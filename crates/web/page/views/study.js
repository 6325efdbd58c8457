// Study: problems, endings, openings. Each is a module of its own that is loaded when it is shown.

import { h } from "/lib/dom.js";
import { addWords, t } from "/lib/words.js";
import { withStyle } from "/board/board.js";
import words from "/words/study.js";

addWords(words);
const PARTS = ["problems", "endings", "openings"];

export async function show(root, path, query) {
  const part = PARTS.includes(path[0]) ? path[0] : PARTS[0];
  const [module] = await Promise.all([
    import(`./study-${part}.js`),
    withStyle("/views/study.css"),
    withStyle("/board/board.css"),
  ]);
  const link = (name) =>
    h(
      "a",
      { "href": `#/study/${name}`, "aria-current": name === part ? "page" : undefined },
      t(`study.${name}`),
    );
  const body = h("div", { class: `study-${part}` });
  root.append(
    path[1] ? "" : h("h1", { class: "unseen" }, `${t("shell.study")}: ${t(`study.${part}`)}`),
    h("nav", { "class": "tabs", "aria-label": t("study.parts") }, PARTS.map(link)),
    body,
  );
  return module.show(body, path.slice(1), query);
}
