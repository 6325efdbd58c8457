// The shell: which view is shown, the bar above it, language and theme. A view is a module in views/ with
// `show(root, path, query)`; what that gives, if anything, is called when the view is left.

import { ApiError, showError, understood } from "./lib/api.js";
import { h, speak } from "./lib/dom.js";
import { addWords, language, otherLanguages, setLanguage, t } from "./lib/words.js";
import shell from "./words/shell.js";

addWords(shell);
const VIEWS = ["play", "games", "analyze", "learn", "records", "study", "jobs"];
const main = document.getElementById("main");
let leave;
let shown = 0;

/** What an address says; one that was mistyped says what it can. */
function plain(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** `#/records/find?collection=mine` is the view `records`, the path ["find"] and the query. */
function place() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [view, ...rest] = path.split("/").map(plain);
  return { view: view || VIEWS[0], path: rest, query: new URLSearchParams(query) };
}

/** Marks where somebody is; the bar itself is made once for a language, so that the keyboard stays where it stands. */
function markBar(current) {
  const bar = document.getElementById("bar");
  if (bar.lang !== language()) drawBar(bar);
  bar.querySelectorAll("nav a").forEach((link) => {
    if (link.hash === `#/${current}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  });
}

function drawBar(bar) {
  const link = (view) => h("a", { href: `#/${view}` }, t(`shell.${view}`));
  bar.lang = language();
  const skip = document.querySelector(".skip");
  skip.textContent = t("shell.skip");
  skip.onclick = (event) => {
    event.preventDefault();
    main.focus();
  };
  bar.replaceChildren(
    h(
      "a",
      { class: "brand", href: "#/" },
      h("img", { src: "/icon.svg", alt: "", width: 28, height: 28 }),
      h("span", null, "Ashtapada"),
    ),
    h("nav", { "aria-label": t("shell.parts") }, VIEWS.map(link)),
    h(
      "div",
      { class: "choices" },
      otherLanguages().map(([code, name]) =>
        h("button", { class: "quiet", lang: code, onclick: () => setLanguage(code) }, name),
      ),
      h(
        "button",
        {
          "class": "quiet",
          "id": "theme",
          "aria-label": t("shell.theme"),
          "title": t("shell.theme"),
          "onclick": turnTheme,
        },
        "◐",
      ),
    ),
  );
}

function turnTheme() {
  const root = document.documentElement;
  const isDark =
    (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) ===
    "dark";
  root.dataset.theme = isDark ? "light" : "dark";
  try {
    localStorage.setItem("theme", root.dataset.theme);
  } catch {
    /* a private window */
  }
  window.dispatchEvent(new Event("theme"));
}

/** A part that could not be loaded or shown. Made anew it may be there: what was done is kept, and where is in the address. */
function showFailure(error) {
  const { message, hint } = understood(error);
  main.replaceChildren(
    h(
      "section",
      { class: "card nothing" },
      h("h1", null, t("shell.failed")),
      h("p", { class: "wrong" }, message),
      hint && h("p", null, hint),
      h(
        "p",
        { class: "row" },
        h("button", { class: "first", onclick: () => location.reload() }, t("shell.again")),
        h("a", { href: "#/" }, t("shell.toPlay")),
      ),
    ),
  );
}

/** "Shogi · Games · Ashtapada": what is shown, for tabs, bookmarks and the way back. */
function titleOf(view) {
  const heading = main.querySelector("h1:not(.unseen, .printed *)")?.firstChild?.textContent;
  const part = t(`shell.${view}`);
  return [...(heading && heading !== part ? [heading] : []), part, "Ashtapada"].join(" · ");
}

/** An address that nothing is at. */
function showNothing() {
  document.title = "Ashtapada";
  main.replaceChildren(
    h(
      "section",
      { class: "card nothing" },
      h("h1", null, t("shell.nothing")),
      h("p", null, h("a", { href: "#/" }, t("shell.toPlay"))),
    ),
  );
}

// Where somebody was on every page of the way back. The browser would go there before it is drawn.
history.scrollRestoration = "manual";
const depths = new Map(Object.entries(readDepths()));
const here = () => window.navigation?.currentEntry?.key;

function readDepths() {
  try {
    return JSON.parse(sessionStorage.getItem("depths")) ?? {};
  } catch {
    return {};
  }
}

/** A reload finds the same place. */
function keepDepths() {
  noteDepth(here());
  try {
    sessionStorage.setItem("depths", JSON.stringify(Object.fromEntries([...depths].slice(-50))));
  } catch {
    /* a private window */
  }
}

/** How far down somebody was on the page that is left. */
function noteDepth(key) {
  if (key) depths.set(key, scrollY);
}

/** Goes down as soon as there is so much to see, unless somebody moves in the meantime. */
function goDown(depth) {
  scrollTo(0, depth);
  if (scrollY >= depth - 1) return;
  const grown = new ResizeObserver(() => {
    scrollTo(0, depth);
    if (scrollY >= depth - 1) end();
  });
  const end = () => {
    grown.disconnect();
    acts.forEach((act) => removeEventListener(act, end));
  };
  const acts = ["wheel", "pointerdown", "keydown", "hashchange"];
  acts.forEach((act) => addEventListener(act, end));
  grown.observe(main);
  setTimeout(end, 3000);
}

async function show() {
  const turn = ++shown;
  const depth = depths.get(here()) ?? 0;
  const { view, path, query } = place();
  document.documentElement.lang = language();
  markBar(view);
  leave?.();
  leave = undefined;
  // Whoever goes back or forward leaves what was asked there, too.
  document.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close());
  if (!VIEWS.includes(view)) return showNothing();
  const root = h("div", { class: `view ${view}` });
  try {
    const module = await import(`./views/${view}.js`);
    if (turn !== shown) return;
    // What is still being put together is not shown: nothing jumps.
    root.style.visibility = "hidden";
    main.replaceChildren(root);
    let left;
    try {
      left = await module.show(root, path, query);
    } finally {
      root.style.visibility = "";
    }
    if (turn === shown) leave = left;
    else left?.();
  } catch (error) {
    if (!(understood(error) instanceof ApiError)) console.error(error);
    if (turn === shown) showFailure(error);
  }
  if (turn !== shown) return;
  goDown(depth);
  document.title = titleOf(view);
  if (turn > 1) speak(document.title);
}

/** What a button asked for and nobody was there to answer: a part of the page that loads when it is wanted. */
function tellLate(event) {
  if (!(understood(event.reason) instanceof ApiError)) return;
  event.preventDefault();
  showError(event.reason);
}

window.addEventListener("unhandledrejection", tellLate);

window.addEventListener("pagehide", keepDepths);
window.addEventListener("hashchange", show);
window.addEventListener("language", () => {
  noteDepth(here());
  show();
});
window.navigation?.addEventListener("currententrychange", ({ from }) => noteDepth(from.key));
show();
