// A player's time beside their name, counted down between two scenes.

import { attribute, h } from "./dom.js";
import { say } from "./words.js";

/** With so little left the time is marked, by its shape too. */
const LOW = 10_000;

export class ClockFace {
  constructor() {
    this.element = h("span", { class: "clock", role: "timer", hidden: true });
    /** @type {{main: number, turn: number, runs: boolean, adds: boolean, at: number} | null} */
    this.time = null;
    setInterval(() => this.draw(), 200);
  }

  /**
   * @param {{main: number[], turn: number[], running: number | null, adds: boolean} | null} clock
   * @param {number} row
   */
  set(clock, row) {
    this.time = clock && {
      main: clock.main[row],
      turn: clock.turn[row],
      runs: clock.running === row,
      adds: clock.adds,
      at: performance.now(),
    };
    this.draw();
  }

  draw() {
    attribute(this.element, "hidden", this.time === null ? "" : null);
    if (this.time === null) return;
    const { main, turn, runs, adds, at } = this.time;
    const gone = runs ? performance.now() - at : 0;
    const left = adds || gone < main ? main - gone : main + turn - gone;
    const text = span(left);
    if (this.element.textContent !== text) {
      this.element.textContent = text;
      this.element.setAttribute("aria-label", say("clock_left", { time: text }));
    }
    attribute(this.element, "data-runs", runs ? "" : null);
    attribute(this.element, "data-low", runs && left < LOW ? "" : null);
  }
}

/** `18:05`, `1:02:30`; a begun second counts, and it never goes below zero. @param {number} time in milliseconds */
function span(time) {
  const seconds = Math.ceil(Math.max(0, time) / 1000);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
