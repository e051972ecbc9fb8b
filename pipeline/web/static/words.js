// The list of found words: one stop of the Tab key, arrow keys move along, each word shows its path.

import { number, say } from "./page.js";

function heading(order, word) {
  if (order === "length") return say("letters_heading", { count: number(word.letters) });
  if (order === "points") return word.points === 1 ? say("point_heading") : say("points_heading", { count: number(word.points) });
  return word.word.slice(0, 1).toUpperCase();
}

export class WordList {
  constructor(root, showPath) {
    this.root = root;
    this.showPath = showPath;
    this.pinned = [];
    root.addEventListener("pointerover", (event) => this.point(event.target.closest(".word")));
    root.addEventListener("pointerleave", () => this.showPath(this.pinned));
    root.addEventListener("focusin", (event) => this.pin(event.target.closest(".word")));
    root.addEventListener("keydown", (event) => this.pressed(event));
  }

  show(found, order) {
    this.pinned = [];
    this.buttons = [];
    this.paths = new Map();
    const groups = [];
    let title;
    for (const word of found) {
      const next = heading(order, word);
      if (next !== title) {
        title = next;
        groups.push(this.group(title));
      }
      groups.at(-1).lastChild.append(this.entry(word));
    }
    this.root.replaceChildren(...groups);
    if (this.buttons.length) this.buttons[0].tabIndex = 0;
  }

  group(title) {
    const section = document.createElement("section");
    const head = document.createElement("h3");
    const list = document.createElement("ul");
    head.textContent = title;
    section.append(head, list);
    return section;
  }

  entry(word) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    const points = document.createElement("span");
    button.type = "button";
    button.className = "word";
    button.tabIndex = -1;
    points.className = "points";
    points.textContent = word.points;
    points.setAttribute("aria-label", word.points === 1 ? say("point_heading") : say("points_heading", { count: word.points }));
    button.append(word.word, points);
    this.buttons.push(button);
    this.paths.set(button, word.path);
    item.append(button);
    return item;
  }

  point(button) {
    if (button) this.showPath(this.paths.get(button));
  }

  pin(button) {
    if (!button) return;
    for (const other of this.buttons) other.tabIndex = other === button ? 0 : -1;
    this.pinned = this.paths.get(button);
    this.showPath(this.pinned);
  }

  pressed(event) {
    const here = this.buttons.indexOf(event.target.closest(".word"));
    const to = { ArrowRight: here + 1, ArrowDown: here + 1, ArrowLeft: here - 1, ArrowUp: here - 1, Home: 0, End: this.buttons.length - 1 }[event.key];
    if (here < 0 || to === undefined) return;
    event.preventDefault();
    this.buttons[Math.max(0, Math.min(to, this.buttons.length - 1))].focus();
  }
}
