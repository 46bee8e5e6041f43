import { expect, it } from "vitest";
import { WindowPool } from "./windows.js";

it("gives up with a clear error beyond its limit", () => {
  const pool = new WindowPool(3);
  for (let i = 0; i < 3; i++) expect(pool.add()).toBe(i);
  expect(() => pool.add()).toThrow(/not found within 3 windows/);
  pool.clear();
  expect(pool.add()).toBe(0);
});

it("keeps what it holds while it grows", () => {
  const pool = new WindowPool();
  for (let i = 0; i < 5000; i++) {
    const w = pool.add();
    pool.start[w] = i;
  }
  expect(pool.start[17]).toBe(17);
  expect(pool.start[4999]).toBe(4999);
});
