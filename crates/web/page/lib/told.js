// What the server says, in the language of the page. Its sentences are English; whoever reads English loads nothing more.

import { h } from "./dom.js";
import { language } from "./words.js";

/** What turns a sentence of the server into one of the page's language. */
export async function teller() {
  return language() === "ja" ? (await import("/words/told.js")).inJapanese : (sentence) => sentence;
}

/** A refusal in the page's language. */
export async function toldRefusal(body) {
  if (language() === "en") return body;
  const say = await teller();
  const each = (sentence) => sentence && say(sentence);
  const problems = body.problems?.map((problem) => ({ ...problem, what: say(problem.what), hint: each(problem.hint) }));
  return { ...body, error: each(body.error), hint: each(body.hint), problems };
}

/** A sentence of the server as an element: in another language it is there as soon as that is loaded. */
export function told(sentence) {
  const place = h("span", null, language() === "en" ? sentence : "");
  if (language() !== "en") teller().then((say) => { place.textContent = say(sentence); });
  return place;
}
