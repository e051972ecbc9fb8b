// The board: one field a cell over drawn tiles, and between them the path of a word.

import { say } from "./page.js";
import { face, readTiles } from "./tiles.js";

const SVG = "http://www.w3.org/2000/svg";
const REACH = 0.42;
// How far from the middle of a tile a finger still means it, in tiles: corners stay free, so that diagonals work.

function drawn(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

// A small triangle in the middle of a step, pointing where it goes.
function arrow([x, y], [toX, toY]) {
  const length = Math.hypot(toX - x, toY - y);
  const [dx, dy] = [(toX - x) / length, (toY - y) / length];
  const [midX, midY] = [(x + toX) / 2, (y + toY) / 2];
  const corners = [[0.13, 0], [-0.1, 0.12], [-0.1, -0.12]];
  const points = corners.map(([along, aside]) => `${midX + along * dx - aside * dy},${midY + along * dy + aside * dx}`);
  return drawn("polygon", { points: points.join(" ") });
}

export class Grid {
  // `on.changed()` after every change by a person, `on.misfit(text)` where a pasted text does not fit, `on.joined()`
  // where a u was taken as part of Qu, `on.drag(path)` and `on.dropped(path)` while tiles are dragged over.
  constructor(root, on) {
    this.root = root;
    this.on = on;
    this.rows = 0;
    this.columns = 0;
    this.playing = false;
    this.dragged = [];
    this.afterQ = -1;
    root.addEventListener("pointerdown", (event) => this.pointed(event));
    root.addEventListener("pointermove", (event) => this.moved(event));
    root.addEventListener("pointerup", (event) => this.released(event));
    root.addEventListener("pointercancel", () => this.letGo());
  }

  resize(rows, columns) {
    if (rows === this.rows && columns === this.columns) return;
    const before = this.fields ? this.tiles() : [];
    const oldColumns = this.columns;
    this.rows = rows;
    this.columns = columns;
    this.root.dataset.rows = rows;
    this.root.dataset.columns = columns;
    this.lines = drawn("svg", { viewBox: `0 0 ${columns} ${rows}`, "aria-hidden": "true", class: "path" });
    const back = document.createElement("div");
    const front = document.createElement("div");
    back.className = "tiles";
    front.className = "cells";
    this.backs = [];
    this.fields = [];
    for (let cell = 0; cell < rows * columns; cell++) {
      const tile = document.createElement("div");
      tile.className = "tile";
      back.append(tile);
      this.backs.push(tile);
      const field = this.makeField(cell);
      const row = Math.floor(cell / columns), column = cell % columns;
      if (column < oldColumns) field.value = before[row * oldColumns + column] ?? "";
      front.append(field);
      this.fields.push(field);
    }
    this.root.replaceChildren(back, this.lines, front);
    this.moveStop(0);
  }

  place(cell) {
    return { row: Math.floor(cell / this.columns) + 1, column: cell % this.columns + 1 };
  }

  makeField(cell) {
    const field = document.createElement("input");
    field.type = "text";
    field.className = "cell";
    field.autocomplete = "off";
    field.spellcheck = false;
    field.setAttribute("autocapitalize", "characters");
    field.setAttribute("enterkeyhint", "go");
    field.setAttribute("aria-label", say("cell", this.place(cell)));
    field.addEventListener("focus", () => { this.moveStop(cell); field.select(); });
    field.addEventListener("input", () => this.typed(cell));
    field.addEventListener("keydown", (event) => this.pressed(event, cell));
    field.addEventListener("paste", (event) => this.pasted(event, cell));
    return field;
  }

  // One stop of the Tab key for the whole board; arrow keys move within it.
  moveStop(cell) {
    this.fields.forEach((field, other) => { field.tabIndex = other === cell ? 0 : -1; });
  }

  go(cell) {
    if (cell >= 0 && cell < this.fields.length) this.fields[cell].focus();
  }

  typed(cell) {
    const field = this.fields[cell];
    const text = field.value.trim();
    if (text.length > 2) {
      field.value = "";
      this.fill(text, cell);
      return;
    }
    const letter = [...text].pop() ?? "";
    if (letter.toLowerCase() === "u" && this.afterQ >= 0 && (cell === this.afterQ + 1 || cell === this.afterQ)) {
      field.value = cell === this.afterQ ? "Qu" : this.underQ;
      this.afterQ = -1;
      this.on.joined();
      field.select();
      return;
    }
    field.value = /[\p{L}.]/u.test(letter) ? face(letter) : "";
    this.edited();
    if (!field.value) return;
    this.afterQ = field.value === "Qu" ? cell : -1;
    this.underQ = this.fields[cell + 1]?.value ?? "";
    this.go(cell + 1);
  }

  pressed(event, cell) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.playing) return;
    const column = cell % this.columns;
    const steps = {
      ArrowLeft: column > 0 ? -1 : 0, ArrowRight: column < this.columns - 1 ? 1 : 0,
      ArrowUp: -this.columns, ArrowDown: this.columns,
    };
    if (event.key.length > 1) this.afterQ = -1;
    if (event.key in steps) {
      event.preventDefault();
      this.go(cell + steps[event.key]);
    } else if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      this.go(event.key === "Home" ? 0 : this.fields.length - 1);
    } else if (event.key === "Backspace") {
      event.preventDefault();
      const target = this.fields[cell].value || cell === 0 ? cell : cell - 1;
      this.fields[target].value = "";
      this.go(target);
      this.edited();
    } else if (event.key === " ") {
      event.preventDefault();
      this.fields[cell].value = ".";
      this.edited();
      this.go(cell + 1);
    }
  }

  pasted(event, cell) {
    event.preventDefault();
    if (!this.playing) this.fill(event.clipboardData.getData("text"), cell);
  }

  // A whole board replaces this one; fewer tiles fill on from the cell; what goes beyond the board is not cut off.
  fill(text, cell) {
    const tiles = readTiles(text.slice(0, 600), this.fields.length);
    const whole = tiles.length === this.fields.length;
    const start = whole ? 0 : cell;
    if (start + tiles.length > this.fields.length) {
      this.on.misfit(text);
      return;
    }
    tiles.forEach((tile, place) => { this.fields[start + place].value = tile; });
    this.edited();
    if (!whole) this.on.misfit(text);
    this.go(Math.min(start + tiles.length, this.fields.length - 1));
  }

  edited() {
    this.showPath([]);
    this.on.changed();
  }

  set(tiles) {
    this.fields.forEach((field, cell) => { field.value = tiles[cell] ?? ""; });
    this.showPath([]);
  }

  tiles() {
    return this.fields.map((field) => field.value);
  }

  get full() {
    return this.fields.every((field) => field.value !== "");
  }

  showDead(cells) {
    this.backs.forEach((tile, cell) => {
      const dead = cells.includes(cell);
      tile.classList.toggle("dead", dead);
      this.fields[cell].classList.toggle("dead", dead);
      this.fields[cell].setAttribute("aria-label", say(dead ? "cell_dead" : "cell", this.place(cell)));
    });
  }

  showPath(path) {
    this.backs.forEach((tile, cell) => {
      tile.classList.toggle("on", path.includes(cell));
      tile.classList.toggle("start", path[0] === cell);
    });
    const points = path.map((cell) => [cell % this.columns + 0.5, Math.floor(cell / this.columns) + 0.5]);
    this.lines.replaceChildren();
    if (!points.length) return;
    this.lines.append(
      drawn("polyline", { points: points.map((point) => point.join(",")).join(" ") }),
      drawn("circle", { cx: points[0][0], cy: points[0][1], r: 0.3 }),
      ...points.slice(1).map((point, place) => arrow(points[place], point)),
    );
  }

  // The path in words: each tile with its row and column.
  spoken(path) {
    return path.map((cell) => say("path_cell", { tile: this.fields[cell].value, ...this.place(cell) })).join(", ");
  }

  // While a game goes on the tiles are dragged over, and nothing is typed into them.
  play(playing) {
    this.playing = playing;
    this.root.classList.toggle("playing", playing);
    for (const field of this.fields) field.readOnly = playing;
    this.letGo();
  }

  cellUnder(event) {
    const box = this.lines.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * this.columns, y = (event.clientY - box.top) / box.height * this.rows;
    const column = Math.floor(x), row = Math.floor(y);
    const inside = column >= 0 && column < this.columns && row >= 0 && row < this.rows;
    return inside && Math.hypot(x - column - 0.5, y - row - 0.5) <= REACH ? row * this.columns + column : -1;
  }

  touches(a, b) {
    const here = this.place(a), there = this.place(b);
    return Math.abs(here.row - there.row) <= 1 && Math.abs(here.column - there.column) <= 1;
  }

  pointed(event) {
    if (!this.playing) return;
    event.preventDefault();
    this.root.setPointerCapture(event.pointerId);
    this.dragged = [];
    this.extend(this.cellUnder(event));
  }

  moved(event) {
    if (this.dragged.length) this.extend(this.cellUnder(event));
  }

  // Going back over the tile before takes the last one off.
  extend(cell) {
    if (cell < 0 || this.fields[cell].value === ".") return;
    const last = this.dragged.at(-1);
    if (cell === this.dragged.at(-2)) this.dragged.pop();
    else if (last === undefined || (!this.dragged.includes(cell) && this.touches(last, cell))) this.dragged.push(cell);
    else return;
    this.showPath(this.dragged);
    this.on.drag(this.dragged);
  }

  released() {
    const path = this.dragged;
    this.letGo();
    if (path.length) this.on.dropped(path);
  }

  letGo() {
    this.dragged = [];
    this.showPath([]);
  }

  word(path) {
    return path.map((cell) => this.fields[cell].value).join("").toLowerCase();
  }
}
