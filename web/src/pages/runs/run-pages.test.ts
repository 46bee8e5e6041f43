import { expect, it } from "vitest";
import { pageRangeOf } from "./run-pages.js";

it("a short list has one page with all rows", () => {
  expect(pageRangeOf(undefined, 0)).toEqual({ number: 1, pages: 1, first: 0, end: 0 });
  expect(pageRangeOf("1", 100)).toEqual({ number: 1, pages: 1, first: 0, end: 100 });
});

it("the last page has the remaining rows", () => {
  expect(pageRangeOf("2", 101)).toEqual({ number: 2, pages: 2, first: 100, end: 101 });
  expect(pageRangeOf("50", 5000)).toMatchObject({ pages: 50, first: 4900, end: 5000 });
});

it("a URL with a page that does not exist gets the nearest one", () => {
  for (const [asked, number] of [
    ["0", 1],
    ["-3", 1],
    ["99", 3],
    ["Infinity", 3],
    ["1.9", 1],
    ["two", 1],
    ["", 1],
  ] as const) {
    expect(pageRangeOf(asked, 250).number, asked).toBe(number);
  }
});
