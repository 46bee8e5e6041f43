import { expect, it } from "vitest";
import { runPageOf } from "./run-pages.js";

it("all rows of a short list are on one page", () => {
  expect(runPageOf(undefined, 0)).toEqual({ number: 1, pages: 1, first: 0, end: 0 });
  expect(runPageOf("1", 100)).toEqual({ number: 1, pages: 1, first: 0, end: 100 });
});

it("the last page has the rows that are left", () => {
  expect(runPageOf("2", 101)).toEqual({ number: 2, pages: 2, first: 100, end: 101 });
  expect(runPageOf("50", 5000)).toMatchObject({ pages: 50, first: 4900, end: 5000 });
});

it("an address that asks for no page there is gets the nearest", () => {
  for (const [asked, number] of [
    ["0", 1],
    ["-3", 1],
    ["99", 3],
    ["Infinity", 3],
    ["1.9", 1],
    ["two", 1],
    ["", 1],
  ] as const) {
    expect(runPageOf(asked, 250).number, asked).toBe(number);
  }
});
