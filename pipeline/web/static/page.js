// What every page's script uses: texts in the page's language, requests, messages.

export const language = document.documentElement.lang;
const texts = JSON.parse(document.body.dataset.texts);

export const at = (id) => document.getElementById(id);

export function say(key, values = {}) {
  return texts[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

export function number(value) {
  return new Intl.NumberFormat(language).format(value);
}

export function duration(milliseconds) {
  const digits = { maximumSignificantDigits: 3 };
  return milliseconds < 1
    ? `${new Intl.NumberFormat(language, digits).format(milliseconds * 1000)} µs`
    : `${new Intl.NumberFormat(language, digits).format(milliseconds)} ms`;
}

export class Refusal extends Error {}

async function answered(request) {
  let response;
  try {
    response = await request;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(say("unreachable"));
  }
  const body = await response.json();
  if (!response.ok) throw new Refusal(body.detail);
  return body;
}

export function post(path, body, signal) {
  const headers = { "Content-Type": "application/json" };
  return answered(fetch(`/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body), signal }));
}

export function get(path, parameters) {
  return answered(fetch(`/api/v1${path}?${new URLSearchParams(parameters)}`));
}

export function showProblem(text) {
  at("problem").textContent = text;
  at("problem").hidden = text === "";
}

// Run a task; a refusal is shown, an aborted request is not.
export async function attempt(task) {
  try {
    showProblem("");
    return await task();
  } catch (error) {
    if (error instanceof Refusal) showProblem(error.message);
    else if (error.name !== "AbortError") throw error;
    return undefined;
  }
}

// The address holds what is shown; the language switch keeps it.
export function setAddress(parameters) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ""));
  history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
  for (const link of document.querySelectorAll("[data-language]")) {
    const own = new URLSearchParams(query);
    own.set("lang", link.dataset.language);
    link.href = `?${own}`;
  }
}

export function randomSeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}
