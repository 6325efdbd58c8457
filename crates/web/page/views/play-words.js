// How a game stands, in a sentence.

import { language, t } from "/lib/words.js";
import { sideName } from "/board/names.js";
import { resultText } from "./game-head.js";

/** "White wins: checkmate." */
export function outcomeWords(sheet, outcome) {
  if (outcome.how)
    return t(`play.ended.${outcome.how}`, {
      side: outcome.side === undefined ? "" : sideName(sheet, outcome.side),
    });
  const why = t(`play.reason.${outcome.reason}`);
  if (outcome.winner === null || outcome.winner === undefined) return t("play.draw", { why });
  return t("play.wins", { side: sideName(sheet, outcome.winner), why });
}

/** What is awaited now. */
export function statusWords(session) {
  const { sheet, latest, outcome } = session;
  if (!latest) return t("loading");
  if (outcome) return outcomeWords(sheet, outcome);
  const side = sideName(sheet, session.mover());
  if (
    session.isRecordOver &&
    session.tree.depth(session.node) === session.tree.plies &&
    session.tree.isMain(session.node)
  )
    return t("play.recordEnds", { result: resultText(session.state.record.result) });
  if (!session.isLatest) return t("play.looking", { n: session.state.at, of: session.state.moves.length });
  if (session.thinking) return t("play.thinking", { side });
  if (session.paused && session.seat(session.mover()) !== "human") return t("play.paused");
  const check = latest.check.length ? ` ${t("play.check")}` : "";
  const isAlone = session.state.seats.filter((seat) => seat === "human").length === 1;
  // A game that another tab goes on with is the program's to move here, too.
  return (
    t(isAlone && session.seat(session.mover()) === "human" ? "play.yourMove" : "play.toMove", { side }) +
    check
  );
}

/** "+0.4", "White wins in 3 moves". */
export function scoreWords(sheet, score) {
  if (score.winner !== null && score.winner !== undefined)
    return t("play.winsIn", { side: sideName(sheet, score.winner), n: Math.ceil(score.plies / 2) });
  const size = Math.abs(score.pawns).toFixed(1);
  const pawns = size === "0.0" ? size : `${score.pawns > 0 ? "+" : "−"}${size}`;
  const who =
    Math.abs(score.pawns) < 0.3
      ? t("play.even")
      : t("play.better", { side: sideName(sheet, score.pawns > 0 ? 0 : 1) });
  return language() === "ja" ? `${pawns}（${who}）` : `${pawns}, ${who}`;
}
