// Pieces that several views are made of.

import { disc } from "./board.js";
import { h } from "./dom.js";
import { say } from "./words.js";

/**
 * A link that can be copied, or shared where the device can.
 * @param {string} text
 * @param {string} name what the link is for: a key of the page's words
 */
export function copyable(text, name) {
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
      share &&
        h(
          "button",
          { class: "button", type: "button", onclick: () => navigator.share({ url: text }).catch(() => {}) },
          say("share"),
        ),
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
