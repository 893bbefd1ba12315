// The first page: a new game in two taps, and the games one has.

import { ask } from "./ask.js";
import { Board } from "./board.js";
import { attribute, h, kept, newId } from "./dom.js";
import { spoken } from "./pieces.js";
import { boot, say } from "./words.js";

/** A position to look at: the opening D4, Kagetsu, and what may follow. */
const SHOWN = [112, 127, 129, 114, 98, 142, 84, 126, 144, 113].map((point, index) => [point, (index % 2) + 1]);

/**
 * A choice of one among several.
 * @param {string} name
 * @param {string} legend
 * @param {[string, string, string?][]} options value, text, hint
 * @param {string} chosen
 * @param {string} [kind]
 */
function choice(name, legend, options, chosen, kind = "list") {
  return h(
    "fieldset",
    { class: `choice ${kind}` },
    h("legend", {}, legend),
    h(
      "div",
      { class: "options" },
      options.map(([value, text, hint]) =>
        h(
          "label",
          { class: "option" },
          h("input", { type: "radio", name, value, checked: value === chosen }),
          h("span", { class: "option-text" }, h("span", {}, text), hint && h("small", {}, hint)),
        ),
      ),
    ),
  );
}

/**
 * A choice of one among many.
 * @param {string} name
 * @param {string} text
 * @param {[string, string][]} options value, text
 * @param {string} chosen
 */
function picker(name, text, options, chosen) {
  return h(
    "div",
    { class: "picker" },
    h("label", { for: name }, text),
    h(
      "select",
      { id: name, name, class: "field" },
      options.map(([value, said]) => h("option", { value, selected: value === chosen }, said)),
    ),
  );
}

/** @returns {HTMLElement} */
export function home() {
  const last = remembered();
  const level = /** @type {HTMLInputElement} */ (
    h("input", { type: "range", id: "level", min: "1", max: "10", step: "1", value: last.level })
  );
  const levelText = h("output", { for: "level" });
  const levels = h("div", { class: "levels" }, h("label", { for: "level" }, levelText), level);
  const friendHint = h("p", { class: "hint" }, say("friend_hint"));
  const go = h("button", { class: "button primary big" });
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
  const protocols = boot.protocols ?? [];
  const rules = h("p", { class: "hint", "aria-live": "polite" });
  const opening = picker(
    "opening",
    say("which_opening"),
    (boot.openings ?? []).map(({ code, name }) => [code, `${code} ${name}`]),
    last.opening,
  );
  const trouble = h("p", { class: "notice", role: "alert" });
  const form = /** @type {HTMLFormElement} */ (
    h(
      "form",
      { class: "card new-game" },
      h("h2", {}, say("new_game")),
      choice(
        "opponent",
        say("opponent"),
        [
          ["engine", say("engine")],
          ["friend", say("friend")],
        ],
        last.opponent,
        "tabs",
      ),
      levels,
      friendHint,
      h("div", { class: "named" }, h("label", { for: "name" }, say("name")), name),
      h(
        "details",
        { class: "more", open: last.opened === "yes" },
        h("summary", {}, say("options")),
        choice(
          "begins",
          say("begins"),
          ["guess", "random", "black", "white"].map((value) => [value, say(`begins_${value}`)]),
          last.begins,
          "pills",
        ),
        picker(
          "protocol",
          say("protocol"),
          protocols.map(({ id, name }) => [id, name]),
          last.protocol,
        ),
        rules,
        opening,
        choice(
          "fouls",
          say("fouls"),
          ["claim", "auto_loss", "blocked", "freestyle"].map((value) => [
            value,
            say(`fouls_${value}`),
            say(`fouls_${value}_hint`),
          ]),
          last.fouls,
        ),
        picker(
          "clock",
          say("clock"),
          CLOCKS.map((clock) => [clock, say(`clock_${clock || "none"}`)]),
          last.clock,
        ),
      ),
      go,
      trouble,
    )
  );
  const chosen = () => /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
  const follow = () => {
    const { opponent, protocol } = chosen();
    const engine = opponent === "engine";
    rules.textContent = protocols.find(({ id }) => id === protocol)?.rules ?? "";
    attribute(opening, "hidden", protocol === "designated" ? null : "");
    attribute(levels, "hidden", engine ? null : "");
    attribute(friendHint, "hidden", engine ? "" : null);
    go.textContent = say(engine ? "play" : "invite");
    levelText.textContent = say("level", { level: level.value });
    const hint = say(`level_${level.value}`);
    level.setAttribute("aria-valuetext", `${levelText.textContent}, ${hint}`);
    levelText.append(h("small", {}, hint));
  };
  form.addEventListener("input", follow);
  let id = newId();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { opponent, begins, protocol, opening, fouls, clock } = chosen();
    attribute(go, "disabled", "");
    keep({
      opponent,
      begins,
      protocol,
      opening,
      fouls,
      clock,
      level: level.value,
      opened: form.querySelector("details")?.open ? "yes" : "",
    });
    const asked = [
      opponent === "engine" ? `engine ${level.value}` : "friend",
      protocol,
      protocol === "designated" ? `opening=${opening}` : "",
      fouls,
      begins,
      clock,
    ];
    const answer = await ask("/api/new", { id, words: asked.filter(Boolean).join(" "), name: name.value });
    if (answer.ok) location.assign(answer.path);
    else {
      trouble.textContent = answer.text;
      attribute(go, "disabled", null);
    }
  });
  // Coming back by the browser's own button: the next game is another one, and the list may have changed.
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
    id = newId();
    attribute(go, "disabled", null);
  });
  follow();
  const picture = new Board({ small: true });
  picture.show(
    /** @type {any} */ ({ stones: SHOWN, last: 113, numbered: false, offers: [], forbidden: [], win: [], foul: null }),
  );
  return h(
    "main",
    { class: "home" },
    h(
      "div",
      { class: "hero" },
      h("div", { class: "hero-words" }, h("h1", {}, "Renju"), h("p", {}, say("tagline"))),
      picture.element,
    ),
    h("div", { class: "columns" }, form, h("div", { class: "aside" }, games(), how())),
  );
}

/** @returns {HTMLElement | null} */
function games() {
  if (!boot.games?.length) return null;
  return h(
    "section",
    { class: "card" },
    h("h2", {}, say("my_games")),
    h(
      "ul",
      { class: "games" },
      boot.games.map((game) => {
        const board = new Board({ small: true });
        board.show(game.scene.picture);
        return h(
          "li",
          {},
          h(
            "a",
            { href: `/t/${game.scene.table}`, class: "game" },
            board.element,
            h(
              "span",
              { class: "game-words" },
              h("strong", {}, game.scene.title),
              game.scene.lines.slice(0, game.scene.now + 1).map((line) => h("span", { dir: "auto" }, spoken(line))),
              game.yours && h("span", { class: "your-turn" }, say("your_turn")),
            ),
          ),
        );
      }),
    ),
  );
}

/** @returns {HTMLElement} */
function how() {
  return h(
    "section",
    { class: "card how" },
    h("h2", {}, say("how")),
    h("p", {}, say("how_five")),
    h("p", {}, say("how_fouls")),
    h("p", {}, say("how_tap")),
  );
}

const CLOCKS = ["", "20m+60s", "fischer:10m+5s", "1d", "3d"];
const DEFAULTS = {
  opponent: "engine",
  level: "3",
  begins: "guess",
  protocol: "free",
  opening: "D1",
  fouls: "claim",
  clock: "",
  opened: "",
};

/** What was chosen last on this device. @returns {Record<string, string>} */
function remembered() {
  try {
    return { ...DEFAULTS, ...JSON.parse(kept.get("renju-choices") ?? "{}") };
  } catch {
    return DEFAULTS;
  }
}

/** @param {Record<string, string>} choices */
function keep(choices) {
  kept.set("renju-choices", JSON.stringify(choices));
}
