// Runs as they go on: each row, or the one run of the page, follows the server's events.

import { at, attempt, language, post, say, showProblem } from "./page.js";

const rows = new Map([...document.querySelectorAll("[data-run]")].map((row) => [row.dataset.run, row]));
const UNITS = ["B", "kB", "MB", "GB", "TB"];
let awaited = "";

function size(bytes) {
  let shown = bytes, unit = 0;
  while (shown >= 999.5 && unit < UNITS.length - 1) {
    shown /= 1000;
    unit += 1;
  }
  const digits = unit && shown < 99.5 ? 1 : 0;
  const format = new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${format.format(shown)} ${UNITS[unit]}`;
}

function span(seconds) {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return `${parts[0] ? `${parts[0]}:` : ""}${parts.slice(1).map((part) => String(part).padStart(2, "0")).join(":")}`;
}

function set(row, name, text) {
  const place = row.querySelector(`[data-${name}]`);
  if (place && place.textContent !== text) place.textContent = text;
}

function draw(row, run) {
  const state = row.querySelector("[data-state]");
  const before = state.classList[1];
  state.className = `state ${run.state}`;
  state.textContent = say(run.state);
  if (run.planned) set(row, "stored", say("stored_of", { stored: run.stored, planned: run.planned }));
  const bar = row.querySelector("[data-progress]");
  if (bar && run.planned) {
    bar.max = run.planned;
    bar.value = run.stored;
    bar.hidden = run.state === "done" && !("alone" in row.dataset);
  }
  set(row, "size", size(run.bytes));
  const speed = [];
  if (run.rate) speed.push(say("rate_said", { rate: Math.round(run.rate) }));
  if (run.seconds_left) speed.push(say("left_said", { time: span(run.seconds_left) }));
  set(row, "speed", speed.join(", "));
  if (run.failure) showProblem(say("has_failed", { name: run.name, problem: run.failure }));
  if (at("stop") && "alone" in row.dataset) at("stop").hidden = !run.own;
  // What a report brings is drawn by the server.
  if (before !== run.state && ["done", "stopped"].includes(run.state) && "alone" in row.dataset) later();
  if (run.report && row.dataset.reported === "no" && "alone" in row.dataset) later();
  row.dataset.reported = run.report ? "yes" : "no";
}

let reloading = 0;
function later() {
  clearTimeout(reloading);
  reloading = setTimeout(() => location.reload(), 500);
}

function told(run) {
  if (run.name === awaited && run.state === "failed") {
    at("said").textContent = "";
    showProblem(say("has_failed", { name: run.name, problem: run.failure }));
    awaited = "";
  } else if (run.name === awaited && run.state !== "starting") {
    location.assign(`/runs/${encodeURIComponent(run.name)}`);
  } else if (rows.has(run.name)) {
    draw(rows.get(run.name), run);
  }
}

function watch() {
  const query = new URLSearchParams([...rows.keys()].map((name) => ["run", name]));
  const source = new EventSource(`/api/v1/events?${query}`);
  source.addEventListener("run", (event) => told(JSON.parse(event.data)));
  source.addEventListener("gone", (event) => {
    const row = rows.get(JSON.parse(event.data).name);
    if (!row) return;
    row.querySelector("[data-state]").className = "state broken";
    set(row, "state", say("gone"));
  });
  addEventListener("pagehide", () => source.close(), { once: true });
}

// A page that comes back from the browser's memory goes on watching.
addEventListener("pageshow", (event) => { if (event.persisted) watch(); });

async function start() {
  const request = {
    boards: Number(at("run-boards").value),
    dice: [at("run-dice").value, at("run-other").value].filter((dice, place, all) => dice && all.indexOf(dice) === place),
    words: at("run-words").value,
    seed: Number(at("run-seed").value),
    workers: Number(at("run-cores").value),
    keep: at("run-keep").value,
  };
  const started = await attempt(() => post("/runs", request));
  if (!started) return;
  awaited = started.name;
  at("said").textContent = say("is_starting", { name: awaited });
}

at("start-form")?.addEventListener("submit", (event) => { event.preventDefault(); start(); });
at("stop")?.addEventListener("click", async () => {
  const [name] = rows.keys();
  if (await attempt(() => post(`/runs/${encodeURIComponent(name)}/stop`, {})) === undefined) return;
  at("said").textContent = say("is_stopping", { name });
});
watch();
