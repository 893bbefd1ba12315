// One table: words, board, buttons; and the stone that is not confirmed yet.

import { Board, label } from "./board.js";
import { ClockFace } from "./clock.js";
import { attribute, h, kept, put } from "./dom.js";
import { Link } from "./link.js";
import { copyable, spoken } from "./pieces.js";
import { boot, say } from "./words.js";

/**
 * @typedef {object} Button
 * @property {string} label
 * @property {string} wire
 * @property {string} style
 * @property {string} confirm a question to ask first; empty for none
 * @property {string} yes
 * @property {string} no
 */

/**
 * @typedef {object} Scene
 * @property {string} table
 * @property {number} rev
 * @property {string} title
 * @property {string[]} lines
 * @property {number} now which of the lines says what is expected now
 * @property {{main: number[], turn: number[], running: number | null, adds: boolean} | null} clock in milliseconds, in
 *   the order of the players' lines
 * @property {string} alt
 * @property {import("./board.js").Picture} picture
 * @property {Button[][]} buttons
 * @property {import("./board.js").Entry | null} entry
 * @property {string} point the wire of a point, but for its name
 * @property {boolean} over
 */

/**
 * @typedef {object} SceneMessage
 * @property {"scene"} type
 * @property {string} page the version of the page that the server has
 * @property {Scene} scene
 * @property {boolean} seated
 * @property {string | null} invitation
 * @property {string} watch
 */

/** Longer than this, and the page says that it is still sending. */
const PATIENCE = 400;

export class TableView {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    /** @type {SceneMessage | null} */
    this.message = null;
    this.linksShown = "";
    this.preview = recalled(table);
    /** @type {number | null} where the first of two stones goes that are added together */
    this.first = null;
    this.clocks = [new ClockFace(), new ClockFace()];
    /** @type {string | null} the id of what was sent and not answered yet */
    this.sent = null;
    this.sentAt = 0;
    this.typing = false;
    this.board = new Board({ onpick: (point) => this.pick(point), oncancel: () => this.cancel() });
    this.title = h("h1", { class: "title" });
    this.lines = h("div", { class: "lines" });
    this.buttons = h("div", { class: "buttons" });
    this.line = h("div", { class: "line-state", role: "status" }, say("connecting"));
    this.notice = h("p", { class: "notice", role: "alert" });
    this.alt = h("p", { class: "unseen" });
    this.live = h("div", { class: "unseen", "aria-live": "polite", role: "log" });
    this.bar = h("div", { class: "bar-slot" });
    this.invited = h("div", { class: "slot" });
    this.watched = h("div", { class: "slot" });
    this.field = /** @type {HTMLInputElement} */ (
      h("input", {
        id: "typed",
        class: "field",
        autocomplete: "off",
        autocapitalize: "characters",
        spellcheck: "false",
        enterkeyhint: "go",
        maxlength: "40",
        placeholder: say("typed_example"),
      })
    );
    this.form = h(
      "form",
      { class: "typed", onsubmit: (/** @type {Event} */ event) => this.type(event) },
      h("label", { for: "typed" }, say("typed")),
      h("div", { class: "together" }, this.field, h("button", { class: "button" }, say("put"))),
    );
    this.dialog = /** @type {HTMLDialogElement} */ (h("dialog", { class: "question" }));
    this.element = h(
      "main",
      { class: "table" },
      h("div", { class: "words" }, this.title, this.lines, this.invited),
      h("div", { class: "play" }, this.board.element, this.alt, this.notice, this.bar),
      h("div", { class: "controls" }, this.buttons, this.form, this.watched),
      this.line,
      this.live,
      this.dialog,
    );
    /** @type {string[]} */
    this.told = [];
    addEventListener("renju-numbers", () => this.draw());
    document.addEventListener("visibilitychange", () => this.head());
    this.link = new Link(table, {
      heard: (message) => this.heard(message),
      changed: (open) => {
        this.line.textContent = open ? "" : say(this.message === null ? "connecting" : "reconnecting");
      },
    });
  }

  /** @param {any} message */
  heard(message) {
    if (message.type === "scene") {
      if (message.page !== boot.page && this.link?.waiting.size === 0) renew(message.page);
      this.message = message;
      this.render();
      return;
    }
    if (message.id && message.id === this.sent) this.sent = null;
    if (message.type === "go") {
      location.assign(message.path);
      return;
    }
    if (message.type === "said") {
      this.tell(message.text);
      if (message.ok && this.typing) this.field.value = "";
      if (message.id) this.typing = false;
      this.draw();
    }
  }

  /** @param {string} text */
  tell(text) {
    this.notice.textContent = text;
  }

  render() {
    if (this.message === null) return;
    const { scene, seated } = this.message;
    if (this.first !== null && !scene.entry?.then.length) this.first = null;
    const entry = this.entry();
    if (this.preview !== null && !entry?.points.includes(this.preview)) this.preview = null;
    this.clocks.forEach((face, i) => face.set(scene.clock, i));
    this.title.textContent = scene.title;
    put(
      this.lines,
      scene.lines.map((line, i) =>
        h("p", { dir: "auto", class: i === scene.now && "now" }, spoken(line), i < scene.now && this.clocks[i].element),
      ),
      !seated && h("p", { class: "watching" }, say("watching")),
    );
    const fresh = scene.lines.filter((line) => !this.told.includes(line));
    if (fresh.length)
      put(
        this.live,
        fresh.map((line) => h("p", {}, line)),
      );
    this.told = scene.lines;
    put(
      this.buttons,
      scene.buttons.map((row) => this.row(row)),
    );
    attribute(this.form, "hidden", scene.entry === null ? "" : null);
    this.alt.textContent = scene.alt;
    this.renderLinks();
    this.head();
    this.draw();
  }

  /** @param {Button[]} row */
  row(row) {
    return h(
      "div",
      { class: "row" },
      row.map((button) =>
        h(
          "button",
          { class: `button ${button.style}`, type: "button", onclick: () => this.press(button) },
          button.label,
        ),
      ),
    );
  }

  renderLinks() {
    if (this.message === null) return;
    const { invitation, watch } = this.message;
    const shown = `${invitation} ${watch}`;
    if (shown === this.linksShown) return;
    this.linksShown = shown;
    put(
      this.invited,
      invitation &&
        h(
          "section",
          { class: "card invite" },
          h("h2", {}, say("invitation")),
          copyable(invitation, "invitation"),
          h("p", { class: "hint" }, say("invitation_hint")),
        ),
    );
    put(
      this.watched,
      h(
        "details",
        { class: "watch-link" },
        h("summary", {}, say("watch")),
        copyable(watch, "watch"),
        h("p", { class: "hint" }, say("watch_hint")),
      ),
    );
  }

  /** The tab says whose turn it is when nobody looks at it. */
  head() {
    const scene = this.message?.scene;
    const calls = document.hidden && scene && !scene.over && (scene.entry !== null || scene.buttons.length > 2);
    document.title = `${calls ? "● " : ""}${scene?.title ?? "Renju"}`;
  }

  /** What a point means now: after the first of two stones, the second. @returns {import("./board.js").Entry | null} */
  entry() {
    const entry = this.message?.scene.entry ?? null;
    if (entry === null || this.first === null) return entry;
    return { ...entry, points: entry.then.filter((point) => point !== this.first), colour: 3 - entry.colour };
  }

  draw() {
    if (this.message === null) return;
    const { scene } = this.message;
    this.board.show(scene.picture, {
      entry: this.entry(),
      preview: this.preview,
      first: this.first,
      numbered: kept.get("renju-numbers") === "yes",
    });
    remember(this.table, this.first === null ? this.preview : null);
    const chosen = [this.first, this.preview].filter((point) => point !== null).map((point) => label(point));
    if (!chosen.length) {
      put(this.bar);
      return;
    }
    const busy = this.sent !== null;
    const late = busy && performance.now() - this.sentAt > PATIENCE;
    put(
      this.bar,
      h(
        "div",
        { class: "confirm-bar", role: "group", "aria-label": chosen.join(" ") },
        h("strong", { class: "aimed-point" }, chosen.join(" ")),
        h("button", { class: "button", type: "button", disabled: busy, onclick: () => this.cancel() }, say("change")),
        h(
          "button",
          {
            class: "button primary confirm",
            type: "button",
            disabled: busy || this.preview === null,
            onclick: () => this.confirm(),
          },
          say(late ? "sending" : "confirm"),
        ),
      ),
    );
  }

  /** A point was tapped, or Enter pressed on it. @param {number} point */
  pick(point) {
    if (this.message === null || this.sent !== null) return;
    const entry = this.entry();
    this.tell("");
    if (!entry?.points.includes(point)) {
      if (point === this.first) this.cancel();
      // Nothing can be put there: the server says why. Of two stones it is only told together.
      else if (entry?.act !== "add") this.send({ type: "press", wire: this.wire([point]) });
    } else if (entry.act === "add" && this.first === null) {
      this.first = point;
      this.draw();
    } else if (point === this.preview) {
      this.confirm();
    } else {
      this.preview = point;
      this.draw();
      put(this.live, h("p", {}, say("previewed", { point: label(point) })));
    }
  }

  /** What entering these points is called on the line. @param {number[]} points */
  wire(points) {
    return (this.message?.scene.point ?? "") + points.map((point) => label(point).toLowerCase()).join("-");
  }

  confirm() {
    if (this.preview === null || this.sent !== null) return;
    this.send({ type: "press", wire: this.wire(this.first === null ? [this.preview] : [this.first, this.preview]) });
    this.draw();
    setTimeout(() => this.draw(), PATIENCE + 20);
  }

  cancel() {
    if (this.sent !== null) return;
    this.preview = null;
    this.first = null;
    this.tell("");
    this.draw();
  }

  /** @param {{type: string, [key: string]: string}} message */
  send(message) {
    this.sent = this.link.send(message);
    this.sentAt = performance.now();
  }

  /** @param {Button} button */
  press(button) {
    if (this.sent !== null) return;
    if (button.confirm) this.question(button);
    else {
      this.tell("");
      this.send({ type: "press", wire: button.wire });
    }
  }

  /** Ask before something that cannot be undone. @param {Button} button */
  question(button) {
    const close = () => this.dialog.close();
    put(
      this.dialog,
      h("p", {}, button.confirm),
      h(
        "div",
        { class: "row" },
        h("button", { class: "button no", type: "button", onclick: close }, button.no),
        h(
          "button",
          {
            class: "button danger yes",
            type: "button",
            onclick: () => {
              close();
              this.send({ type: "press", wire: button.wire });
            },
          },
          button.yes,
        ),
      ),
    );
    this.dialog.showModal();
  }

  /** @param {Event} event */
  type(event) {
    event.preventDefault();
    if (this.sent !== null) return;
    this.tell("");
    this.typing = true;
    this.send({ type: "typed", text: this.field.value });
  }
}

/** The service was upgraded: take its new page, once. @param {string} version */
function renew(version) {
  try {
    if (sessionStorage.getItem("renju-renewed") === version) return;
    sessionStorage.setItem("renju-renewed", version);
    location.reload();
  } catch {
    // Storage is switched off: the old page goes on.
  }
}

/** The stone in doubt outlives a reload. @param {string} table @returns {number | null} */
function recalled(table) {
  try {
    const text = sessionStorage.getItem(`renju-preview-${table}`);
    return text === null ? null : Number(text);
  } catch {
    return null;
  }
}

/** @param {string} table @param {number | null} point */
function remember(table, point) {
  try {
    if (point === null) sessionStorage.removeItem(`renju-preview-${table}`);
    else sessionStorage.setItem(`renju-preview-${table}`, String(point));
  } catch {
    // Storage is switched off: a reload forgets it.
  }
}
