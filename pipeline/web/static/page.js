// What every page's script uses: texts in the page's language, requests, messages.

export const language = document.documentElement.lang;
const texts = JSON.parse(document.body.dataset.texts);
const PLACE = /\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g;

export const at = (id) => document.getElementById(id);

// A text with its values filled in: numbers as the language writes them, and with the noun that goes with them.
export function say(key, values = {}) {
  return texts[key].replace(PLACE, (_, name, one, many) => {
    const value = values[name];
    const shown = typeof value === "number" ? number(value) : value;
    return one === undefined ? shown : `${shown} ${value === 1 ? one : many}`;
  });
}

export function number(value) {
  return new Intl.NumberFormat(language).format(value);
}

export function languageName(code) {
  return new Intl.DisplayNames(language, { type: "language" }).of(code);
}

export function duration(milliseconds) {
  const digits = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 });
  return milliseconds < 1 ? `${digits.format(milliseconds * 1000)} µs` : `${digits.format(milliseconds)} ms`;
}

export const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

export class Refusal extends Error {}

async function answered(request) {
  let response;
  try {
    response = await request;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(say("unreachable"));
  }
  if (response.status === 204) return null;
  const body = await response.json();
  if (!response.ok) throw new Refusal(body.detail);
  return body;
}

// Refusals come in the page's language where the server knows them in it.
const spoken = { "Accept-Language": language };

export function post(path, body, signal) {
  const headers = { "Content-Type": "application/json", ...spoken };
  return answered(fetch(`/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body), signal }));
}

export function get(path, parameters = {}) {
  const query = new URLSearchParams(parameters);
  return answered(fetch(`/api/v1${path}${query.size ? `?${query}` : ""}`, { headers: spoken }));
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

export const isNarrow = () => matchMedia("(max-width: 55.99rem)").matches;

// On a narrow screen what was asked for may lie below what was touched: bring it into view.
export function reveal(element) {
  if (!isNarrow()) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element.scrollIntoView({ block: "start", behavior: still ? "instant" : "smooth" });
}

export function choose(id, value) {
  if ([...at(id).options].some((option) => option.value === value)) at(id).value = value;
}

// Copy the page's address; where the browser lets no script do it (an address that is not secure), show it in `#link`.
export async function copyLink(status) {
  const field = at("link");
  try {
    await navigator.clipboard.writeText(location.href);
  } catch {
    field.parentElement.hidden = false;
    field.value = location.href;
    field.focus();
    field.select();
    if (!document.execCommand("copy")) {
      status.textContent = say("copy_yourself");
      return;
    }
    field.parentElement.hidden = true;
  }
  status.textContent = say("copied");
}
