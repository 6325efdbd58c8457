// Localises the server's sentences, which are English; the table is loaded for other languages only.

import { h } from "./dom.js";
import { language } from "./words.js";

const unchanged = (sentence) => sentence;

/** A function that localises a sentence; the identity where the table cannot be loaded. */
export async function localiser() {
  if (language() !== "ja") return unchanged;
  return import("/words/told.js").then(
    (module) => module.inJapanese,
    () => unchanged,
  );
}

/** The code of errors that the server has in English only. */
const ENGLISH = "web.english";

/** An error body in the page's language. */
export async function localisedError(body) {
  const parts = [body, ...(body.problems ?? [])];
  if (!parts.some(({ code }) => code === ENGLISH)) return body;
  const say = await localiser();
  const localised = (part, key) =>
    part.code === ENGLISH ? { ...part, [key]: say(part[key]), hint: part.hint && say(part.hint) } : part;
  return {
    ...localised(body, "error"),
    problems: body.problems?.map((problem) => localised(problem, "what")),
  };
}

/** A localised sentence as an element, filled when the table is loaded. */
export function told(sentence) {
  const place = h("span", null, language() === "en" ? sentence : "");
  if (language() !== "en")
    localiser().then((say) => {
      place.textContent = say(sentence);
    });
  return place;
}
