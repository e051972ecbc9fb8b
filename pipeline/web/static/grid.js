// The board: one field a cell over drawn tiles, and between them the path of a word.

import { say } from "./page.js";
import { face, readTiles } from "./tiles.js";

const SVG = "http://www.w3.org/2000/svg";

function drawn(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

export class Grid {
  // `changed` is called after every change by a person.
  constructor(root, changed) {
    this.root = root;
    this.changed = changed;
    this.rows = 0;
    this.columns = 0;
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

  makeField(cell) {
    const field = document.createElement("input");
    field.type = "text";
    field.className = "cell";
    field.autocomplete = "off";
    field.spellcheck = false;
    field.setAttribute("autocapitalize", "characters");
    field.setAttribute("enterkeyhint", "go");
    const row = Math.floor(cell / this.columns) + 1, column = cell % this.columns + 1;
    field.setAttribute("aria-label", say("cell", { row, column }));
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
      this.fill(text, cell);
      return;
    }
    const letter = [...text].pop() ?? "";
    field.value = /[\p{L}.]/u.test(letter) ? face(letter) : "";
    this.edited();
    if (field.value) this.go(cell + 1);
  }

  pressed(event, cell) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const column = cell % this.columns;
    const steps = {
      ArrowLeft: column > 0 ? -1 : 0, ArrowRight: column < this.columns - 1 ? 1 : 0,
      ArrowUp: -this.columns, ArrowDown: this.columns,
    };
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
    this.fill(event.clipboardData.getData("text"), cell);
  }

  // A whole board replaces this one; fewer tiles fill on from the cell.
  fill(text, cell) {
    const tiles = readTiles(text.slice(0, 600), this.fields.length);
    const start = tiles.length >= this.fields.length ? 0 : cell;
    tiles.slice(0, this.fields.length - start).forEach((tile, place) => { this.fields[start + place].value = tile; });
    this.edited();
    this.go(Math.min(start + tiles.length, this.fields.length - 1));
  }

  edited() {
    this.showPath([]);
    this.changed();
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

  showPath(path) {
    this.backs.forEach((tile, cell) => {
      tile.classList.toggle("on", path.includes(cell));
      tile.classList.toggle("start", path[0] === cell);
    });
    const points = path.map((cell) => [cell % this.columns + 0.5, Math.floor(cell / this.columns) + 0.5]);
    this.lines.replaceChildren();
    if (!points.length) return;
    this.lines.append(drawn("polyline", { points: points.map((point) => point.join(",")).join(" ") }));
    const [x, y] = points.at(-1);
    this.lines.append(drawn("circle", { cx: points[0][0], cy: points[0][1], r: 0.3 }), drawn("circle", { cx: x, cy: y, r: 0.12, class: "end" }));
  }
}
