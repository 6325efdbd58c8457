// Why a move that somebody wants to play may not be played: the server says it, for any board that shows a standing.

import { api } from "/lib/api.js";
import { notice, speak } from "/lib/dom.js";
import { teller } from "/lib/told.js";

/** Tells why; nothing where nobody can say, as in a problem without a king. */
export async function tellWhy({ game, text: position, contest }, wanted) {
  if (!position || (contest && contest.stage !== "turn")) return;
  const { words } = await api.post("why", { game, position, ...wanted }).catch(() => ({}));
  if (!words) return;
  const said = (await teller())(words);
  notice(said);
  speak(said);
}
