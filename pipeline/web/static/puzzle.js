// A KenKen puzzle and what is filled in: digits, notes, undo, faults, and what the browser keeps of it.

const SIGNS = { "+": "+", "-": "−", "*": "×", "/": "÷", "=": "", "?": "" };
const PREFIX = "kenken:";
const KEPT = 30;
// Puzzles whose state the browser keeps.

export function clue(cage) {
  return `${cage.target}${SIGNS[cage.operator]}`;
}

// Whether the digits of a full cage reach its target; a hidden operator may be any of the four.
export function reaches(cage, digits, wide) {
  const largest = Math.max(...digits);
  const rest = [...digits];
  rest.splice(rest.indexOf(largest), 1);
  const sum = rest.reduce((total, digit) => total + digit, 0), product = rest.reduce((total, digit) => total * digit, 1);
  const pair = digits.length === 2 || (wide && digits.length > 2);
  const made = {
    "=": digits.length === 1 && largest === cage.target,
    "+": largest + sum === cage.target,
    "*": largest * product === cage.target,
    "-": pair && largest - sum === cage.target,
    "/": pair && product !== 0 && largest === cage.target * product,
  };
  return cage.operator === "?" ? Object.values(made).some(Boolean) : made[cage.operator];
}

export class Puzzle {
  constructor(answer) {
    this.answer = answer;
    this.size = answer.size;
    this.cells = answer.size ** 2;
    this.cageOf = new Array(this.cells);
    for (const cage of answer.cages) for (const cell of cage.cells) this.cageOf[cell] = cage;
    this.digitsUsed = Array.from({ length: this.size }, (_, number) => answer.lowest + number);
    this.restart();
  }

  given(cell) {
    return this.cageOf[cell].operator === "=";
  }

  restart() {
    this.digits = Array.from({ length: this.cells }, (_, cell) => this.given(cell) ? this.cageOf[cell].target : null);
    this.notes = Array.from({ length: this.cells }, () => []);
    this.seconds = 0;
    this.hints = 0;
    this.past = [];
    this.future = [];
  }

  snapshot() {
    return JSON.stringify([this.digits, this.notes]);
  }

  // Change the state by a function, so that it can be undone.
  change(step) {
    const before = this.snapshot();
    step();
    if (this.snapshot() === before) return;
    this.past.push(before);
    this.future = [];
    this.keep();
  }

  move(from, to) {
    if (!from.length) return;
    to.push(this.snapshot());
    [this.digits, this.notes] = JSON.parse(from.pop());
    this.keep();
  }

  undo() { this.move(this.past, this.future); }
  redo() { this.move(this.future, this.past); }

  place(cell, digit) {
    if (this.given(cell)) return;
    this.change(() => {
      this.digits[cell] = this.digits[cell] === digit ? null : digit;
      this.notes[cell] = [];
      if (this.digits[cell] === null) return;
      for (const other of this.beside(cell)) this.notes[other] = this.notes[other].filter((note) => note !== digit);
    });
  }

  note(cell, digit) {
    if (this.given(cell) || this.digits[cell] !== null) return;
    this.change(() => {
      const notes = this.notes[cell];
      this.notes[cell] = notes.includes(digit) ? notes.filter((note) => note !== digit) : [...notes, digit].sort();
    });
  }

  erase(cell) {
    if (this.given(cell)) return;
    this.change(() => {
      this.digits[cell] = null;
      this.notes[cell] = [];
    });
  }

  // The other cells of its row and column.
  beside(cell) {
    const row = Math.floor(cell / this.size), column = cell % this.size;
    const inLine = (other) => Math.floor(other / this.size) === row || other % this.size === column;
    return this.digits.map((_, other) => other).filter((other) => other !== cell && inLine(other));
  }

  // Cells that break a rule by what can be seen: equal digits in a line, full cages that miss their number.
  faults() {
    const found = new Set();
    this.digits.forEach((digit, cell) => {
      if (digit !== null && this.beside(cell).some((other) => this.digits[other] === digit)) found.add(cell);
    });
    for (const cage of this.answer.cages) {
      const digits = cage.cells.map((cell) => this.digits[cell]);
      if (digits.includes(null) || reaches(cage, digits, this.answer.wide)) continue;
      for (const cell of cage.cells) found.add(cell);
    }
    return found;
  }

  // Cells that differ from the only solution; where there are several, those that break a rule.
  wrong() {
    if (this.answer.status !== "unique") return this.faults();
    const { solution } = this.answer;
    const cells = [...this.digits.keys()];
    return new Set(cells.filter((cell) => this.digits[cell] !== null && this.digits[cell] !== solution[cell]));
  }

  get left() {
    return this.digits.filter((digit) => digit === null).length;
  }

  get solved() {
    return this.left === 0 && this.faults().size === 0;
  }

  get name() {
    return PREFIX + this.answer.map;
  }

  // Storage may be full or forbidden: then a reload forgets, and nothing else is lost.
  keep() {
    try {
      const { digits, notes, hints, seconds } = this;
      localStorage.setItem(this.name, JSON.stringify({ digits, notes, hints, seconds, when: Date.now() }));
      const others = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
      if (others.length <= KEPT) return;
      const age = (name) => JSON.parse(localStorage.getItem(name)).when ?? 0;
      for (const name of others.sort((a, b) => age(b) - age(a)).slice(KEPT)) localStorage.removeItem(name);
    } catch (error) {
      if (!(error instanceof DOMException || error instanceof SyntaxError)) throw error;
    }
  }

  // Take up what the browser kept; true where there was something filled in.
  resume() {
    let kept;
    try {
      kept = JSON.parse(localStorage.getItem(this.name));
    } catch (error) {
      if (!(error instanceof DOMException || error instanceof SyntaxError)) throw error;
    }
    const fits = Array.isArray(kept?.digits) && kept.digits.length === this.cells && Array.isArray(kept.notes) && kept.notes.length === this.cells;
    if (!fits) return false;
    const known = (digit) => this.digitsUsed.includes(digit);
    this.digits = this.digits.map((digit, cell) => digit ?? (known(kept.digits[cell]) ? kept.digits[cell] : null));
    this.notes = kept.notes.map((notes) => Array.isArray(notes) ? notes.filter(known) : []);
    this.hints = Number.isInteger(kept.hints) ? kept.hints : 0;
    this.seconds = Number.isFinite(kept.seconds) ? kept.seconds : 0;
    return this.digits.some((digit, cell) => digit !== null && !this.given(cell)) || this.notes.some((notes) => notes.length);
  }
}
