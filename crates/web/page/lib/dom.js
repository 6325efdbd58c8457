// Elements in one line: h("button", { class: "quiet", onclick: f }, "Flip").

import { t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
    else if (name === "style" && typeof value === "object") Object.assign(element.style, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** An HTML element. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Puts these in the place of what an element has; what is missing is left out. */
export function fillWith(element, ...children) {
  element.replaceChildren(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
}

/** A labelled field of a form; `input` is the element that takes the value. */
export function field(label, input, hint) {
  return h("label", { class: "field" }, h("span", null, label), input, hint && h("small", null, hint));
}

/** A list to choose one of: `options` are [value, text] pairs. */
export function select(options, value, onchange, attributes) {
  const element = h(
    "select",
    { ...attributes, onchange: () => onchange?.(element.value) },
    options.map(([key, text]) => h("option", { value: key }, text)),
  );
  element.value = value;
  return element;
}

/** Says something to people who hear the page. */
export function speak(text) {
  const spoken = document.getElementById("spoken");
  spoken.textContent = "";
  requestAnimationFrame(() => {
    spoken.textContent = text;
  });
}

/** A message that goes away by itself; errors stay longer. */
export function notice(text, { hint, isError = false } = {}) {
  const close = () => box.remove();
  const box = h(
    "div",
    { class: isError ? "notice wrong" : "notice" },
    h("div", null, h("strong", null, text), hint && h("div", null, hint)),
    h("button", { "class": "quiet", "aria-label": t("close"), "onclick": close }, "×"),
  );
  const notices = document.getElementById("notices");
  [...notices.children].slice(0, -2).forEach((old) => old.remove());
  notices.append(box);
  setTimeout(close, isError ? 12000 : 4000);
}

/** Saves a text or bytes as a file of this name. */
export function download(name, contents, type = "text/plain") {
  const blob = contents instanceof Blob ? contents : new Blob([contents], { type });
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function copyOldWay(text) {
  const area = h("textarea", { "class": "unseen", "aria-hidden": "true" });
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** Copies a text; says so. */
export async function copy(text, said) {
  // Browsers keep the clipboard from pages of other machines, whose address has no https.
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else copyOldWay(text);
  notice(said);
}

/** An <svg> as a file of its own: the page's colours are written into it. */
export function svgText(svg) {
  const copied = svg.cloneNode(true);
  const of = [svg, ...svg.querySelectorAll("*")];
  const to = [copied, ...copied.querySelectorAll("*")];
  const looks = [
    "fill",
    "stroke",
    "stroke-width",
    "font-family",
    "font-size",
    "font-weight",
    "text-anchor",
    "dominant-baseline",
    "opacity",
  ];
  of.forEach((element, at) => {
    const seen = getComputedStyle(element);
    to[at].setAttribute("style", looks.map((look) => `${look}:${seen.getPropertyValue(look)}`).join(";"));
  });
  copied.setAttribute("xmlns", SVG);
  return new XMLSerializer().serializeToString(copied);
}
