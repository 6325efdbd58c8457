// Explains an illegal move, as the server words it, on any board that shows a position view.

import { api } from "/lib/api.js";
import { notice, speak } from "/lib/dom.js";

/** Shows and speaks the reason; nothing where there is none, as in a problem without a king. */
export async function explainIllegalMove({ game, text: position, contest }, wanted) {
  if (!position || (contest && contest.stage !== "turn")) return;
  const { words } = await api.post("why", { game, position, ...wanted }).catch(() => ({}));
  if (!words) return;
  notice(words);
  speak(words);
}
