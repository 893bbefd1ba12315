// The line to the server: it comes back by itself, and what was not answered is sent again under the same id.

import { newId } from "./dom.js";

const SOONEST = 250;
const LATEST = 5000;
/** A line that has said nothing for so long is asked whether it is still there. */
const QUIET = 25_000;
/** No answer within this time: the line is dead, whatever the browser believes. */
const DEAF = 8000;

/**
 * @typedef {object} Listener
 * @property {(message: any) => void} heard
 * @property {(open: boolean) => void} changed whether the line is open
 */

export class Link {
  /**
   * @param {string} table
   * @param {Listener} listener
   */
  constructor(table, listener) {
    this.address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/${table}`;
    this.listener = listener;
    /** @type {Map<string, string>} what was sent and not answered yet, by id */
    this.waiting = new Map();
    this.wait = SOONEST;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.timer = 0;
    this.deafTimer = 0;
    this.heardAt = 0;
    const back = () => {
      if (document.visibilityState === "hidden") return;
      if (this.socket === null) this.open();
      else this.#ask();
    };
    addEventListener("online", back);
    addEventListener("offline", () => this.#lost(this.socket));
    addEventListener("pageshow", back);
    document.addEventListener("visibilitychange", back);
    setInterval(() => {
      if (performance.now() - this.heardAt > QUIET) back();
    }, QUIET / 5);
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    if (this.socket !== null) return;
    const socket = new WebSocket(this.address);
    this.socket = socket;
    this.#expect(socket);
    socket.addEventListener("open", () => {
      if (this.socket !== socket) return;
      this.#heard();
      this.wait = SOONEST;
      this.listener.changed(true);
      for (const text of this.waiting.values()) this.#put(text);
    });
    socket.addEventListener("message", (event) => {
      if (this.socket !== socket) return;
      this.#heard();
      const message = JSON.parse(event.data);
      if (message.id) this.waiting.delete(message.id);
      this.listener.heard(message);
    });
    socket.addEventListener("close", () => this.#lost(socket));
  }

  /**
   * Say something to the server, once, however often the line breaks.
   * @param {{type: string, [key: string]: string}} message
   * @returns {string} the id under which it will be answered
   */
  send(message) {
    const id = newId();
    const text = JSON.stringify({ ...message, id });
    this.waiting.set(id, text);
    this.#put(text);
    return id;
  }

  /** @param {string} text */
  #put(text) {
    if (this.socket === null || this.socket.readyState !== WebSocket.OPEN) return;
    this.socket.send(text);
    this.#expect(this.socket);
  }

  #ask() {
    this.#put(JSON.stringify({ type: "ping", id: newId() }));
  }

  #heard() {
    clearTimeout(this.deafTimer);
    this.deafTimer = 0;
    this.heardAt = performance.now();
  }

  /** Whatever comes next, it has to come soon. @param {WebSocket} socket */
  #expect(socket) {
    if (this.deafTimer === 0) this.deafTimer = setTimeout(() => this.#lost(socket), DEAF);
  }

  /** @param {WebSocket | null} socket */
  #lost(socket) {
    if (socket === null || this.socket !== socket) return;
    this.socket = null;
    clearTimeout(this.deafTimer);
    this.deafTimer = 0;
    socket.close();
    this.listener.changed(false);
    this.timer = setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(LATEST, this.wait * 2);
  }
}
