// The server's JSON API: the same that scripts use. A refusal is an ApiError with what is wrong and what to do.

import { notice } from "./dom.js";

export class ApiError extends Error {
  constructor(body, status) {
    super(body.error ?? `HTTP ${status}`);
    this.hint = body.hint;
    this.offset = body.offset;
    this.problems = body.problems ?? [];
    this.status = status;
  }
}

async function request(method, path, body, { signal } = {}) {
  const isRaw = body instanceof Blob || typeof body === "string";
  const response = await fetch(`/api/${path}`, {
    method,
    signal,
    headers: body === undefined || isRaw ? {} : { "content-type": "application/json" },
    body: body === undefined || isRaw ? body : JSON.stringify(body),
  });
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  const answer = isJson ? await response.json() : await response.text();
  if (!response.ok) throw new ApiError(isJson ? answer : { error: answer }, response.status);
  return answer;
}

export const api = {
  get: (path, options) => request("GET", path, undefined, options),
  post: (path, body, options) => request("POST", path, body, options),
  put: (path, body, options) => request("PUT", path, body, options),
  delete: (path, options) => request("DELETE", path, undefined, options),
  /** Listens to server-sent events; gives a function that stops. */
  watch(path, told) {
    const source = new EventSource(`/api/${path}`);
    source.onmessage = (event) => told(JSON.parse(event.data));
    return () => source.close();
  },
};

/** Shows why something did not work; a request that was given up on purpose is no error. */
export function showError(error) {
  if (error.name === "AbortError") return;
  notice(error.message, { hint: error.hint, isError: true });
  if (!(error instanceof ApiError)) console.error(error);
}

/** Runs the latest only: a call gives up the one before it. Made for what is asked while somebody types. */
export function latest(ask) {
  let controller;
  return async (...given) => {
    controller?.abort();
    controller = new AbortController();
    const { signal } = controller;
    try {
      const answer = await ask(signal, ...given);
      return signal.aborted ? undefined : answer;
    } catch (error) {
      showError(error);
      return undefined;
    }
  };
}
