// Small helpers around the document. Text always goes in as text, never as markup.

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Make an element.
 * @param {string} tag
 * @param {Record<string, any>} [props] attributes; `on...` are listeners; `false` and `null` leave one out
 * @param {...(Child | Child[])} children strings become text nodes
 * @returns {HTMLElement}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  fill(element, props, children);
  return element;
}

/**
 * The same for SVG.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...(Child | Child[])} children
 * @returns {SVGElement}
 */
export function s(tag, props = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, props, children);
  return element;
}

/**
 * @param {Element} element
 * @param {Record<string, any>} props
 * @param {(Child | Child[])[]} children
 */
function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") /** @type {any} */ (element).value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) if (child || child === "") element.append(child);
}

/**
 * Replace what is inside an element.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function put(element, ...children) {
  element.replaceChildren(.../** @type {(Node | string)[]} */ (children.flat().filter((c) => c || c === "")));
}

/**
 * Set an attribute only when it changes, so that screen readers are not disturbed; `null` removes it.
 * @param {Element} element
 * @param {string} name
 * @param {string | null} value
 */
export function attribute(element, name, value) {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** What is remembered on this device; nothing where storage is switched off. */
export const kept = {
  /** @param {string} key @returns {string | null} */
  get(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  /** @param {string} key @param {string | null} value */
  set(key, value) {
    try {
      if (value === null) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch {
      // Remembered until the page is left, then.
    }
  },
};

/** An id for one intention: sent twice, it is still one. @returns {string} */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(15));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}
