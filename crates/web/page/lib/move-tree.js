// A game as a tree of moves: a list of nodes, each with its parent's place in it. Node 0 is the start; the first child of a
// node goes on with its line, the others are variations. `plies` are those of the game itself, along first children.
//
// In: what the API tells of a record, moves that are played. Out: lines, the same tree to be sent back. Never: elements.

/** What the server reads of a node. */
const SENT = ["parent", "text", "comment", "glyphs", "spent_ms", "before"];

export class MoveTree {
  constructor({ plies, nodes }) {
    Object.assign(this, { plies, nodes });
  }

  /** A line without variations, of moves as they are written. */
  static ofLine(line) {
    const start = { parent: null, text: "", ply: (line[0]?.ply ?? 1) - 1 };
    return new MoveTree({
      plies: line.length,
      nodes: [start, ...line.map((move, at) => ({ ...move, parent: at }))],
    });
  }

  /** Whether something kept in a browser, or brought in a file, is a tree. */
  static isOne(tree) {
    const isNode = (node, at) =>
      typeof node?.text === "string" &&
      (at === 0
        ? node.parent === null
        : Number.isInteger(node.parent) && node.parent >= 0 && node.parent < at);
    return (
      Array.isArray(tree?.nodes) &&
      tree.nodes.length > 0 &&
      Number.isInteger(tree.plies) &&
      tree.nodes.every(isNode)
    );
  }

  /** Children and depths of all nodes, and the nodes of the game itself; made anew when a node came. */
  get shape() {
    if (this.known?.n === this.nodes.length && this.known.plies === this.plies) return this.known;
    const children = this.nodes.map(() => []);
    const depths = this.nodes.map(() => 0);
    this.nodes.forEach(({ parent }, node) => {
      if (parent === null) return;
      children[parent].push(node);
      depths[node] = depths[parent] + 1;
    });
    const main = [];
    for (let next = children[0][0]; next !== undefined && main.length < this.plies; next = children[next][0])
      main.push(next);
    this.known = {
      n: this.nodes.length,
      plies: this.plies,
      children,
      depths,
      main,
      isMain: new Set([0, ...main]),
    };
    return this.known;
  }

  children(node) {
    return this.shape.children[node];
  }

  /** How many moves lead to a node. */
  depth(node) {
    return this.shape.depths[node];
  }

  /** The nodes of the game itself. */
  get main() {
    return this.shape.main;
  }

  /** Whether a node is of the game itself. */
  isMain(node) {
    return this.shape.isMain.has(node);
  }

  /** The nodes from the start, which is not among them, to a node. */
  path(node) {
    const nodes = [];
    for (let at = node; at; at = this.nodes[at].parent) nodes.push(at);
    return nodes.reverse();
  }

  /** A path and what goes on from it: to the end of the game, or of the variation. */
  line(node) {
    return this.isMain(node) ? this.main : [...this.path(node), ...this.after(node)];
  }

  /** What goes on from a node along first children. */
  after(node) {
    const nodes = [];
    for (let next = this.children(node)[0]; next !== undefined; next = this.children(next)[0])
      nodes.push(next);
    return nodes;
  }

  /** The first node of the variation that a node is in; nothing in the game itself. */
  variationOf(node) {
    if (this.isMain(node)) return null;
    const begins = (at) =>
      this.children(this.nodes[at].parent)[0] !== at || this.isMain(this.nodes[at].parent);
    return this.path(node).findLast(begins);
  }

  texts(nodes) {
    return nodes.map((node) => this.nodes[node].text);
  }

  /** The nodes that moves lead through, as far as the tree has them. */
  nodesOf(texts) {
    const nodes = [];
    for (const text of texts) {
      const next = this.children(nodes.at(-1) ?? 0).find((node) => this.nodes[node].text === text);
      if (next === undefined) break;
      nodes.push(next);
    }
    return nodes;
  }

  /** The node of a move after another node: the one that is there, or a new one. */
  add(parent, { text, san, local, ply }) {
    const there = this.children(parent).find((node) => this.nodes[node].text === text);
    return there ?? this.nodes.push({ parent, text, san, local, ply }) - 1;
  }

  /** The tree without a node and all that follows it. */
  without(gone) {
    const kept = [];
    const places = new Map();
    this.nodes.forEach((node, at) => {
      if (at === gone || (node.parent !== null && !places.has(node.parent))) return;
      places.set(at, kept.length);
      kept.push({ ...node, parent: node.parent === null ? null : places.get(node.parent) });
    });
    return new MoveTree({ plies: this.plies, nodes: kept });
  }

  /** Lines beside the move that leads to a node; where the game ends, those that go on too. */
  beside(node) {
    const { parent } = this.nodes[node];
    const [first, ...others] = parent === null ? [] : this.children(parent);
    const isEnd = this.isMain(node) && this.depth(node) === this.plies;
    return [...(first === node ? others : []), ...(isEnd ? this.children(node) : [])];
  }

  /** What is kept. */
  get kept() {
    return { plies: this.plies, nodes: this.nodes };
  }

  /** What is sent: the server writes moves itself. */
  get sent() {
    return {
      plies: this.plies,
      nodes: this.nodes.map((node) =>
        Object.fromEntries(SENT.filter((key) => node[key] !== undefined).map((key) => [key, node[key]])),
      ),
    };
  }
}
