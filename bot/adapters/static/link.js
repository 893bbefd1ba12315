// The line to the server: it comes back by itself, and what was not answered is sent again under the same id.

import { newId } from "./dom.js";

const SOONEST = 250;
const LATEST = 5000;

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
    const hurry = () => {
      if (this.socket === null && document.visibilityState !== "hidden") this.open();
    };
    addEventListener("online", hurry);
    document.addEventListener("visibilitychange", hurry);
    addEventListener("pageshow", hurry);
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    if (this.socket !== null) return;
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.wait = SOONEST;
      this.listener.changed(true);
      for (const text of this.waiting.values()) socket.send(text);
    });
    socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      if (message.id) this.waiting.delete(message.id);
      this.listener.heard(message);
    });
    socket.addEventListener("close", () => {
      if (this.socket !== socket) return;
      this.socket = null;
      this.listener.changed(false);
      this.timer = setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
      this.wait = Math.min(LATEST, this.wait * 2);
    });
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
    if (this.socket !== null && this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    return id;
  }
}
