// What pieces are worth: a TD(lambda) run, its curves while it runs, and its weights put to use.

import { addWords } from "../lib/words.js";
import words from "../words/learn.js";

addWords(words);

export async function show(root, path) {
  if (/^\d+$/.test(path[0] ?? "")) {
    const { showLearning } = await import("./learn-run.js");
    return showLearning(root, Number(path[0]));
  }
  const { showForm } = await import("./learn-form.js");
  return showForm(root);
}
