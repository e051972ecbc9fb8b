import { Refusal, at, attempt, duration, get, number, post, randomSeed, say, setAddress, showProblem } from "./page.js";
import { Grid } from "./grid.js";
import { readTiles, writeTiles } from "./tiles.js";
import { WordList } from "./words.js";

const SHAKERS = [[16, "new"], [25, "big_2012"], [36, "super_big_2012"]];
const grid = new Grid(at("grid"), edited);
const list = new WordList(at("found"), (path) => grid.showPath(path));
let running = new AbortController();
let timer = 0;
let seed = "";

const order = () => document.querySelector("[name=order]:checked").value;

function size() {
  const chosen = at("dice").selectedOptions[0].dataset;
  return chosen.rows ? [Number(chosen.rows), Number(chosen.columns)] : [Number(at("rows").value), Number(at("columns").value)];
}

function takeSize() {
  const [rows, columns] = size();
  at("rows").value = rows;
  at("columns").value = columns;
  at("rows").disabled = at("columns").disabled = at("dice").value !== "";
  grid.resize(rows, columns);
}

function boardFields() {
  const board = grid.tiles().join(" ");
  return at("dice").value ? { board, dice: at("dice").value } : { board, rows: grid.rows, columns: grid.columns };
}

function remember() {
  const free = at("dice").value === "";
  const standard = grid.rows === 4 && grid.columns === 4;
  setAddress({
    board: grid.full ? writeTiles(grid.tiles()) : "",
    size: free && !standard ? `${grid.rows}x${grid.columns}` : "",
    dice: at("dice").value,
    words: at("words").value,
    min: at("min").value,
    order: order() === "alphabet" ? "" : order(),
    seed,
  });
}

function edited() {
  at("text").value = grid.tiles().every((tile) => tile) ? writeTiles(grid.tiles()) : grid.tiles().join(" ").trim();
  seed = "";
  at("check-answer").textContent = "";
  changed();
}

// Solve a little after the last change, once every cell is filled.
function changed() {
  clearTimeout(timer);
  running.abort();
  remember();
  if (grid.full) timer = setTimeout(solve, 120);
  else clearResults();
}

function clearResults() {
  at("results").hidden = true;
  at("said").textContent = say("start_hint");
  showProblem("");
}

async function solve() {
  clearTimeout(timer);
  running.abort();
  running = new AbortController();
  if (!grid.full) {
    showProblem(say("fill_first"));
    return;
  }
  const request = { ...boardFields(), words: at("words").value, order: order(), paths: true };
  if (at("min").value) request.min_length = Number(at("min").value);
  const slow = setTimeout(() => { at("said").textContent = say("working"); }, 250);
  const answer = await attempt(() => post("/solve", request, running.signal));
  clearTimeout(slow);
  if (answer) show(answer);
  else if (!at("problem").hidden) at("results").hidden = true;
}

function show(answer) {
  at("said").textContent = answer.count
    ? say("said", { count: number(answer.count), score: number(answer.score) })
    : say("none");
  at("figure-count").textContent = number(answer.count);
  at("figure-score").textContent = number(answer.score);
  at("figure-longest").textContent = answer.longest ?? "–";
  at("figure-time").textContent = duration(answer.milliseconds);
  at("figure-nodes").textContent = number(answer.nodes);
  at("figure-dead").textContent = number(answer.dead_tiles);
  list.show(answer.found, order());
  at("results").hidden = false;
}

async function shake() {
  takeSize();
  const cells = grid.rows * grid.columns;
  const dice = at("dice").value || SHAKERS.find(([most]) => cells <= most)[1];
  const wanted = at("seed").value.trim() || String(randomSeed());
  const parameters = { dice, seed: wanted, ...(at("dice").value ? {} : { rows: grid.rows, columns: grid.columns }) };
  const answer = await attempt(() => get("/shake", parameters));
  if (!answer) return;
  const tiles = answer.boards[0].tiles.map((tile) => tile || ".");
  grid.set(tiles);
  at("text").value = writeTiles(tiles);
  seed = wanted;
  at("seed").placeholder = wanted;
  at("check-answer").textContent = "";
  remember();
  await solve();
}

function readText() {
  const cells = grid.rows * grid.columns;
  const tiles = readTiles(at("text").value, cells);
  if (tiles.length !== cells) {
    const values = { rows: grid.rows, columns: grid.columns, tiles: number(tiles.length), cells };
    at("results").hidden = true;
    showProblem(at("text").value ? say("bad_board", values) : "");
    return;
  }
  grid.set(tiles);
  seed = "";
  showProblem("");
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
    const answer = await post("/trace", { ...boardFields(), word, words: at("words").value });
    grid.showPath(answer.path);
    const ways = number(answer.ways ?? answer.ways_at_least - 1);
    let key = "check_no";
    if (answer.found) key = answer.ways === null ? "check_yes_many" : answer.ways === 1 ? "check_yes_one" : "check_yes";
    answerTo.textContent = `${say(key, { word: word.toUpperCase(), ways })} ${say(answer.in_list ? "in_list" : "not_in_list")}`;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    answerTo.textContent = error.message;
  }
}

function choose(id, value) {
  if ([...at(id).options].some((option) => option.value === value)) at(id).value = value;
}

function start() {
  if (matchMedia("(max-width: 55.99rem)").matches) at("settings").open = false;
  const query = new URLSearchParams(location.search);
  const [rows, columns] = (query.get("size") ?? "").split("x");
  choose("rows", rows);
  choose("columns", columns);
  for (const name of ["dice", "words", "min"]) choose(name, query.get(name) ?? at(name).value);
  for (const radio of document.querySelectorAll("[name=order]")) radio.checked = radio.value === (query.get("order") ?? "alphabet");
  if (!document.querySelector("[name=order]:checked")) document.querySelector("[name=order]").checked = true;
  takeSize();
  seed = /^\d{1,15}$/.test(query.get("seed") ?? "") ? query.get("seed") : "";
  const board = (query.get("board") ?? "").slice(0, 300);
  if (board) {
    const keep = seed;
    at("text").value = board;
    readText();
    seed = keep;
    remember();
  }
}

at("board-form").addEventListener("submit", (event) => { event.preventDefault(); solve(); });
at("check-form").addEventListener("submit", (event) => { event.preventDefault(); check(); });
at("shake").addEventListener("click", shake);
at("clear").addEventListener("click", () => { grid.set([]); edited(); grid.go(0); });
at("copy").addEventListener("click", async () => {
  await navigator.clipboard.writeText(location.href);
  at("said").textContent = say("copied");
});
at("text").addEventListener("input", readText);
for (const id of ["dice", "rows", "columns"]) at(id).addEventListener("change", () => { takeSize(); edited(); });
for (const id of ["words", "min"]) at(id).addEventListener("change", changed);
for (const radio of document.querySelectorAll("[name=order]")) radio.addEventListener("change", () => { remember(); solve(); });
start();
