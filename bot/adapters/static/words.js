// What the server sent along with the page.

/**
 * @typedef {object} Boot
 * @property {"home" | "table" | "invitation" | "missing" | "away"} view
 * @property {string} language
 * @property {Record<string, string>} languages
 * @property {string} name
 * @property {string} page which version of the page this is
 * @property {Record<string, string>} words
 * @property {{scene: import("./table.js").Scene, yours: boolean}[]} [games]
 * @property {{id: string, name: string, rules: string}[]} [protocols]
 * @property {{code: string, name: string}[]} [openings]
 * @property {string} [table]
 * @property {string} [state]
 * @property {string} [code]
 * @property {import("./table.js").Scene} [scene]
 */

/** @type {Boot} */
export const boot = JSON.parse(document.documentElement.dataset.boot ?? "{}");

/**
 * A text of the page in its language.
 * @param {string} key
 * @param {Record<string, string | number>} [gaps]
 * @returns {string}
 */
export function say(key, gaps = {}) {
  let text = boot.words[key] ?? key;
  for (const [name, value] of Object.entries(gaps)) text = text.replaceAll(`{${name}}`, String(value));
  return text;
}
