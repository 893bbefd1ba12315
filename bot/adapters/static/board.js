// The board as SVG: crisp at every size, coloured by the style sheet, one grid cell a point for screen readers.

import { attribute, h, s } from "./dom.js";
import { say } from "./words.js";

export const SIZE = 15;
const COLUMNS = "ABCDEFGHIJKLMNO";
const STARS = [48, 56, 112, 168, 176];
const LETTERS = "ABCDEFGHIJKL";
const CELL = 60;
const MARGIN = 42;
const FIRST = MARGIN + CELL / 2;
const WIDTH = 2 * MARGIN + SIZE * CELL;

/**
 * @typedef {object} Picture
 * @property {[number, number][]} stones point and colour (1 black, 2 white), in the order of play
 * @property {number | null} last
 * @property {boolean} numbered
 * @property {number[]} offers
 * @property {number[]} forbidden
 * @property {number[]} win
 * @property {number | null} foul
 */

/**
 * @typedef {object} Entry
 * @property {string} act place, offer or choose
 * @property {number[]} points
 * @property {number} colour of the stone that would be put
 * @property {number[]} then where the second of two stones may go that are added together
 */

/** @param {number} point @returns {string} "H8" */
export const label = (point) => `${COLUMNS[point % SIZE]}${Math.floor(point / SIZE) + 1}`;

/** @param {number} point */
const x = (point) => FIRST + CELL * (point % SIZE);
/** @param {number} point */
const y = (point) => FIRST + CELL * (SIZE - 1 - Math.floor(point / SIZE));

/** Gradients that every board on the page shares. @returns {Element} */
export function paints() {
  const stone = (/** @type {string} */ id) =>
    s(
      "radialGradient",
      { id, cx: "0.36", cy: "0.3", r: "0.75" },
      s("stop", { offset: "0", class: `${id}-light` }),
      s("stop", { offset: "1", class: `${id}-deep` }),
    );
  return s(
    "svg",
    { class: "paints", "aria-hidden": "true" },
    s("defs", {}, stone("black-stone"), stone("white-stone")),
  );
}

/** A stone beside a text. @param {number} colour @returns {Element} */
export function disc(colour) {
  return s(
    "svg",
    { class: "disc", viewBox: "0 0 60 60", role: "img", "aria-label": colour === 1 ? "●" : "○" },
    s("circle", { class: `stone ${shade(colour)}`, cx: 30, cy: 30, r: 27.2 }),
  );
}

export class Board {
  /** @param {{small?: boolean, onpick?: (point: number) => void, oncancel?: () => void}} [options] */
  constructor(options = {}) {
    this.options = options;
    this.cursor = 112;
    this.hovered = /** @type {number | null} */ (null);
    /** @type {{entry: Entry | null, preview: number | null, first: number | null}} */
    this.now = { entry: null, preview: null, first: null };
    /** @type {Picture | null} */
    this.picture = null;
    this.marks = s("g");
    this.over = s("g", { class: "over" });
    /** @type {SVGElement[]} */
    this.cells = [];
    /** @type {{columns: SVGElement[][], rows: SVGElement[][]}} */
    this.labels = { columns: [], rows: [] };
    this.element = options.small ? this.#small() : this.#large();
  }

  #lines() {
    const from = FIRST;
    const to = FIRST + CELL * (SIZE - 1);
    const lines = [];
    for (let i = 1; i < SIZE - 1; i++) {
      const at = FIRST + CELL * i;
      lines.push(`M${from} ${at}H${to}M${at} ${from}V${to}`);
    }
    return [
      s("rect", { class: "ground", x: MARGIN, y: MARGIN, width: SIZE * CELL, height: SIZE * CELL, rx: 6 }),
      s("path", { class: "grid-lines", d: lines.join("") }),
      s("rect", { class: "edge", x: from, y: from, width: to - from, height: to - from }),
      ...STARS.map((point) => s("circle", { class: "star", cx: x(point), cy: y(point), r: 6.6 })),
    ];
  }

  #small() {
    const edge = MARGIN - 12;
    const view = `${edge} ${edge} ${WIDTH - 2 * edge} ${WIDTH - 2 * edge}`;
    return s("svg", { class: "board small", viewBox: view, "aria-hidden": "true" }, this.#lines(), this.marks);
  }

  #large() {
    const names = s("g", { class: "names", "aria-hidden": "true" });
    for (let i = 0; i < SIZE; i++) {
      const at = FIRST + CELL * i;
      const down = FIRST + CELL * (SIZE - 1 - i);
      const near = MARGIN / 2 + 1;
      const far = WIDTH - MARGIN / 2 - 1;
      const name = (/** @type {number} */ cx, /** @type {number} */ cy, /** @type {string} */ text) =>
        s(
          "g",
          {},
          s("rect", { class: "chip", x: cx - 20, y: cy - 17, width: 40, height: 34, rx: 9 }),
          s("text", { x: cx, y: cy, dy: "0.36em" }, text),
        );
      this.labels.columns.push([name(at, near, COLUMNS[i]), name(at, far, COLUMNS[i])]);
      this.labels.rows.push([name(near, down, String(i + 1)), name(far, down, String(i + 1))]);
    }
    names.append(...this.labels.columns.flat(), ...this.labels.rows.flat());
    const grid = s("g", { class: "cells" });
    for (let row = SIZE - 1; row >= 0; row--) {
      const line = s("g", { role: "row" });
      for (let column = 0; column < SIZE; column++) {
        const point = row * SIZE + column;
        const cell = s("rect", {
          role: "gridcell",
          id: `p${point}`,
          x: x(point) - CELL / 2,
          y: y(point) - CELL / 2,
          width: CELL,
          height: CELL,
        });
        this.cells[point] = cell;
        line.append(cell);
      }
      grid.append(line);
    }
    const board = s(
      "svg",
      {
        class: "board",
        viewBox: `0 0 ${WIDTH} ${WIDTH}`,
        role: "grid",
        tabindex: "0",
        "aria-label": say("board"),
        "aria-describedby": "board-help",
        "aria-activedescendant": `p${this.cursor}`,
      },
      s("rect", { class: "margin", width: WIDTH, height: WIDTH, rx: 18 }),
      this.#lines(),
      names,
      this.marks,
      this.over,
      grid,
    );
    board.addEventListener("click", (event) => this.#picked(/** @type {MouseEvent} */ (event)));
    board.addEventListener("pointermove", (event) => this.#hover(/** @type {PointerEvent} */ (event)));
    board.addEventListener("pointerleave", () => this.#hover(null));
    board.addEventListener("keydown", (event) => this.#key(/** @type {KeyboardEvent} */ (event)));
    board.addEventListener("focus", () => this.#top());
    board.addEventListener("blur", () => this.#top());
    return h("div", { class: "board-frame" }, board, h("p", { id: "board-help", class: "unseen" }, say("board_help")));
  }

  /** The point nearest to a place on the screen. @param {MouseEvent} event @returns {number} */
  #nearest(event) {
    const box = this.#svg().getBoundingClientRect();
    const place = (/** @type {number} */ at, /** @type {number} */ size) =>
      Math.max(0, Math.min(SIZE - 1, Math.round(((at / size) * WIDTH - FIRST) / CELL)));
    const column = place(event.clientX - box.left, box.width);
    const row = SIZE - 1 - place(event.clientY - box.top, box.height);
    return row * SIZE + column;
  }

  /** @returns {Element} */
  #svg() {
    return /** @type {Element} */ (this.element.querySelector("svg.board"));
  }

  /** @param {MouseEvent} event */
  #picked(event) {
    this.#move(this.#nearest(event));
    this.options.onpick?.(this.cursor);
  }

  /** @param {PointerEvent | null} event */
  #hover(event) {
    const point = event === null || event.pointerType !== "mouse" ? null : this.#nearest(event);
    if (point === this.hovered) return;
    this.hovered = point;
    this.#top();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const column = this.cursor % SIZE;
    const row = Math.floor(this.cursor / SIZE);
    const far = SIZE - 1;
    /** @type {Record<string, [number, number]>} */
    const moves = {
      ArrowLeft: [Math.max(0, column - 1), row],
      ArrowRight: [Math.min(far, column + 1), row],
      ArrowUp: [column, Math.min(far, row + 1)],
      ArrowDown: [column, Math.max(0, row - 1)],
      Home: [0, row],
      End: [far, row],
      PageUp: [column, far],
      PageDown: [column, 0],
    };
    const to = moves[event.key];
    if (to !== undefined) this.#move(to[1] * SIZE + to[0]);
    else if (event.key === "Enter" || event.key === " ") this.options.onpick?.(this.cursor);
    else if (event.key === "Escape") this.options.oncancel?.();
    else return;
    event.preventDefault();
  }

  /** @param {number} point */
  #move(point) {
    this.cursor = point;
    attribute(this.#svg(), "aria-activedescendant", `p${point}`);
    this.#top();
  }

  /**
   * Draw a position.
   * @param {Picture} picture
   * @param {{entry?: Entry | null, preview?: number | null, first?: number | null, numbered?: boolean}} [state] what can be entered, and what is not
   *   confirmed yet
   */
  show(picture, state = {}) {
    const numbered = !this.options.small && (state.numbered || picture.numbered);
    this.now = { entry: state.entry ?? null, preview: state.preview ?? null, first: state.first ?? null };
    const taken = new Set(picture.stones.map(([point]) => point));
    const won = new Set(picture.win);
    const marks = [];
    for (const bar of bars(picture.win)) marks.push(bar);
    picture.stones.forEach(([point, colour], index) => {
      marks.push(stone(point, colour));
      const last = point === picture.last;
      if (point === picture.foul) return; // the cross says it all
      if (won.has(point) || last) marks.push(ring(point, colour));
      if (numbered) marks.push(number(point, colour, index + 1));
      else if (last) marks.push(s("circle", { class: `dot ${shade(colour)}`, cx: x(point), cy: y(point), r: 7 }));
    });
    picture.offers.forEach((point, index) => {
      if (!taken.has(point)) marks.push(offer(point, LETTERS[index]));
    });
    for (const point of picture.forbidden) marks.push(cross(point, 14.4));
    if (picture.foul !== null) marks.push(cross(picture.foul, 17));
    this.marks.replaceChildren(...marks);
    if (this.options.small) return;
    this.#describe(picture);
    this.picture = picture;
    this.#top();
  }

  /** What lies over the position: the stone in doubt, the pointer's shadow, the cursor, the named lines. */
  #top() {
    if (this.picture === null) return;
    const { entry, preview, first } = this.now;
    const focused = this.#svg().matches(":focus-visible");
    const over = [];
    const pointed = this.hovered !== null && entry?.points.includes(this.hovered) ? this.hovered : null;
    if (entry !== null && pointed !== null && pointed !== preview) over.push(stone(pointed, entry.colour, "shadow"));
    if (first !== null) over.push(...ghost(first, 3 - (entry?.colour ?? 1)));
    if (preview !== null) over.push(...ghost(preview, entry?.colour ?? 1));
    if (focused) over.push(corners(this.cursor));
    this.over.replaceChildren(...over);
    const aimed = preview ?? pointed ?? (focused ? this.cursor : null);
    this.#name(this.picture.last, aimed);
    attribute(this.#svg(), "data-entry", entry === null ? null : entry.act);
    this.cells.forEach((cell, point) => attribute(cell, "aria-selected", point === preview ? "true" : null));
  }

  /** Mark the letter and the number of the last move and of the aimed point. */
  #name(/** @type {number | null} */ last, /** @type {number | null} */ aimed) {
    const kind = (/** @type {number} */ i, /** @type {(p: number) => number} */ part) =>
      last !== null && part(last) === i ? "last" : aimed !== null && part(aimed) === i ? "aimed" : null;
    for (let i = 0; i < SIZE; i++) {
      for (const name of this.labels.columns[i])
        attribute(
          name,
          "class",
          kind(i, (p) => p % SIZE),
        );
      for (const name of this.labels.rows[i])
        attribute(
          name,
          "class",
          kind(i, (p) => Math.floor(p / SIZE)),
        );
    }
  }

  /** Say every point. @param {Picture} picture */
  #describe(picture) {
    const texts = new Map();
    for (const point of picture.forbidden) texts.set(point, say("cell_forbidden", { point: label(point) }));
    picture.offers.forEach((point, index) =>
      texts.set(point, say("cell_offer", { point: label(point), letter: LETTERS[index] })),
    );
    for (const [point, colour] of picture.stones) {
      const last = point === picture.last ? "last_" : "";
      texts.set(point, say(`cell_${last}${shade(colour)}`, { point: label(point) }));
    }
    for (const point of [this.now.first, this.now.preview])
      if (point !== null) texts.set(point, say("cell_preview", { point: label(point) }));
    this.cells.forEach((cell, point) =>
      attribute(cell, "aria-label", texts.get(point) ?? say("cell_empty", { point: label(point) })),
    );
  }
}

/** @param {number} colour */
const shade = (colour) => (colour === 1 ? "black" : "white");

/** @param {number} point @param {number} colour @param {string} [kind] */
function stone(point, colour, kind = "") {
  return s("circle", { class: `stone ${shade(colour)} ${kind}`, cx: x(point), cy: y(point), r: 27.2 });
}

/** A stone that is not confirmed yet. @param {number} point @param {number} colour */
function ghost(point, colour) {
  return [stone(point, colour, "ghost"), s("circle", { class: "dots", cx: x(point), cy: y(point), r: 34 })];
}

/** @param {number} point @param {number} colour */
function ring(point, colour) {
  return s("circle", { class: `ring ${shade(colour)}`, cx: x(point), cy: y(point), r: 20.5 });
}

/** @param {number} point @param {number} colour @param {number} move */
function number(point, colour, move) {
  const size = move < 10 ? "one" : move < 100 ? "two" : "three";
  return s("text", { class: `number ${shade(colour)} ${size}`, x: x(point), y: y(point), dy: "0.36em" }, String(move));
}

/** @param {number} point @param {string} letter */
function offer(point, letter) {
  return s(
    "g",
    { class: "offer" },
    s("circle", { cx: x(point), cy: y(point), r: 25 }),
    s("text", { x: x(point), y: y(point), dy: "0.36em" }, letter),
  );
}

/** @param {number} point @param {number} arm */
function cross(point, arm) {
  const [cx, cy] = [x(point), y(point)];
  const d = `M${cx - arm} ${cy - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}`;
  return s("g", { class: "cross" }, s("path", { class: "casing", d }), s("path", { d }));
}

/** @param {number} point */
function corners(point) {
  const [cx, cy, out, arm] = [x(point), y(point), 31, 13];
  const corner = (/** @type {number} */ u, /** @type {number} */ v) =>
    `M${cx + u * out} ${cy + v * (out - arm)}V${cy + v * out}H${cx + u * (out - arm)}`;
  const d = corner(-1, -1) + corner(1, -1) + corner(-1, 1) + corner(1, 1);
  return s("g", { class: "cursor" }, s("path", { class: "casing", d }), s("path", { d }));
}

/** A bar under every unbroken row of five or more winning stones. @param {number[]} win */
function bars(win) {
  const places = new Set(win);
  /** @param {number} point @param {number} u @param {number} v @returns {number | null} */
  const step = (point, u, v) => {
    const [column, row] = [(point % SIZE) + u, Math.floor(point / SIZE) + v];
    const next = row * SIZE + column;
    return column >= 0 && column < SIZE && places.has(next) ? next : null;
  };
  const found = [];
  for (const [u, v] of [
    [1, 0],
    [0, 1],
    [1, 1],
    [1, -1],
  ]) {
    for (const point of places) {
      if (step(point, -u, -v) !== null) continue;
      let end = point;
      let length = 1;
      for (let next = step(end, u, v); next !== null; next = step(end, u, v)) [end, length] = [next, length + 1];
      if (length >= 5) found.push(s("path", { class: "bar", d: `M${x(point)} ${y(point)}L${x(end)} ${y(end)}` }));
    }
  }
  return found;
}
