// Where somebody is invited to a seat.

import { ask } from "./ask.js";
import { attribute, h } from "./dom.js";
import { spoken } from "./pieces.js";
import { boot, say } from "./words.js";

/** @returns {HTMLElement} */
export function invitation() {
  const texts = /** @type {Record<string, string>} */ ({
    used: say("invitation_used"),
    own: say("invitation_own"),
    too_many: say("invitation_many"),
  });
  const state = boot.state ?? "";
  if (state in texts) {
    const [path, text] = state === "own" ? [`/t/${boot.table}`, say("to_table")] : ["/", say("home")];
    return h(
      "main",
      { class: "sheet" },
      h("h1", {}, say("invitation")),
      h("p", {}, texts[state]),
      h("a", { class: "button primary", href: path }, text),
    );
  }
  const name = /** @type {HTMLInputElement} */ (
    h("input", {
      id: "name",
      class: "field",
      maxlength: "60",
      value: boot.name,
      autocomplete: "nickname",
      placeholder: say("name_hint"),
    })
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
    h(
      "div",
      { class: "card" },
      h("h2", {}, boot.scene?.title),
      (boot.scene?.lines.slice(0, boot.scene.now) ?? []).map((line) => h("p", { dir: "auto" }, spoken(line))),
    ),
    h("form", { class: "card", onsubmit: submit }, h("label", { for: "name" }, say("name")), name, go, trouble),
  );
}
