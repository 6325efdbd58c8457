// What the server says, in the language of the page. Its sentences are English; whoever reads English loads nothing more.

import { h } from "./dom.js";
import { language } from "./words.js";

const asItCame = (sentence) => sentence;

/** What turns a sentence of the server into one of the page's language; as it came where the table cannot be had any more. */
export async function teller() {
  if (language() !== "ja") return asItCame;
  return import("/words/told.js").then((module) => module.inJapanese, () => asItCame);
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
