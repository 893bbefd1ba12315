// Requests that change something.

import { say } from "./words.js";

/**
 * @param {string} path
 * @param {object} body
 * @returns {Promise<{ok: boolean, text: string, path: string}>} `text` says why not
 */
export async function ask(path, body) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const said = await answer.json();
    return { ok: answer.ok, text: said.text ?? "", path: said.path ?? "" };
  } catch {
    return { ok: false, text: say("not_reached"), path: "" };
  }
}
