// What the page says, in English and Japanese. Each view brings its own words: words/NAME.js exports { en, ja }.

const LANGUAGES = { en: "English", ja: "日本語" };
const known = { en: {}, ja: {} };

/** The language of the page. */
export function language() {
  return document.documentElement.lang in known ? document.documentElement.lang : "en";
}

/** How dates and numbers are written: as the reader's country does where it speaks the page's language. */
export function locale() {
  return navigator.languages.find((code) => code.startsWith(language())) ?? language();
}

/** Other languages, as [code, name]. */
export function otherLanguages() {
  return Object.entries(LANGUAGES).filter(([code]) => code !== language());
}

/** Changes the language; the page is made anew. */
export function setLanguage(code) {
  document.documentElement.lang = code;
  try {
    localStorage.setItem("language", code);
  } catch {
    /* a private window */
  }
  window.dispatchEvent(new Event("language"));
}

/** Adds a view's words. */
export function addWords(words) {
  for (const code of Object.keys(known)) Object.assign(known[code], words[code]);
}

/** The words for a key, with `{name}` replaced by what is given. */
export function t(key, given = {}) {
  const text = known[language()][key] ?? known.en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => given[name] ?? whole);
}
