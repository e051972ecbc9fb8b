// Play against the clock: type or drag words; the words of the board stay hidden until the end.

import { Refusal, at, clock, post, say } from "./page.js";
import { plain } from "./words.js";

const WARNINGS = [60, 30, 10];
// Seconds left that are said aloud.

export class Game {
  // `board()` gives the fields of a request that describe the board, `ended(got)` is called with the words found.
  constructor(grid, board, ended) {
    this.grid = grid;
    this.board = board;
    this.ended = ended;
    this.on = false;
    at("guess-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const word = at("guess").value.trim();
      at("guess").value = "";
      if (word) this.guess(plain(word));
    });
    at("play-stop").addEventListener("click", () => this.stop());
  }

  // `answer` is the board's solution, `seconds` the time there is.
  start(answer, list, seconds) {
    this.on = true;
    this.answer = answer;
    this.list = list;
    this.words = new Map(answer.found.map((word) => [plain(word.word), word]));
    this.got = new Map();
    this.end = performance.now() + 1000 * seconds;
    this.left = seconds;
    at("guessed").replaceChildren();
    at("guessed").lang = at("guess").lang = list.language;
    at("guess-said").textContent = "";
    at("guess").value = "";
    this.tally();
    this.tick();
    this.ticker = setInterval(() => this.tick(), 200);
    this.grid.play(true);
    at("guess").focus({ preventScroll: true });
  }

  tick() {
    const left = Math.max(0, Math.ceil((this.end - performance.now()) / 1000));
    at("clock").textContent = clock(left);
    at("clock").classList.toggle("late", left <= 10);
    if (left < this.left && WARNINGS.includes(left)) at("clock-said").textContent = say("time_left", { seconds: left });
    this.left = left;
    if (left === 0) this.stop();
  }

  stop() {
    if (!this.on) return;
    this.on = false;
    clearInterval(this.ticker);
    this.grid.play(false);
    at("clock-said").textContent = "";
    this.ended(new Set([...this.got.values()].map((word) => word.word)));
  }

  get score() {
    return [...this.got.values()].reduce((sum, word) => sum + word.points, 0);
  }

  tally() {
    at("tally").textContent = say("tally", { count: this.got.size, score: this.score });
  }

  dragged(path) {
    const word = this.grid.word(path);
    if (word.length > 1) this.guess(plain(word));
  }

  async guess(text) {
    const shown = text.toUpperCase();
    const word = this.words.get(text);
    if (word && this.got.has(text)) {
      this.reply(say("guess_again", { word: word.word }), "");
    } else if (word) {
      this.got.set(text, word);
      const item = document.createElement("li");
      item.textContent = word.word;
      at("guessed").prepend(item);
      this.tally();
      this.reply(say("guess_new", { word: word.word, points: word.points }), "good");
      this.grid.showPath(word.path);
    } else if ([...text].length < this.answer.min_length) {
      this.reply(say("guess_short", { word: shown, least: this.answer.min_length }), "bad");
    } else {
      await this.refuse(text, shown);
    }
  }

  // Why a word does not count: the board does not show it, or the list does not hold it.
  async refuse(text, shown) {
    try {
      const answer = await post("/trace", { ...this.board(), word: text.slice(0, 64) });
      this.reply(say(answer.found ? "guess_no_word" : "guess_no_path", { word: shown }), "bad");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.reply(error.message, "bad");
    }
  }

  reply(text, kind) {
    at("guess-said").textContent = text;
    at("guess-said").className = kind ? `status ${kind}` : "status";
  }
}
