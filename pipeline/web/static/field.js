// The puzzle as a grid that a keyboard, a mouse or a finger fills in.

import { say } from "./page.js";
import { clue } from "./puzzle.js";

export class Field {
  // `on.digit(cell, digit, note)`, `on.erase(cell)`, `on.key(key)` for letters with a meaning of their own.
  constructor(root, on) {
    this.root = root;
    this.on = on;
    this.here = 0;
    root.addEventListener("keydown", (event) => this.pressed(event));
    root.addEventListener("focusin", (event) => this.select(this.cells.indexOf(event.target.closest(".kk"))));
  }

  show(puzzle) {
    this.puzzle = puzzle;
    this.here = 0;
    const size = puzzle.size;
    this.root.style.setProperty("--size", size);
    this.root.setAttribute("aria-label", say("drawing", { size }));
    this.cells = [];
    const rows = Array.from({ length: size }, (_, row) => {
      const line = document.createElement("div");
      line.setAttribute("role", "row");
      for (let column = 0; column < size; column++) line.append(this.makeCell(row * size + column));
      return line;
    });
    this.root.replaceChildren(...rows);
    this.draw(new Set());
  }

  makeCell(cell) {
    const element = document.createElement("div");
    element.setAttribute("role", "gridcell");
    element.className = `kk ${this.edges(cell)}`;
    element.tabIndex = cell === 0 ? 0 : -1;
    for (const part of ["clue", "digit", "notes"]) {
      const span = document.createElement("span");
      span.className = part;
      element.append(span);
    }
    element.addEventListener("pointerdown", () => element.focus());
    const cage = this.puzzle.cageOf[cell];
    if (cage.cells[0] === cell && !this.puzzle.given(cell)) element.firstChild.textContent = clue(cage);
    this.cells.push(element);
    return element;
  }

  // Sides where another cage begins.
  edges(cell) {
    const { size, cageOf } = this.puzzle;
    const row = Math.floor(cell / size), column = cell % size;
    const sides = [];
    if (row === 0 || cageOf[cell - size] !== cageOf[cell]) sides.push("top");
    if (column === 0 || cageOf[cell - 1] !== cageOf[cell]) sides.push("before");
    if (row === size - 1 || cageOf[cell + size] !== cageOf[cell]) sides.push("bottom");
    if (column === size - 1 || cageOf[cell + 1] !== cageOf[cell]) sides.push("after");
    return sides.join(" ");
  }

  // Draw what is filled in, or a solution instead.
  draw(wrong, solution = null) {
    const { puzzle } = this;
    this.cells.forEach((element, cell) => {
      const digit = solution ? solution[cell] : puzzle.digits[cell];
      const notes = digit === null ? puzzle.notes[cell] : [];
      element.children[1].textContent = digit ?? "";
      element.children[2].textContent = notes.join(" ");
      element.classList.toggle("given", puzzle.given(cell));
      element.classList.toggle("wrong", !solution && wrong.has(cell));
      element.setAttribute("aria-label", this.label(cell, digit, notes, !solution && wrong.has(cell)));
    });
  }

  label(cell, digit, notes, wrong) {
    const { puzzle } = this;
    const cage = puzzle.cageOf[cell];
    const parts = [say("place", this.place(cell))];
    parts.push(puzzle.given(cell) ? say("given") : say("cage", { clue: clue(cage), cells: cage.cells.length }));
    parts.push(digit !== null ? String(digit) : notes.length ? say("notes_said", { digits: notes.join(" ") }) : say("empty_cell"));
    if (wrong) parts.push(say("is_wrong"));
    return parts.join(", ");
  }

  place(cell) {
    return { row: Math.floor(cell / this.puzzle.size) + 1, column: cell % this.puzzle.size + 1 };
  }

  select(cell) {
    if (cell < 0) return;
    this.here = cell;
    const lines = new Set(this.puzzle.beside(cell));
    this.cells.forEach((element, other) => {
      element.tabIndex = other === cell ? 0 : -1;
      element.classList.toggle("here", other === cell);
      element.classList.toggle("line", lines.has(other));
      element.setAttribute("aria-selected", other === cell);
    });
  }

  go(cell) {
    this.cells[cell].focus();
  }

  mark(cell) {
    this.cells.forEach((element, other) => element.classList.toggle("hinted", other === cell));
  }

  pressed(event) {
    const { size } = this.puzzle;
    const column = this.here % size, row = Math.floor(this.here / size);
    const key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y")) {
      event.preventDefault();
      this.on.key(key === "y" || event.shiftKey ? "redo" : "undo");
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = {
      ArrowLeft: column > 0 ? -1 : 0, ArrowRight: column < size - 1 ? 1 : 0,
      ArrowUp: row > 0 ? -size : 0, ArrowDown: row < size - 1 ? size : 0,
      Home: -column, End: size - 1 - column,
    };
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1] ?? (/^\d$/.test(event.key) ? event.key : undefined);
    if (event.key in steps) {
      this.go(this.here + steps[event.key]);
    } else if (digit !== undefined) {
      if (this.puzzle.digitsUsed.includes(Number(digit))) this.on.digit(this.here, Number(digit), event.shiftKey);
    } else if (["Backspace", "Delete", " "].includes(event.key)) {
      this.on.erase(this.here);
    } else if ("nhc".includes(key) && key.length === 1) {
      this.on.key({ n: "notes", h: "hint", c: "check" }[key]);
    } else {
      return;
    }
    event.preventDefault();
  }
}
