import fs, { readFile } from "node:fs";
import "./setup.js";
const path = require("path");

// How long to wait.
export const TIMEOUT = 30;

let first = 1,
  second = [1, 2];

/**
 * Loads a file.
 * @param {string} name
 */
export async function load(name, { retries = 3 } = {}) {
  const local = await readFile(path.join(name));
  function inner() {
    return local?.size();
  }
  return inner() ?? new Cache(name).get`x`;
}

// Doubles.
export const double = (n) => n * 2;

const handler = function* named(event) {
  yield double(event);
};

export default class Cache extends Base {
  static #count = 0;
  limit = 10;
  onChange = (e) => this.emit(e);

  // Makes one.
  constructor(name) {
    super(name);
  }

  get size() {
    return this.items.length;
  }

  static async *[Symbol.iterator]() {}

  #hidden() {
    outer: for (const x of this.items) {
      if (x) continue outer;
    }
  }
}

module.exports.close = function () {};
Cache.prototype.open = function (mode) {
  return fs.open(mode);
};

const api = {
  list() {
    return [];
  },
  remove: async (id) => del(id),
};

describe("cache", () => {
  const cache = new Cache("a");
  it("holds values", async () => {
    expect(cache.get("b")).toBe(1);
  });
});
