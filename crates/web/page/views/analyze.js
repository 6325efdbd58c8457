// Measuring games: a form, the papers' experiments one click away, runs to watch and to compare.

import { addWords } from "../lib/words.js";
import words from "../words/analyze.js";

addWords(words);

export async function show(root, path, query) {
  if (path[0] === "compare") {
    const { showComparison } = await import("./analyze-compare.js");
    return showComparison(root, (query.get("jobs") ?? "").split(",").map(Number).filter(Boolean));
  }
  if (/^\d+$/.test(path[0] ?? "")) {
    const { showRun } = await import("./analyze-run.js");
    return showRun(root, Number(path[0]));
  }
  const { showForm } = await import("./analyze-form.js");
  return showForm(root, query);
}
