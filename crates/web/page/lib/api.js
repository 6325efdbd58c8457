// The server's JSON API: the same that scripts use. A refusal is an ApiError with what is wrong and what to do.

import { h, notice } from "./dom.js";
import { localisedError } from "./localise.js";
import { language, t } from "./words.js";

export class ApiError extends Error {
  constructor(body, status) {
    super(body.error ?? `HTTP ${status}`);
    this.hint = body.hint;
    this.offset = body.offset;
    this.problems = body.problems ?? [];
    this.status = status;
  }
}

/** What went wrong, as it can be told: a part of the page that does not load means that nobody answers. */
export function understood(error) {
  if (!(error instanceof TypeError && /fetch|import|load/i.test(error.message))) return error;
  return new ApiError({ error: t("shell.gone"), hint: t("shell.goneHint") }, 0);
}

/** Asks the server as `fetch` does, in the page's language. Nobody answers: the program was ended, or this machine sleeps. */
export function ask(path, given) {
  const headers = { "accept-language": language(), ...given?.headers };
  return fetch(`/api/${path}`, { ...given, headers }).catch((error) => {
    throw error.name === "AbortError" ? error : understood(error);
  });
}

async function request(method, path, body, { signal } = {}) {
  const isRaw = body instanceof Blob || typeof body === "string";
  const response = await ask(path, {
    method,
    signal,
    headers: body === undefined || isRaw ? {} : { "content-type": "application/json" },
    body: body === undefined || isRaw ? body : JSON.stringify(body),
  });
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  const answer = isJson ? await response.json() : await response.text();
  if (!response.ok)
    throw new ApiError(await localisedError(isJson ? answer : { error: answer }), response.status);
  return answer;
}

export const api = {
  get: (path, options) => request("GET", path, undefined, options),
  post: (path, body, options) => request("POST", path, body, options),
  put: (path, body, options) => request("PUT", path, body, options),
  delete: (path, options) => request("DELETE", path, undefined, options),
  /** Listens to server-sent events; gives a function that stops. */
  watch(path, told) {
    // It cannot send headers.
    const source = new EventSource(`/api/${path}?lang=${language()}`);
    // Whoever is told may ask for more, of a server that is gone by then.
    source.onmessage = async (event) => {
      try {
        await told(JSON.parse(event.data));
      } catch (error) {
        showError(error);
      }
    };
    return () => source.close();
  },
};

/** What is wrong in a game file, or else what to do, as paragraphs. */
export function whyNot({ problems = [], hint }) {
  const lines = problems.length
    ? problems.map(({ what, hint: more }) => [what, more].filter(Boolean).join(": "))
    : [hint];
  return lines.filter(Boolean).map((line) => h("p", null, line));
}

/** Shows why something did not work; a request that was given up on purpose is no error. */
export function showError(error) {
  if (error.name === "AbortError") return;
  const told = understood(error);
  notice(told.message, { hint: told.hint, isError: true });
  if (!(told instanceof ApiError)) console.error(error);
}

/** Runs the latest only: a call gives up the one before it. Made for what is asked while somebody types. */
export function latest(asking) {
  let controller;
  return async (...given) => {
    controller?.abort();
    controller = new AbortController();
    const { signal } = controller;
    try {
      const answer = await asking(signal, ...given);
      return signal.aborted ? undefined : answer;
    } catch (error) {
      showError(error);
      return undefined;
    }
  };
}
