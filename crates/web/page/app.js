// The shell: which view is shown, the bar above it, language and theme. A view is a module in views/ with
// `show(root, path, query)`; what that gives, if anything, is called when the view is left.

import { ApiError } from "./lib/api.js";
import { h } from "./lib/dom.js";
import { addWords, language, otherLanguages, setLanguage, t } from "./lib/words.js";
import shell from "./words/shell.js";

addWords(shell);
const VIEWS = ["play", "games", "analyze", "learn", "records", "study", "jobs"];
const main = document.getElementById("main");
let leave;
let shown = 0;

/** What an address says; one that was mistyped says what it can. */
function plain(part) {
  try { return decodeURIComponent(part); } catch { return part; }
}

/** `#/records/find?collection=mine` is the view `records`, the path ["find"] and the query. */
function place() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [view, ...rest] = path.split("/").map(plain);
  return { view: view || VIEWS[0], path: rest, query: new URLSearchParams(query) };
}

function drawBar(current) {
  const link = (view) => h("a", { href: `#/${view}`, "aria-current": view === current ? "page" : undefined }, t(`shell.${view}`));
  const skip = document.querySelector(".skip");
  skip.textContent = t("shell.skip");
  skip.onclick = (event) => { event.preventDefault(); main.focus(); };
  document.getElementById("bar").replaceChildren(
    h("a", { class: "brand", href: "#/" }, h("img", { src: "/icon.svg", alt: "", width: 28, height: 28 }), h("span", null, "Ashtapada")),
    h("nav", { "aria-label": t("shell.parts") }, VIEWS.map(link)),
    h("div", { class: "choices" },
      otherLanguages().map(([code, name]) => h("button", { class: "quiet", lang: code, onclick: () => setLanguage(code) }, name)),
      h("button", { class: "quiet", id: "theme", "aria-label": t("shell.theme"), title: t("shell.theme"), onclick: turnTheme }, "◐")));
}

function turnTheme() {
  const root = document.documentElement;
  const isDark = (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  root.dataset.theme = isDark ? "light" : "dark";
  try { localStorage.setItem("theme", root.dataset.theme); } catch { /* a private window */ }
  window.dispatchEvent(new Event("theme"));
}

/** An address that nothing is at. */
function showNothing() {
  document.title = "Ashtapada";
  main.replaceChildren(h("section", { class: "card nothing" }, h("h1", null, t("shell.nothing")), h("p", null, h("a", { href: "#/" }, t("shell.toPlay")))));
}

async function show() {
  const turn = ++shown;
  const { view, path, query } = place();
  drawBar(view);
  document.documentElement.lang = language();
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
    if (!(error instanceof ApiError)) console.error(error);
    if (turn === shown) main.replaceChildren(h("section", { class: "card nothing" }, h("h1", null, t("shell.failed")), h("p", { class: "wrong" }, error.message), error.hint && h("p", null, error.hint), h("p", null, h("a", { href: `#/${view}` }, t(`shell.${view}`)))));
  }
  document.title = `${t(`shell.${view}`)} · Ashtapada`;
}

window.addEventListener("hashchange", show);
window.addEventListener("language", show);
show();
