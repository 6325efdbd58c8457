// What the library says in English, in the language of the page: names of games, what they are, their changes.

import { addWords, language, t } from "./words.js";
import words from "../words/library.js";

addWords(words);

function translated(key, otherwise) {
  const said = t(key);
  return said === key ? otherwise : said;
}

/** Titles of experiments and names of measures. */
export const fromData = (name, english) => translated(`names.${name}`, english);

/** What a game is called in the language of the page. */
export const gameName = ({ id, name, own }) => (own ? name : translated(`library.${id}`, name));

/** A game that is known by its name alone; what was changed in it follows as it is written: "Heian shogi + ab", "shogi+impasse". */
export function gameWord(written) {
  const [, base, changes] = /^(.+?)( \+ [a-z]+)?$/s.exec(written) ?? [, written, ""];
  if (translated(`says.${base}`)) return said(base) + (changes ?? "");
  const [, id, rest] = /^([\w-]+)(.*)$/s.exec(written) ?? [, written, ""];
  return translated(`library.${id}`, id) + rest;
}

/** What a game is, in a sentence. */
export const gameAbout = ({ id, about, own }) => (own ? about : translated(`library.${id}.about`, about));

/** A text of a data file in the language of the page: `{ en, ja }`, or English with a translation here. */
export const said = (text) =>
  typeof text === "object" ? (text[language()] ?? text.en) : translated(`says.${text}`, text);
