// Localises the server's sentences, which are English; the table is loaded for other languages only.

import { h } from "./dom.js";
import { language } from "./words.js";

const unchanged = (sentence) => sentence;

/** A function that localises a sentence; the identity where the table cannot be loaded. */
export async function localiser() {
  if (language() !== "ja") return unchanged;
  return import("/words/told.js").then((module) => module.inJapanese, () => unchanged);
}

/** An error body in the page's language. */
export async function localisedError(body) {
  if (language() === "en") return body;
  const say = await localiser();
  const each = (sentence) => sentence && say(sentence);
  const problems = body.problems?.map((problem) => ({ ...problem, what: say(problem.what), hint: each(problem.hint) }));
  return { ...body, error: each(body.error), hint: each(body.hint), problems };
}

/** A localised sentence as an element, filled when the table is loaded. */
export function told(sentence) {
  const place = h("span", null, language() === "en" ? sentence : "");
  if (language() !== "en") localiser().then((say) => { place.textContent = say(sentence); });
  return place;
}
