// The report of a job in a frame, as dark as the page around it.

import { h } from "./dom.js";
import { t } from "./words.js";

/** Whether the page is dark: by its own choice, else by the machine's. */
const isDark = () => (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

/** A card with the report; the frame's page runs no scripts, so the address tells it what paper to use. */
export function reportOf(job) {
  const file = `/api/jobs/${job.id}/files/report.html`;
  const address = () => `${file}#${isDark() ? "dark" : "light"}`;
  const frame = h("iframe", { class: "report", src: address(), title: t("jobs.report") });
  const alone = h("a", { href: address(), target: "_blank", rel: "noopener" }, t("jobs.openReport"));
  const follow = () => {
    if (!frame.isConnected) return window.removeEventListener("theme", follow);
    frame.src = address();
    alone.href = address();
    return undefined;
  };
  window.addEventListener("theme", follow);
  return h("section", { class: "card" }, h("div", { class: "row" }, h("h2", { style: { margin: 0, flex: 1 } }, t("jobs.report")), alone), frame);
}
