import { at, attempt, duration, number, post, randomSeed, say, setAddress } from "./page.js";

let answer;

function draw() {
  const solved = at("show").checked && answer.svg_solved !== null;
  const picture = new DOMParser().parseFromString(solved ? answer.svg_solved : answer.svg, "image/svg+xml");
  at("drawing").replaceChildren(document.adoptNode(picture.documentElement));
  const key = solved ? "drawing_solved" : "drawing";
  at("drawing").setAttribute("aria-label", say(key, { size: answer.size, digits: answer.solution.join(" ") }));
}

function show(found, withSolution) {
  answer = found;
  const values = { nodes: number(found.nodes), time: duration(found.milliseconds), grade: found.grade ? say(found.grade) : "" };
  at("said").textContent = say(`status_${found.status}`, values);
  at("show").checked = withSolution && found.svg_solved !== null;
  at("show").disabled = found.svg_solved === null;
  at("keen").value = found.keen ?? "";
  at("map").value = found.map;
  at("answer").hidden = false;
  draw();
}

async function ask(path, request, withSolution) {
  at("said").textContent = say("working");
  const found = await attempt(() => post(path, request));
  if (found) {
    show(found, withSolution);
  } else {
    at("said").textContent = "";
    at("answer").hidden = true;
  }
}

async function generate(seed) {
  const request = { size: Number(at("size").value), seed };
  if (at("grade").value) request.grade = at("grade").value;
  setAddress({ size: at("size").value, grade: at("grade").value, seed: String(seed) });
  at("seed").placeholder = seed;
  await ask("/kenken/generate", request, false);
}

function start() {
  const query = new URLSearchParams(location.search);
  for (const name of ["size", "grade"]) {
    const value = query.get(name);
    if ([...at(name).options].some((option) => option.value === value)) at(name).value = value;
  }
  if (/^\d{1,15}$/.test(query.get("seed") ?? "")) generate(Number(query.get("seed")));
}

at("generate-form").addEventListener("submit", (event) => {
  event.preventDefault();
  generate(Number(at("seed").value.trim() || randomSeed()));
});
at("solve-form").addEventListener("submit", (event) => {
  event.preventDefault();
  setAddress({});
  ask("/kenken/solve", { puzzle: at("puzzle").value }, true);
});
at("show").addEventListener("change", draw);
start();
