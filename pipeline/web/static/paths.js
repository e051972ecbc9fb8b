// The bar under the board: the word that is shown, by which of its paths, and the way to the others.

import { at, post, say } from "./page.js";

const MOST = 100;
const PAUSE = 150;
// Milliseconds on one word before its other paths are asked for: arrow keys run along many words.

export class PathBar {
  // `board()` gives the fields of a request that describe the board.
  constructor(grid, board) {
    this.grid = grid;
    this.board = board;
    this.word = null;
    at("path-back").addEventListener("click", () => this.step(-1));
    at("path-next").addEventListener("click", () => this.step(1));
  }

  // Show a word's path for a moment; without a word, the pinned one again.
  point(word) {
    this.grid.showPath(word ? word.path : this.paths[this.index] ?? []);
  }

  pin(word) {
    clearTimeout(this.timer);
    this.word = word;
    this.paths = word ? [word.path] : [];
    this.index = 0;
    this.ways = 1;
    this.known = false;
    this.draw(false);
    if (word) this.timer = setTimeout(() => this.ask(word), PAUSE);
  }

  clear() {
    this.pin(null);
  }

  async ask(word) {
    const answer = await post("/trace", { ...this.board(), word: word.word, paths: MOST }).catch(() => null);
    if (this.word !== word) return;
    if (answer?.found) {
      this.paths = answer.paths;
      this.ways = answer.ways;
      const shown = word.path.join();
      this.index = Math.max(0, this.paths.findIndex((path) => path.join() === shown));
    }
    this.known = answer !== null;
    this.draw(true);
  }

  step(by) {
    this.index = (this.index + by + this.paths.length) % this.paths.length;
    this.draw(true);
  }

  // `tell`: say the path aloud too.
  draw(tell) {
    const path = this.paths[this.index] ?? [];
    this.grid.showPath(path);
    at("path-bar").classList.toggle("empty", !this.word);
    at("path-word").textContent = this.word?.word ?? "";
    const values = { number: this.index + 1, ways: this.ways ?? this.paths.length };
    const which = !this.known ? "" : say(this.ways === null ? "path_of_more" : this.ways === 1 ? "path_one" : "path_of", values);
    at("path-which").textContent = which;
    at("path-back").hidden = at("path-next").hidden = this.paths.length < 2;
    if (!this.word) at("path-said").textContent = "";
    else if (tell) at("path-said").textContent = say("path_said", { word: this.word.word, which, cells: this.grid.spoken(path) });
  }
}
