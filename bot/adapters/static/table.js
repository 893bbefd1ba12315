// One table: words, board, buttons; and the stone that is not confirmed yet.

import { ask } from "./ask.js";
import { Board, disc, label } from "./board.js";
import { attribute, h, kept, put } from "./dom.js";
import { Link } from "./link.js";
import { boot, say } from "./words.js";

/** Longer than this, and the page says that it is still sending. */
const PATIENCE = 400;

export class TableView {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    /** @type {any} */
    this.message = null;
    this.preview = recalled(table);
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
      h("div", { class: "play" }, this.board.element, this.notice, this.bar),
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
    const { scene, seated } = this.message;
    const may = scene.entry?.points.includes(this.preview) ?? false;
    if (!may) this.preview = null;
    this.title.textContent = scene.title;
    put(
      this.lines,
      scene.lines.map((/** @type {string} */ line, /** @type {number} */ i) =>
        h("p", { dir: "auto", class: i === scene.now && "now" }, spoken(line)),
      ),
      !seated && h("p", { class: "watching" }, say("watching")),
    );
    const fresh = scene.lines.filter((/** @type {string} */ line) => !this.told.includes(line));
    if (fresh.length) put(this.live, fresh.map((/** @type {string} */ line) => h("p", {}, line)));
    this.told = scene.lines;
    put(this.buttons, scene.buttons.map((/** @type {any[]} */ row) => this.row(row)));
    attribute(this.form, "hidden", scene.entry === null ? "" : null);
    this.renderLinks();
    this.head();
    this.draw();
  }

  /** @param {any[]} row */
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

  draw() {
    if (this.message === null) return;
    const { scene } = this.message;
    this.board.show(scene.picture, {
      entry: scene.entry,
      preview: this.preview,
      numbered: kept.get("renju-numbers") === "yes",
    });
    remember(this.table, this.preview);
    if (this.preview === null) {
      put(this.bar);
      return;
    }
    const busy = this.sent !== null;
    put(
      this.bar,
      h(
        "div",
        { class: "confirm-bar", role: "group", "aria-label": label(this.preview) },
        h("strong", { class: "aimed-point" }, label(this.preview)),
        h("button", { class: "button", type: "button", disabled: busy, onclick: () => this.cancel() }, say("change")),
        h(
          "button",
          { class: "button primary confirm", type: "button", disabled: busy, onclick: () => this.confirm() },
          busy && performance.now() - this.sentAt > PATIENCE ? say("sending") : say("confirm"),
        ),
      ),
    );
  }

  /** A point was tapped, or Enter pressed on it. @param {number} point */
  pick(point) {
    if (this.message === null || this.sent !== null) return;
    const { scene } = this.message;
    this.tell("");
    if (!scene.entry?.points.includes(point)) {
      // Nothing can be put there: the server says why.
      this.send({ type: "press", wire: scene.point + label(point).toLowerCase() });
    } else if (point === this.preview) {
      this.confirm();
    } else {
      this.preview = point;
      this.draw();
      put(this.live, h("p", {}, say("previewed", { point: label(point) })));
    }
  }

  confirm() {
    if (this.preview === null || this.sent !== null) return;
    this.send({ type: "press", wire: this.message.scene.point + label(this.preview).toLowerCase() });
    this.draw();
    setTimeout(() => this.draw(), PATIENCE + 20);
  }

  cancel() {
    if (this.sent !== null) return;
    this.preview = null;
    this.tell("");
    this.draw();
  }

  /** @param {{type: string, [key: string]: string}} message */
  send(message) {
    this.sent = this.link.send(message);
    this.sentAt = performance.now();
  }

  /** @param {any} button */
  press(button) {
    if (this.sent !== null) return;
    if (button.confirm) this.question(button);
    else {
      this.tell("");
      this.send({ type: "press", wire: button.wire });
    }
  }

  /** Ask before something that cannot be undone. @param {any} button */
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

/**
 * A link that can be copied, or shared where the device can.
 * @param {string} text
 * @param {string} name what the link is for: a key of the page's words
 */
function copyable(text, name) {
  const field = /** @type {HTMLInputElement} */ (
    h("input", { class: "field", readonly: true, value: text, "aria-label": say(name) })
  );
  field.addEventListener("focus", () => field.select());
  const said = h("span", { class: "hint", role: "status" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      said.textContent = say("copied");
    } catch {
      field.select();
      said.textContent = say("copy_failed");
    }
  };
  const share = "share" in navigator && matchMedia("(pointer: coarse)").matches;
  return h(
    "div",
    { class: "copyable" },
    h(
      "div",
      { class: "together" },
      field,
      h("button", { class: "button primary copy", type: "button", onclick: copy }, say("copy")),
      share && h("button", { class: "button", type: "button", onclick: () => navigator.share({ url: text }).catch(() => {}) }, say("share")),
    ),
    said,
  );
}

/**
 * A line of a scene. The disc before a player's name is drawn as the stone it means, in every look.
 * @param {string} line
 * @returns {(Node | string)[]}
 */
export function spoken(line) {
  const sign = line.slice(0, 2);
  return sign === "● " || sign === "○ " ? [disc(sign === "● " ? 1 : 2), line.slice(2)] : [line];
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

/** Where somebody is invited to a seat. @returns {HTMLElement} */
export function invitation() {
  const texts = /** @type {Record<string, string>} */ ({
    used: say("invitation_used"),
    own: say("invitation_own"),
    too_many: say("invitation_many"),
  });
  const state = boot.state ?? "";
  if (state in texts) {
    const [path, text] = state === "own" ? [`/t/${boot.table}`, say("to_table")] : ["/", say("home")];
    return h("main", { class: "sheet" }, h("h1", {}, say("invitation")), h("p", {}, texts[state]), h("a", { class: "button primary", href: path }, text));
  }
  const name = /** @type {HTMLInputElement} */ (
    h("input", { id: "name", class: "field", maxlength: "60", value: boot.name, autocomplete: "nickname", placeholder: say("name_hint") })
  );
  const trouble = h("p", { class: "notice", role: "alert" });
  const go = h("button", { class: "button primary big" }, say("join"));
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    attribute(go, "disabled", "");
    const answer = await ask(`/i/${boot.code}`, { name: name.value });
    if (answer.ok) location.assign(answer.path);
    else {
      trouble.textContent = answer.text;
      attribute(go, "disabled", null);
    }
  };
  return h(
    "main",
    { class: "sheet" },
    h("h1", {}, say("invited")),
    h("div", { class: "card" }, h("h2", {}, boot.scene.title), boot.scene.lines.slice(0, boot.scene.now).map((/** @type {string} */ line) => h("p", { dir: "auto" }, spoken(line)))),
    h("form", { class: "card", onsubmit: submit }, h("label", { for: "name" }, say("name")), name, go, trouble),
  );
}
