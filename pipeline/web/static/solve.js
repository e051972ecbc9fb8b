import { Refusal, at, attempt, choose, copyLink, duration, get, isNarrow, languageName, number, post, randomSeed, reveal, say, setAddress, showProblem } from "./page.js";
import { Game } from "./game.js";
import { Grid } from "./grid.js";
import { PathBar } from "./paths.js";
import { fitting, readTiles, writeTiles } from "./tiles.js";
import { WordList, matcher } from "./words.js";

const SHAKERS = [[16, "new"], [25, "big_2012"], [36, "super_big_2012"]];
const KEPT = 50;
// Boards that undo goes back to.
const grid = new Grid(at("grid"), {
  changed: edited,
  misfit: (text) => offer(text),
  joined: () => { at("said").textContent = say("qu_is_one"); },
  drag: (path) => { at("guess").value = grid.word(path); },
  dropped: (path) => { at("guess").value = ""; game.dragged(path); },
});
const bar = new PathBar(grid, boardFields);
const list = new WordList(at("found"), { point: (word) => bar.point(word), pin: (word) => bar.pin(word) });
const game = new Game(grid, boardFields, over);
const before = [];
let running = new AbortController();
let timer = 0;
let seed = "";
let answer = null;
let got = null;

const order = () => document.querySelector("[name=order]:checked").value;
const free = () => at("dice").value === "";
const shaker = () => at("dice").value || SHAKERS.find(([most]) => grid.rows * grid.columns <= most)[1];
const chosenList = () => {
  const option = at("words").selectedOptions[0];
  return { name: option.dataset.name, language: option.dataset.language };
};

function size() {
  const chosen = at("dice").selectedOptions[0].dataset;
  return chosen.rows ? [Number(chosen.rows), Number(chosen.columns)] : [Number(at("rows").value), Number(at("columns").value)];
}

function takeSize() {
  const [rows, columns] = size();
  at("rows").value = rows;
  at("columns").value = columns;
  at("rows").disabled = at("columns").disabled = !free();
  grid.resize(rows, columns);
}

function boardFields() {
  const board = grid.tiles().join(" ");
  return free() ? { board, rows: grid.rows, columns: grid.columns } : { board, dice: at("dice").value };
}

function remember() {
  const standard = grid.rows === 4 && grid.columns === 4;
  setAddress({
    board: grid.full ? writeTiles(grid.tiles()) : "",
    size: free() && !standard ? `${grid.rows}x${grid.columns}` : "",
    dice: at("dice").value,
    words: at("words").value,
    min: at("min").value,
    order: order() === "alphabet" ? "" : order(),
    seed,
    hide: at("hide").checked ? "1" : "",
  });
}

// Keep the board for undo before something replaces all of it.
function keep() {
  const tiles = grid.tiles();
  if (!tiles.some(Boolean)) return;
  before.push({ tiles, rows: grid.rows, columns: grid.columns, dice: at("dice").value, seed });
  before.splice(0, before.length - KEPT);
  at("undo").disabled = false;
}

function undo() {
  const last = before.pop();
  at("undo").disabled = before.length === 0;
  if (!last) return;
  take(last.tiles, last.rows, last.columns, last.dice);
  seed = last.seed;
  changed();
  at("said").textContent = say("undone");
}

function take(tiles, rows, columns, dice) {
  choose("dice", dice);
  at("rows").value = rows;
  at("columns").value = columns;
  takeSize();
  grid.set(tiles);
  at("text").value = grid.full ? writeTiles(grid.tiles()) : grid.tiles().join(" ").trim();
  seed = "";
  forget();
}

// What was said about the board before does not hold for this one.
function forget() {
  at("check-answer").textContent = "";
  at("offers").hidden = true;
  showProblem("");
}

function edited() {
  at("text").value = grid.full ? writeTiles(grid.tiles()) : grid.tiles().join(" ").trim();
  seed = "";
  forget();
  changed();
}

// Solve a little after the last change, once every cell is filled.
function changed() {
  clearTimeout(timer);
  running.abort();
  answer = got = null;
  bar.clear();
  grid.showDead([]);
  remember();
  if (grid.full) timer = setTimeout(() => solve(true), 120);
  else clearResults();
}

function clearResults() {
  at("results").hidden = true;
  at("said").textContent = say("start_hint");
}

// Offer the sizes that a text fits.
function offer(text) {
  const cells = grid.rows * grid.columns;
  const sizes = fitting(text).filter(([rows, columns]) => rows !== grid.rows || columns !== grid.columns);
  const tiles = readTiles(text, cells).length;
  const values = { rows: grid.rows, columns: grid.columns, tiles, cells };
  showProblem(say("bad_board", values) + (sizes.length ? "" : ` ${say("no_size")}`));
  at("offers").replaceChildren(...sizes.map(([rows, columns, fit]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = say("use_size", { rows, columns });
    button.addEventListener("click", () => {
      keep();
      take(fit, rows, columns, "");
      changed();
    });
    return button;
  }));
  at("offers").hidden = sizes.length === 0;
}

// The board's solution, or undefined where the server refuses or something newer was asked.
async function ask() {
  clearTimeout(timer);
  running.abort();
  running = new AbortController();
  const request = { ...boardFields(), words: at("words").value, order: order(), paths: true };
  if (at("min").value) request.min_length = Number(at("min").value);
  const slow = setTimeout(() => { at("said").textContent = say("working"); }, 250);
  const found = await attempt(() => post("/solve", request, running.signal));
  clearTimeout(slow);
  return found;
}

// `asked`: a person waits for the words, so bring them into view.
async function solve(asked) {
  if (!grid.full) {
    showProblem(say("fill_first"));
    return;
  }
  const found = await ask();
  if (found) {
    answer = found;
    show();
    if (asked && isNarrow()) {
      if (grid.root.contains(document.activeElement)) document.activeElement.blur();
      reveal(at("results-title"));
    }
  } else if (!at("problem").hidden) {
    at("said").textContent = "";
    at("results").hidden = true;
  }
}

function show() {
  at("said").textContent = answer.count ? say("said", { count: answer.count, score: answer.score }) : say("none");
  at("figure-count").textContent = number(answer.count);
  at("figure-score").textContent = number(answer.score);
  at("figure-longest").textContent = answer.longest ?? "–";
  at("figure-longest").lang = at("found").lang = at("path-word").lang = chosenList().language;
  at("figure-time").textContent = duration(answer.milliseconds);
  at("figure-nodes").textContent = number(answer.nodes);
  at("figure-dead").textContent = number(answer.dead_tiles);
  const { name, language } = chosenList();
  at("from-list").textContent = say("from_list", { list: name, language: languageName(language) });
  showMismatch(language);
  at("results").hidden = false;
  showWords();
}

// Dice of another language than the list's make boards that it has few words for.
function showMismatch(language) {
  const used = free() ? (seed ? SHAKERS.find(([most]) => grid.rows * grid.columns <= most)[1] : "") : at("dice").value;
  const dice = [...at("dice").options].find((option) => used && option.value === used);
  const differs = dice !== undefined && dice.dataset.language !== language;
  at("mismatch").hidden = !differs;
  if (!differs) return;
  const values = { dice: dice.dataset.name, made: languageName(dice.dataset.language), language: languageName(language) };
  at("mismatch").textContent = say("mismatch", values);
}

// The list, filtered, or nothing of it while the words are hidden.
function showWords() {
  if (!answer) return;
  const hidden = at("hide").checked;
  for (const part of document.querySelectorAll("[data-spoils]")) part.hidden = hidden;
  bar.clear();
  grid.showDead(hidden ? [] : answer.dead);
  if (hidden) {
    list.show([], order());
    at("said").textContent = say("hidden_words");
    return;
  }
  const fits = matcher(at("filter").value);
  const missed = got !== null && at("missed").checked;
  const shown = answer.found.filter((word) => fits(word.word) && !(missed && got.has(word.word)));
  list.show(shown, order(), got ?? undefined);
  at("missed").parentElement.hidden = got === null;
  at("filter-said").textContent = shown.length < answer.count ? say("filtered", { shown: shown.length, count: answer.count }) : "";
}

// Shake the chosen dice; true where that went well.
async function shake() {
  takeSize();
  const wanted = at("seed").value.trim() || String(randomSeed());
  const parameters = { dice: shaker(), seed: wanted, ...(free() ? { rows: grid.rows, columns: grid.columns } : {}) };
  const shaken = await attempt(() => get("/shake", parameters));
  if (!shaken) return false;
  keep();
  answer = got = null;
  bar.clear();
  grid.showDead([]);
  take(shaken.boards[0].tiles.map((tile) => tile || "."), grid.rows, grid.columns, at("dice").value);
  seed = wanted;
  at("seed").placeholder = wanted;
  remember();
  return true;
}

function readText() {
  const text = at("text").value;
  const cells = grid.rows * grid.columns;
  const tiles = readTiles(text, cells);
  forget();
  if (tiles.length !== cells) {
    at("results").hidden = true;
    if (text) offer(text);
    return;
  }
  grid.set(tiles);
  seed = "";
  changed();
}

async function check() {
  const answerTo = at("check-answer");
  if (!grid.full) {
    answerTo.textContent = say("fill_first");
    return;
  }
  const word = at("check-word").value.trim();
  try {
    const traced = await post("/trace", { ...boardFields(), word, words: at("words").value });
    bar.clear();
    grid.showPath(traced.path);
    const ways = traced.ways ?? traced.ways_at_least - 1;
    const key = !traced.found ? "check_no" : traced.ways === null ? "check_yes_many" : "check_yes";
    answerTo.textContent = `${say(key, { word: word.toUpperCase(), ways })} ${say(traced.in_list ? "in_list" : "not_in_list")}`;
    if (traced.found) reveal(at("grid"));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    answerTo.textContent = error.message;
  }
}

function openGame() {
  at("results").hidden = true;
  at("said").textContent = "";
  at("game").hidden = false;
  at("game-setup").hidden = false;
  at("game-on").hidden = true;
  at("play-which").value = grid.full && at("hide").checked ? "this" : "new";
  at("play-which").querySelector("[value=this]").disabled = !grid.full;
  reveal(at("game"));
  at("play-start").focus({ preventScroll: true });
}

async function startGame() {
  if (at("play-which").value === "new" && !(await shake())) return;
  const found = await ask();
  if (!found) return;
  answer = found;
  got = null;
  at("results").hidden = true;
  at("said").textContent = "";
  at("game-setup").hidden = true;
  at("game-on").hidden = false;
  document.body.classList.add("in-game");
  game.start(found, chosenList(), 60 * Number(at("minutes").value));
  reveal(at("game"));
}

function over(found) {
  got = found;
  document.body.classList.remove("in-game");
  at("game").hidden = true;
  at("hide").checked = false;
  at("missed").checked = true;
  remember();
  show();
  const values = { mine: found.size, count: answer.count, score: game.score, all: answer.score };
  at("said").textContent = say("over", values);
  at("results-title").focus({ preventScroll: true });
  reveal(at("results-title"));
}

function start() {
  if (isNarrow()) at("settings").open = false;
  const query = new URLSearchParams(location.search);
  const [rows, columns] = (query.get("size") ?? "").split("x");
  choose("rows", rows);
  choose("columns", columns);
  for (const name of ["dice", "words", "min"]) choose(name, query.get(name) ?? at(name).value);
  for (const radio of document.querySelectorAll("[name=order]")) radio.checked = radio.value === (query.get("order") ?? "alphabet");
  if (!document.querySelector("[name=order]:checked")) document.querySelector("[name=order]").checked = true;
  at("hide").checked = query.get("hide") === "1";
  takeSize();
  const shared = /^\d{1,15}$/.test(query.get("seed") ?? "") ? query.get("seed") : "";
  const text = (query.get("board") ?? "").slice(0, 300);
  if (!text) return;
  const cells = grid.rows * grid.columns;
  const tiles = readTiles(text, cells);
  at("text").value = text;
  if (tiles.length !== cells) {
    offer(text);
    return;
  }
  grid.set(tiles);
  seed = shared;
  remember();
  solve(false);
}

at("board-form").addEventListener("submit", (event) => { event.preventDefault(); if (!game.on) solve(true); });
at("check-form").addEventListener("submit", (event) => { event.preventDefault(); check(); });
at("shake").addEventListener("click", async () => { if (await shake()) await solve(true); });
at("undo").addEventListener("click", undo);
at("clear").addEventListener("click", () => { keep(); grid.set([]); edited(); grid.go(0); });
at("copy").addEventListener("click", () => copyLink(at("said")));
at("text").addEventListener("focus", keep);
at("text").addEventListener("input", readText);
at("filter").addEventListener("input", showWords);
at("missed").addEventListener("change", showWords);
at("hide").addEventListener("change", () => { remember(); if (answer) show(); });
at("play").addEventListener("click", openGame);
at("play-close").addEventListener("click", () => {
  at("game").hidden = true;
  if (answer) show();
  at("play").focus();
});
at("game-setup").addEventListener("submit", (event) => { event.preventDefault(); startGame(); });
for (const id of ["dice", "rows", "columns"]) at(id).addEventListener("change", () => { takeSize(); edited(); });
for (const id of ["words", "min"]) at(id).addEventListener("change", changed);
for (const radio of document.querySelectorAll("[name=order]")) radio.addEventListener("change", async () => {
  remember();
  const kept = got;
  const found = await ask();
  if (!found) return;
  answer = found;
  got = kept;
  show();
});
start();
