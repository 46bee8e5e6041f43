import fc from "fast-check";
import { expect, it } from "vitest";
import { episodeIdOf } from "./episode-id.js";

it("needs no encoding in an address, and is no path", () => {
  expect(episodeIdOf("vln/apartment/100/1", 0)).toBe("vln~2Fapartment~2F100~2F1");
  expect(episodeIdOf("vln/apartment/100/1", 2)).toBe("vln~2Fapartment~2F100~2F1~~r2");
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", minLength: 1, maxLength: 40 }),
      fc.nat(9),
      (key, repeat) => {
        const id = episodeIdOf(key, repeat);
        expect(id).toMatch(/^[\w~][\w.~-]*$/);
        expect(encodeURIComponent(id)).toBe(id);
      },
    ),
  );
});

it("is another for another episode", () => {
  const tricky = [
    "a",
    "a~",
    "~",
    "%",
    "+",
    "a+r1",
    "a~~r1",
    "/",
    "%2F",
    "~2F",
    ".",
    "..",
    "x".repeat(400),
  ];
  const ids = tricky.flatMap((key) => [0, 1, 11].map((repeat) => episodeIdOf(key, repeat)));
  expect(new Set(ids).size).toBe(ids.length);
});
