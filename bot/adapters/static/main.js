// Where the page begins: the head that every view has, and the view.

import { ask } from "./ask.js";
import { paints } from "./board.js";
import { h, kept, s } from "./dom.js";
import { home } from "./home.js";
import { invitation } from "./invitation.js";
import { TableView } from "./table.js";
import { boot, say } from "./words.js";

/** @returns {Element} */
function mark() {
  return s(
    "svg",
    { viewBox: "0 0 36 24", class: "mark", "aria-hidden": "true" },
    s("circle", { class: "mark-black", cx: 12, cy: 12, r: 10 }),
    s("circle", { class: "mark-white", cx: 24, cy: 12, r: 9.5 }),
  );
}

/** @param {string} name @param {string} text @param {[string, string][]} options @param {string} chosen @param {(value: string) => void} use */
function setting(name, text, options, chosen, use) {
  const select = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      { id: name, class: "field", onchange: () => use(select.value) },
      options.map(([value, label]) => h("option", { value, selected: value === chosen }, label)),
    )
  );
  return h("div", { class: "setting" }, h("label", { for: name }, text), select);
}

function settings() {
  const looks = /** @type {[string, string][]} */ (["auto", "wood", "dark"].map((look) => [look, say(`look_${look}`)]));
  const panel = h(
    "details",
    { class: "settings" },
    h("summary", { "aria-label": say("settings"), title: say("settings") }, gear()),
    h(
      "div",
      { class: "panel card" },
      setting("look", say("look"), looks, kept.get("renju-look") ?? "auto", (look) => {
        kept.set("renju-look", look === "auto" ? null : look);
        if (look === "auto") delete document.documentElement.dataset.look;
        else document.documentElement.dataset.look = look;
      }),
      setting("language", say("language"), Object.entries(boot.languages), boot.language, async (language) => {
        const answer = await ask("/api/me", { language });
        if (answer.ok) location.reload();
      }),
      h(
        "label",
        { class: "setting check" },
        h("input", {
          type: "checkbox",
          id: "numbers",
          checked: kept.get("renju-numbers") === "yes",
          onchange: (/** @type {Event} */ event) => {
            kept.set("renju-numbers", /** @type {HTMLInputElement} */ (event.target).checked ? "yes" : null);
            dispatchEvent(new Event("renju-numbers"));
          },
        }),
        say("numbers"),
      ),
    ),
  );
  document.addEventListener("click", (event) => {
    if (!panel.contains(/** @type {Node} */ (event.target))) panel.removeAttribute("open");
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && panel.hasAttribute("open")) panel.removeAttribute("open");
  });
  return panel;
}

function gear() {
  return s(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    s("path", { d: "M4 7h9m5 0h2M4 17h2m5 0h9" }),
    s("circle", { cx: 15.5, cy: 7, r: 2.5 }),
    s("circle", { cx: 8.5, cy: 17, r: 2.5 }),
  );
}

function missing() {
  return h(
    "main",
    { class: "sheet" },
    h("h1", {}, say("missing")),
    h("p", {}, say("missing_hint")),
    h("a", { class: "button primary", href: "/" }, say("home")),
  );
}

function away() {
  setTimeout(() => location.reload(), 3000);
  return h("main", { class: "sheet" }, h("h1", {}, "Renju"), h("p", { role: "status" }, say("away")));
}

function view() {
  if (boot.view === "table") return new TableView(boot.table ?? "").element;
  if (boot.view === "invitation") return invitation();
  if (boot.view === "away") return away();
  return boot.view === "home" ? home() : missing();
}

document.body.append(
  paints(),
  h(
    "header",
    { class: "top" },
    h("a", { class: "brand", href: "/", "aria-label": say("home") }, mark(), h("span", {}, "Renju")),
    settings(),
  ),
  view(),
);
