// Problems: set one up, solve it, step through what may follow, try it yourself, solve a file of them.

import { api, showError } from "/lib/api.js";
import { download, field, h, speak } from "/lib/dom.js";
import { t } from "/lib/words.js";
import { Editor } from "/board/editor.js";
import { miniature } from "/board/miniature.js";
import { gameDescriptor } from "/lib/descriptors.js";
import { count, gameChoice, remember, segments, watchWork } from "./study-common.js";
import { problemFile } from "./study-file.js";
import { Solution } from "./study-solution.js";
import { Trial } from "./study-try.js";

export async function show(root, path, query) {
  const view = new Problems(root);
  await view.begin(query);
  return () => view.leave();
}

class Problems {
  constructor(root) {
    this.root = root;
  }

  async begin(query) {
    const examples = await api.get("problems/examples");
    const first = examples[0];
    const given = query.get("game") && query.get("position");
    this.game = query.get("game") ?? first?.game ?? "chess";
    this.position =
      query.get("position") ?? (given || !first || query.get("game") ? undefined : first.position);
    this.byChecks = query.get("tsume") === "1";
    this.moves = Number(query.get("mate")) || first?.mate || 2;
    this.plies = Number(query.get("plies")) || 61;
    this.tries = query.get("tries") === "1";
    this.futile = query.get("futile") === "1";
    this.mode = query.get("mode") ?? "setup";
    this.board = h("div", { class: "study-board" });
    this.side = h("div", { class: "study-side" });
    this.result = h("div", { "class": "study-result", "aria-live": "polite" });
    this.modes = h("div", { class: "study-modes" });
    this.root.append(
      h("div", { class: "beside study-beside" }, h("section", null, this.modes, this.board), this.side),
      await this.exampleList(examples),
      problemFile(this),
    );
    await this.drawForm();
    await this.drawMode();
  }

  leave() {
    this.controller?.abort();
    this.part?.leave?.();
  }

  wanted() {
    return this.byChecks
      ? { tsume: true, plies: this.plies, ignore_futile: this.futile }
      : { mate: this.moves };
  }

  keep() {
    const { game, position, byChecks, moves, tries, futile, mode, plies } = this;
    remember("problems", {
      game,
      position,
      ...(byChecks ? { tsume: 1, plies: plies === 61 ? "" : plies } : { mate: moves }),
      tries: tries && 1,
      futile: futile && 1,
      mode: mode === "setup" ? "" : mode,
    });
  }

  async drawForm() {
    const number = h("input", {
      "type": "number",
      "min": 1,
      "max": 200,
      "value": this.moves,
      "class": "short",
      "aria-label": t("study.moves"),
      "onchange": () => {
        this.moves = Math.max(1, Math.min(200, Number(number.value) || 2));
        number.value = this.moves;
        this.byChecks = false;
        this.changed();
        this.drawForm();
      },
    });
    const radio = (isChecks, ...label) =>
      h(
        "label",
        { class: "choice" },
        h("input", {
          type: "radio",
          name: "goal",
          checked: this.byChecks === isChecks,
          onchange: () => {
            this.byChecks = isChecks;
            this.changed();
            this.drawForm();
          },
        }),
        ...label,
      );
    const check = (key, label, hint) =>
      h(
        "label",
        { class: "choice" },
        h("input", {
          type: "checkbox",
          checked: this[key],
          onchange: (event) => {
            this[key] = event.target.checked;
            this.changed();
          },
        }),
        h("span", null, label, hint && h("small", { class: "faint" }, hint)),
      );
    this.solveButton = h("button", { class: "first", type: "submit" }, t("study.solve"));
    this.progress = h("div", { class: "study-progress", hidden: true });
    const game = await gameChoice(this.game, (value) => {
      this.game = value;
      this.position = undefined;
      this.mode = "setup";
      this.changed();
      this.drawMode();
    });
    const form = h(
      "form",
      {
        class: "card study-form",
        onsubmit: (event) => {
          event.preventDefault();
          this.solve();
        },
      },
      field(t("study.game"), game),
      h(
        "fieldset",
        null,
        h("legend", null, t("study.goal")),
        radio(false, t("study.mateBefore"), number, t("study.mateAfter")),
        radio(true, t("study.tsume")),
      ),
      this.byChecks
        ? check("futile", t("study.futile"), t("study.futileHint"))
        : check("tries", t("study.tries"), t("study.triesHint")),
      h(
        "div",
        { class: "row" },
        this.solveButton,
        h("button", { type: "button", onclick: () => this.setMode("try") }, t("study.tryIt")),
      ),
      this.progress,
    );
    this.side.replaceChildren(form, this.result);
    this.keep();
  }

  changed() {
    this.answer = undefined;
    this.result.replaceChildren();
    if (this.mode !== "setup") this.setMode("setup");
    this.keep();
  }

  setMode(mode) {
    this.mode = mode;
    this.keep();
    return this.drawMode();
  }

  async drawMode() {
    this.part?.leave?.();
    this.part = undefined;
    const sheet = await gameDescriptor(this.game).catch(showError);
    if (!sheet) return;
    this.sheet = sheet;
    this.position ??= sheet.start.text;
    const options = [
      ["setup", t("study.setup")],
      ["solution", t("study.solution")],
      ["try", t("study.tryIt")],
    ];
    this.modes.replaceChildren(
      segments(t("study.mode"), options, this.mode, (mode) =>
        mode === "solution" && !this.answer ? this.solve() : this.setMode(mode),
      ),
    );
    if (this.mode === "solution" && !this.answer) return void this.solve();
    if (this.mode === "solution") this.part = new Solution(this);
    else if (this.mode === "try") this.part = new Trial(this);
    else this.drawEditor();
  }

  drawEditor() {
    const editor = new Editor(this.sheet, {
      marks: false,
      onChange: (text) => {
        if (!this.setting) {
          this.position = text;
          this.answer = undefined;
          this.result.replaceChildren();
          this.keep();
        }
      },
    });
    this.setting = true;
    if (!editor.take(this.position)) editor.setStart();
    this.setting = false;
    this.board.replaceChildren(editor.element);
  }

  async solve() {
    this.controller?.abort();
    this.controller = new AbortController();
    this.solveButton.disabled = true;
    const stop = h("button", { type: "button", onclick: () => this.controller.abort() }, t("study.stop"));
    const said = h("span", null, t("study.solving", { seconds: "0.0" }));
    this.progress.replaceChildren(h("progress"), h("div", { class: "row" }, said, stop));
    const late = setTimeout(() => {
      this.progress.hidden = false;
    }, 150);
    const told = ({ elapsed_ms: ms, progress }) => {
      said.textContent = t(progress?.depth ? "study.solvingDepth" : "study.solving", {
        seconds: (ms / 1000).toFixed(1),
        depth: progress?.depth,
      });
    };
    try {
      const body = {
        game: this.game,
        position: this.position,
        ...this.wanted(),
        tries: this.tries && !this.byChecks,
      };
      this.answer = await watchWork("problems/solve/events", body, told, this.controller.signal);
      await this.setMode("solution");
      speak(this.result.querySelector("h2")?.textContent ?? "");
      // On a phone the form is below the board; what was found is above.
      this.modes.scrollIntoView({ block: "nearest" });
    } catch (error) {
      showError(error);
      if (this.mode === "solution") this.setMode("setup");
    } finally {
      clearTimeout(late);
      this.progress.hidden = true;
      this.solveButton.disabled = false;
    }
  }

  /** Buttons that save what was found. */
  saveButtons() {
    const name = `${this.game}-problem`;
    return h(
      "div",
      { class: "row study-save" },
      h(
        "button",
        {
          type: "button",
          onclick: () => download(`${name}.txt`, `${this.position}\n${this.answer.lines.join("\n")}\n`),
        },
        t("study.saveText"),
      ),
      h(
        "button",
        {
          type: "button",
          onclick: () => download(`${name}.json`, JSON.stringify(this.answer, null, 2), "application/json"),
        },
        "JSON",
      ),
      h(
        "span",
        { class: "faint small" },
        t("study.took", {
          ms: this.answer.ms < 10 ? this.answer.ms.toFixed(1) : count(Math.round(this.answer.ms)),
          nodes: count((this.answer.mate ?? this.answer.tsume).nodes),
        }),
      ),
    );
  }

  async exampleList(examples) {
    const list = h("div", { class: "study-examples" });
    for (const example of examples) {
      const said = example.mate
        ? t("study.mateIn", { n: example.mate })
        : t("study.tsumeOf", { n: example.plies });
      const button = h(
        "button",
        { type: "button", class: "study-example", onclick: () => this.take(example) },
        h("span", null, said),
      );
      list.append(button);
      Promise.all([
        gameDescriptor(example.game),
        api.post("problems/position", { game: example.game, position: example.position, moves: [] }),
      ]).then(
        ([sheet, positionView]) => {
          button.prepend(
            miniature(sheet, positionView, { size: 132, label: "", hands: sheet.hand ? "strips" : "none" }),
          );
          button.append(h("small", { class: "faint" }, sheet.name));
        },
        () => button.remove(),
      );
    }
    return h("section", null, h("h2", null, t("study.examples")), list);
  }

  async take(example) {
    Object.assign(this, {
      game: example.game,
      position: example.position,
      byChecks: !example.mate,
      moves: example.mate ?? this.moves,
      mode: "setup",
      answer: undefined,
    });
    this.result.replaceChildren();
    await this.drawForm();
    await this.drawMode();
    this.root.scrollIntoView({ behavior: "smooth", block: "start" });
  }
}
