// The list of found words: one stop of the Tab key, arrow keys move along, each word shows its path.

import { number, say } from "./page.js";

function heading(order, word) {
  if (order === "length") return say("letters_heading", { count: word.letters });
  if (order === "points") return say("points_heading", { count: word.points });
  return word.word.slice(0, 1).toUpperCase();
}

// Letters without case and accents, so that what is typed finds what is listed.
export function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

// What a filter lets through: letters in a row, or with ? and * a pattern for the whole word.
export function matcher(filter) {
  const wanted = plain(filter.trim());
  if (!/[?*]/.test(wanted)) return (word) => plain(word).includes(wanted);
  const pattern = wanted.replace(/[^?*]/gu, (letter) => letter.replace(/[.+^${}()|[\]\\]/g, "\\$&"));
  const whole = new RegExp(`^${pattern.replaceAll("?", ".").replaceAll("*", ".*")}$`, "u");
  return (word) => whole.test(plain(word));
}

export class WordList {
  // `on.point(word)` shows a word's path for a moment, `on.pin(word)` until another is chosen; null shows none.
  constructor(root, on) {
    this.root = root;
    this.on = on;
    this.buttons = [];
    root.addEventListener("pointerover", (event) => this.point(event.target.closest(".word")));
    root.addEventListener("pointerleave", () => this.on.point(null));
    root.addEventListener("focusin", (event) => this.pin(event.target.closest(".word")));
    root.addEventListener("click", (event) => this.pin(event.target.closest(".word")));
    root.addEventListener("keydown", (event) => this.pressed(event));
  }

  // Show the words in their order, grouped; those in `got` are marked as found in the game.
  show(found, order, got = new Set()) {
    this.buttons = [];
    this.words = new Map();
    const groups = [];
    let title;
    for (const word of found) {
      const next = heading(order, word);
      if (next !== title) {
        title = next;
        groups.push(this.group(title));
      }
      groups.at(-1).lastChild.append(this.entry(word, got.has(word.word)));
    }
    this.root.replaceChildren(...groups);
    if (this.buttons.length) this.buttons[0].tabIndex = 0;
  }

  group(title) {
    const section = document.createElement("section");
    const head = document.createElement("h3");
    const list = document.createElement("ul");
    head.textContent = title;
    head.lang = document.documentElement.lang;
    section.append(head, list);
    return section;
  }

  entry(word, got) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    const points = document.createElement("span");
    button.type = "button";
    button.className = got ? "word got" : "word";
    button.tabIndex = -1;
    points.className = "points";
    points.lang = document.documentElement.lang;
    points.textContent = number(word.points);
    const more = document.createElement("span");
    more.className = "hidden";
    const noun = say("points_heading", { count: word.points }).replace(/^\S+\s/u, " ");
    more.textContent = got ? `${noun}, ${say("got")}` : noun;
    points.append(more);
    button.append(word.word, points);
    this.buttons.push(button);
    this.words.set(button, word);
    item.append(button);
    return item;
  }

  point(button) {
    if (button) this.on.point(this.words.get(button));
  }

  pin(button) {
    if (!button || button === this.pinned) return;
    this.pinned = button;
    for (const other of this.buttons) other.tabIndex = other === button ? 0 : -1;
    this.on.pin(this.words.get(button));
  }

  pressed(event) {
    const here = this.buttons.indexOf(event.target.closest(".word"));
    const last = this.buttons.length - 1;
    const to = { ArrowRight: here + 1, ArrowDown: here + 1, ArrowLeft: here - 1, ArrowUp: here - 1, Home: 0, End: last }[event.key];
    if (here < 0 || to === undefined) return;
    event.preventDefault();
    this.buttons[Math.max(0, Math.min(to, last))].focus();
  }
}
