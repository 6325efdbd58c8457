// Which game came from which: a tree that grows to the right; a branch tells what changed on it.

import { api } from "../lib/api.js";
import { download, h, s, svgText } from "../lib/dom.js";
import { language, t } from "../lib/words.js";
import { gameName, said } from "../lib/library.js";
import { gameHref, tabs } from "./games-list.js";

const [WIDTH, HEIGHT, EDGE] = [176, 34, 8];

/** Where it is wide the tree grows to the right; on a phone it grows down, as a list with steps. */
const WAYS = {
  right: {
    across: 252,
    down: 46,
    place,
    line: (from, to) => [
      `M${from.x + WIDTH} ${from.y + HEIGHT / 2} C${from.x + WIDTH + 26} ${from.y + HEIGHT / 2} ${from.x + WIDTH + 14} ${to.y + HEIGHT / 2} ${from.x + WIDTH + 44} ${to.y + HEIGHT / 2} H${to.x}`,
      to.x - 34,
    ],
  },
  down: {
    across: 36,
    down: 44,
    place: outline,
    line: (from, to) => [`M${from.x + 13} ${from.y + HEIGHT} V${to.y + HEIGHT / 2} H${to.x}`, to.x - 13],
  },
};

export async function showTree(root) {
  const data = await api.get(`lineage?lang=${language()}`);
  const changes = (evolution) =>
    h(
      "ul",
      null,
      evolution.changes.map((one) => h("li", null, h("code", null, one.change), " ", said(one.about))),
    );
  root.append(
    h("h1", null, t("games.title")),
    tabs("tree"),
    h("p", { class: "faint" }, t("games.tree.how")),
    treeOf(data),
    h("h2", null, t("games.evolutions")),
    h(
      "div",
      { class: "cards" },
      data.evolutions.map((one) =>
        h(
          "article",
          { class: "card" },
          h("h3", null, said(one.title)),
          changes(one),
          h(
            "a",
            { class: "button", href: `#/analyze?evolution=${encodeURIComponent(one.id)}` },
            t("games.measure"),
          ),
        ),
      ),
    ),
  );
}

/** What changed, in words. */
export function differenceList(differences) {
  if (!differences.length) return h("p", { class: "faint small" }, t("games.same"));
  return h(
    "ul",
    { class: "differences" },
    differences.map(({ of, text }) =>
      h("li", { class: of }, h("span", { class: "of" }, t(`games.of.${of}`)), text),
    ),
  );
}

const childrenOf = (edges) => (id) =>
  edges
    .filter((edge) => edge.from === id)
    .map((edge) => edge.to)
    .sort();

/** Games that came from none, the largest family first. */
function roots(nodes, edges) {
  const grown = new Set(edges.map((edge) => edge.to));
  const children = childrenOf(edges);
  const size = (id) => children(id).reduce((sum, child) => sum + size(child), 1);
  return nodes.filter((node) => !grown.has(node.id)).sort((a, b) => size(b.id) - size(a.id));
}

/** Places every game in a row of its own, below the one it came from and a step to the right. */
function outline(nodes, edges) {
  const children = childrenOf(edges);
  const places = new Map();
  const put = (id, column) => {
    if (places.has(id)) return;
    places.set(id, { column, row: places.size });
    children(id).forEach((child) => put(child, column + 1));
  };
  roots(nodes, edges).forEach((node) => put(node.id, 0));
  return {
    places,
    rows: places.size,
    columns: Math.max(...[...places.values()].map((one) => one.column)) + 1,
  };
}

/** Places every game: its column by its age, its row by the branches above it. */
function place(nodes, edges) {
  const children = childrenOf(edges);
  const places = new Map();
  let row = 0;
  const put = (id, column) => {
    if (places.has(id)) return places.get(id).row;
    places.set(id, { column, row });
    const rows = children(id).map((child) => put(child, column + 1));
    const own = rows.length ? (rows[0] + rows.at(-1)) / 2 : row++;
    places.set(id, { column, row: own });
    return own;
  };
  roots(nodes, edges).forEach((node) => put(node.id, 0));
  return { places, rows: row, columns: Math.max(...[...places.values()].map((one) => one.column)) + 1 };
}

/** A game of one's own may say that it came from itself, or from its own child: such a branch is left out. */
function withoutCircles(edges) {
  const parent = new Map();
  return edges.filter(({ from, to }) => {
    for (let above = from; above !== undefined; above = parent.get(above)) if (above === to) return false;
    parent.set(to, from);
    return true;
  });
}

/** The tree as a picture, and below it what changed on the branch that is chosen. `current` is a game's id. */
export function treeOf({ nodes, edges: all }, current) {
  const edges = withoutCircles(all);
  const shown = current ? family(nodes, edges, current) : { nodes, edges };
  const way = WAYS[matchMedia("(max-width: 700px)").matches ? "down" : "right"];
  const { places, rows, columns } = way.place(shown.nodes, shown.edges);
  const told = h("div", { class: "told", role: "status" });
  const at = (id) => ({
    x: places.get(id).column * way.across + EDGE,
    y: places.get(id).row * way.down + EDGE,
  });
  const names = new Map(nodes.map((node) => [node.id, gameName(node)]));
  const [width, height] = [
    (columns - 1) * way.across + WIDTH + 2 * EDGE,
    (rows - 1) * way.down + HEIGHT + 2 * EDGE,
  ];
  const branches = shown.edges.map((edge) => branch(edge, at, way, () => tell(edge)));
  const boxes = shown.nodes.map((node) => box(node, at(node.id), node.id === current));
  const svg = s(
    "svg",
    {
      "class": "tree",
      "viewBox": `0 0 ${width} ${height}`,
      width,
      height,
      "role": "group",
      "aria-label": t("games.lineage"),
    },
    branches,
    boxes,
  );
  function tell(edge) {
    svg
      .querySelectorAll(".branch")
      .forEach((one, n) => one.setAttribute("aria-pressed", shown.edges[n] === edge));
    told.replaceChildren(
      h("h3", null, `${names.get(edge.from)} → ${names.get(edge.to)}`),
      differenceList(edge.differences),
    );
  }
  const save = h(
    "button",
    { class: "quiet small", onclick: () => download("lineage.svg", svgText(svg), "image/svg+xml") },
    t("games.save-tree"),
  );
  const first = shown.edges.find((edge) => edge.to === current);
  if (first) tell(first);
  return h(
    "div",
    { class: "tree-and-words" },
    h(
      "div",
      { "class": "scroll tree-scroll", "tabindex": 0, "role": "region", "aria-label": t("games.lineage") },
      svg,
    ),
    save,
    told,
  );
}

/** The games that one came from, those that came from it, and its brothers. */
function family(nodes, edges, current) {
  const kept = new Set([current]);
  const up = (id) =>
    edges
      .filter((edge) => edge.to === id && !kept.has(edge.from))
      .forEach((edge) => {
        kept.add(edge.from);
        up(edge.from);
      });
  const down = (id) =>
    edges
      .filter((edge) => edge.from === id && !kept.has(edge.to))
      .forEach((edge) => {
        kept.add(edge.to);
        down(edge.to);
      });
  up(current);
  down(current);
  return {
    nodes: nodes.filter((node) => kept.has(node.id)),
    edges: edges.filter((edge) => kept.has(edge.from) && kept.has(edge.to)),
  };
}

function box(node, { x, y }, isCurrent) {
  return s(
    "a",
    {
      "href": gameHref(node.id),
      "class": isCurrent ? "node current" : node.own ? "node own" : "node",
      "aria-current": isCurrent ? "true" : undefined,
      "data-game": node.id,
    },
    s("rect", { x, y, width: WIDTH, height: HEIGHT, rx: 8 }),
    inBox(gameName(node), x + WIDTH / 2, y + HEIGHT / 2 + 1),
  );
}

/** Letters of a line in a box. */
const LONGEST = 24;

/** A name that is too long for one line has two; what is too long for these is cut. */
function inBox(name, x, y) {
  const wide = [...name].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 1.8 : 1), 0);
  if (wide <= 20) return s("text", { x, y }, name);
  const cut = (text) => ([...text].length > LONGEST ? `${[...text].slice(0, LONGEST - 1).join("")}…` : text);
  const words = name.includes(" ") ? name.split(" ") : [name.slice(0, 10), name.slice(10)];
  const first = words.slice(0, Math.ceil(words.length / 2)).join(" ");
  return s(
    "text",
    { x, y: y - 7, class: "long" },
    s("title", null, name),
    s("tspan", { x }, cut(first)),
    s("tspan", { x, dy: 14 }, cut(name.slice(first.length).trim())),
  );
}

function branch(edge, at, way, tell) {
  const [from, to] = [at(edge.from), at(edge.to)];
  const y2 = to.y + HEIGHT / 2;
  const [d, middle] = way.line(from, to);
  const n = edge.differences.length;
  return s(
    "g",
    {
      "class": "branch",
      "role": "button",
      "tabindex": 0,
      "aria-pressed": false,
      "aria-label": t("games.branch", { from: edge.from, to: edge.to, n }),
      "data-edge": `${edge.from}-${edge.to}`,
      "onclick": tell,
      "onkeydown": (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          tell();
        }
      },
    },
    s("path", { class: "hit", d }),
    s("path", { d }),
    s("circle", { cx: middle, cy: y2, r: 11 }),
    s("text", { x: middle, y: y2 + 1 }, n),
  );
}
