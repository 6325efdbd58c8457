// The report of a job in a frame, in the page's language and as dark as the page around it.

import { api } from "./api.js";
import { h } from "./dom.js";
import { language, t } from "./words.js";

/** Whether the page is dark: by its own choice, else by the machine's. */
const isDark = () =>
  (document.documentElement.dataset.theme ??
    (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

/** The report's file in the page's language; the English one where an older version of the program wrote no other. */
async function fileOf(job) {
  const told = `report.${language()}.html`;
  const files = language() === "en" ? [] : await api.get(`jobs/${job.id}/files`).catch(() => []);
  return files.some(({ name }) => name === told) ? told : "report.html";
}

/** A card with the report; the frame's page runs no scripts, so the address tells it what paper to use. */
export function reportOf(job) {
  const file = fileOf(job);
  const frame = h("iframe", { class: "report", title: t("jobs.report") });
  const alone = h("a", { target: "_blank", rel: "noopener" }, t("jobs.openReport"));
  const show = async () => {
    const address = `/api/jobs/${job.id}/files/${await file}#${isDark() ? "dark" : "light"}`;
    frame.src = address;
    alone.href = address;
  };
  const follow = () => (frame.isConnected ? show() : window.removeEventListener("theme", follow));
  window.addEventListener("theme", follow);
  show();
  return h(
    "section",
    { class: "card" },
    h("div", { class: "row" }, h("h2", { style: { margin: 0, flex: 1 } }, t("jobs.report")), alone),
    frame,
  );
}
