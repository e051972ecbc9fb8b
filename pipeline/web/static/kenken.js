import { at, attempt, choose, clock, copyLink, duration, post, randomSeed, reveal, say, setAddress, showProblem } from "./page.js";
import { Field } from "./field.js";
import { Puzzle } from "./puzzle.js";

const field = new Field(at("field"), {
  digit: (cell, digit, note) => enter(cell, digit, note !== notesOn()),
  erase: (cell) => act(() => puzzle.erase(cell)),
  key: (name) => at(name).click(),
});
const EVERY = 5;
// Seconds after which the time is kept.
let puzzle = null;
let marked = new Set();
let hinted = null;

const notesOn = () => at("notes").getAttribute("aria-pressed") === "true";
const operators = () => [...document.querySelectorAll("[name=operator]:checked")].map((box) => box.value);

function draw() {
  const shown = at("show").checked ? puzzle.answer.solution : null;
  field.draw(new Set([...puzzle.faults(), ...marked]), shown);
  at("undo").disabled = !puzzle.past.length;
  at("redo").disabled = !puzzle.future.length;
  drawPrint();
}

// The drawing is what a printer gets.
function drawPrint() {
  const solved = at("show").checked;
  const picture = new DOMParser().parseFromString(solved ? puzzle.answer.svg_solved : puzzle.answer.svg, "image/svg+xml");
  at("drawing").replaceChildren(document.adoptNode(picture.documentElement));
  const key = solved ? "drawing_solved" : "drawing";
  at("drawing").setAttribute("aria-label", say(key, { size: puzzle.size, digits: puzzle.answer.solution.join(" ") }));
}

function tell(text) {
  at("told").textContent = text;
  at("fill-in").hidden = true;
  field.mark(-1);
  hinted = null;
}

// Do something to the puzzle, then see whether it is solved.
function act(step) {
  if (!puzzle || at("show").checked) return;
  step();
  marked = new Set();
  tell("");
  draw();
  if (!puzzle.solved) return;
  puzzle.keep();
  tell(say(puzzle.hints ? "solved_hints" : "solved_in", { time: clock(puzzle.seconds), hints: puzzle.hints }));
}

function enter(cell, digit, note) {
  act(() => note ? puzzle.note(cell, digit) : puzzle.place(cell, digit));
}

function check() {
  tell("");
  marked = puzzle.wrong();
  draw();
  if (puzzle.solved) tell(say("hint_solved"));
  else tell(marked.size ? say("some_wrong", { wrong: marked.size }) : say("all_right", { left: puzzle.left }));
}

async function hint() {
  const asked = puzzle;
  const found = await attempt(() => post("/kenken/hint", { puzzle: puzzle.answer.map, digits: puzzle.digits }));
  if (!found || puzzle !== asked) return;
  const values = found.cell === null ? {} : { ...field.place(found.cell), digit: found.digit };
  tell(say(`hint_${found.kind}`, values));
  if (found.kind !== "solved") puzzle.hints += 1;
  puzzle.keep();
  if (found.cell === null) return;
  hinted = found;
  field.mark(found.cell);
  at("fill-in").hidden = found.kind === "wrong";
}

function fillIn() {
  const { cell, digit } = hinted;
  enter(cell, digit, false);
  field.go(cell);
}

function tick() {
  if (!puzzle || document.hidden || at("show").checked || puzzle.solved) return;
  puzzle.seconds += 1;
  at("time").textContent = clock(puzzle.seconds);
  if (puzzle.seconds % EVERY === 0) puzzle.keep();
}

function pad() {
  at("pad").replaceChildren(...puzzle.digitsUsed.map((digit) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = digit;
    button.addEventListener("click", () => enter(field.here, digit, notesOn()));
    return button;
  }));
}

function show(found, withSolution) {
  puzzle = new Puzzle(found);
  const resumed = puzzle.resume();
  marked = new Set();
  const values = { nodes: found.nodes, time: duration(found.milliseconds), grade: found.grade ? say(found.grade) : "" };
  at("said").textContent = say(`status_${found.status}`, values);
  at("show").checked = withSolution && found.svg_solved !== null;
  at("show").disabled = found.svg_solved === null;
  at("keen").value = found.keen ?? "";
  at("keen").parentElement.hidden = found.keen === null;
  at("map").value = found.map;
  at("time").textContent = clock(puzzle.seconds);
  at("answer").hidden = false;
  document.body.classList.add("has-puzzle");
  field.show(puzzle);
  field.select(0);
  pad();
  draw();
  tell(resumed ? say("continued") : "");
}

async function ask(path, request, withSolution) {
  at("said").textContent = say("working");
  const found = await attempt(() => post(path, request));
  if (!found) {
    at("said").textContent = "";
    at("answer").hidden = true;
    return false;
  }
  show(found, withSolution);
  return true;
}

async function generate(seed) {
  const signs = operators();
  if (!signs.length) {
    showProblem(say("choose_operators"));
    return;
  }
  const request = { size: Number(at("size").value), seed, hidden: at("hide-operators").checked };
  if (at("grade").value) request.grade = at("grade").value;
  if (signs.length < 4) request.operators = signs;
  setAddress({
    size: at("size").value, grade: at("grade").value, seed: String(seed),
    ops: signs.length < 4 ? signs.join("") : "", hidden: request.hidden ? "1" : "",
  });
  at("seed").placeholder = seed;
  if (await ask("/kenken/generate", request, false)) reveal(at("answer"));
}

async function bring(text, withSolution) {
  if (!(await ask("/kenken/solve", { puzzle: text }, withSolution))) return;
  const { keen, map } = puzzle.answer;
  setAddress({ puzzle: keen ?? map });
  reveal(at("answer"));
}

function start() {
  const query = new URLSearchParams(location.search);
  for (const name of ["size", "grade"]) choose(name, query.get(name));
  const signs = [..."+-*/"].filter((sign) => (query.get("ops") ?? "").includes(sign));
  if (signs.length) for (const box of document.querySelectorAll("[name=operator]")) box.checked = signs.includes(box.value);
  at("hide-operators").checked = query.get("hidden") === "1";
  if (query.get("puzzle")) {
    at("puzzle").value = query.get("puzzle");
    bring(query.get("puzzle").slice(0, 8000), false);
  } else if (/^\d{1,15}$/.test(query.get("seed") ?? "")) {
    generate(Number(query.get("seed")));
  }
}

at("generate-form").addEventListener("submit", (event) => {
  event.preventDefault();
  generate(Number(at("seed").value.trim() || randomSeed()));
});
at("solve-form").addEventListener("submit", (event) => {
  event.preventDefault();
  bring(at("puzzle").value, event.submitter?.value === "solve");
});
at("example").addEventListener("click", () => { at("puzzle").value = at("example-text").textContent; });
at("show").addEventListener("change", () => { tell(""); draw(); });
at("notes").addEventListener("click", () => at("notes").setAttribute("aria-pressed", String(!notesOn())));
at("erase").addEventListener("click", () => act(() => puzzle.erase(field.here)));
at("undo").addEventListener("click", () => act(() => puzzle.undo()));
at("redo").addEventListener("click", () => act(() => puzzle.redo()));
at("check").addEventListener("click", check);
at("hint").addEventListener("click", hint);
at("fill-in").addEventListener("click", fillIn);
at("restart").addEventListener("click", () => act(() => { puzzle.restart(); puzzle.keep(); }));
at("print").addEventListener("click", () => print());
at("copy").addEventListener("click", () => copyLink(at("told")));
addEventListener("pagehide", () => puzzle?.keep());
setInterval(tick, 1000);
start();
