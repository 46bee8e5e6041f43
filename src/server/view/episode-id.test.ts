import fc from "fast-check";
import { expect, it } from "vitest";
import { episodeIdOf } from "./episode-id.js";

it("the id of an episode needs no encoding in a URL and is not a path", () => {
  expect(episodeIdOf("vln/apartment/100/1", 0)).toBe("vln_apartment-100_1");
  expect(episodeIdOf("vln/apartment/100/1", 2)).toBe("vln_apartment-100_1~2Br2");
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

it("different episodes have different ids", () => {
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
