// Game files with their parts in colours, and a mark where something is wrong.

import { h } from "../lib/dom.js";

const PARTS =
  /(?<comment>#.*)|(?<text>"(?:[^"\\]|\\.)*"?|'[^']*'?)|(?<head>^\s*\[\[?[^\]]*\]?\]?)|(?<key>[A-Za-z0-9_.-]+(?=\s*=))|(?<number>\b(?:true|false|-?\d+(?:\.\d+)?)\b)/g;

function parts(line) {
  const found = [];
  let at = 0;
  for (const match of line.matchAll(PARTS)) {
    if (match.index > at) found.push(line.slice(at, match.index));
    const [kind] = Object.entries(match.groups).find(([, value]) => value !== undefined);
    found.push(h("span", { class: `t-${kind}` }, match[0]));
    at = match.index + match[0].length;
  }
  if (at < line.length) found.push(line.slice(at));
  return found;
}

/** The lines of a text in colours. `problems` have line and column from 1; lines with one get a class. */
export function highlighted(text, problems = []) {
  const lines = text.split("\n");
  return lines.map((line, at) => {
    const columns = problems
      .filter((problem) => problem.line === at + 1)
      .map((problem) => problem.column - 1);
    const shown = columns.length ? marked(line, Math.min(...columns)) : parts(line);
    return h(
      "span",
      { class: columns.length ? "line with-problem" : "line" },
      shown,
      at + 1 < lines.length ? "\n" : "",
    );
  });
}

/** A line with its word at a column underlined. */
function marked(line, column) {
  const characters = [...line];
  const rest = characters.slice(column).join("");
  const word = rest.match(/^("[^"]*"?|[^\s=,\]}"]+|.)/)?.[0] ?? "";
  const before = characters.slice(0, column).join("");
  return [parts(before), h("span", { class: "t-problem" }, word || " "), parts(rest.slice(word.length))];
}
