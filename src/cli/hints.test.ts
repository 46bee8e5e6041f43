import { expect, it } from "vitest";
import { withoutHints } from "./hints.js";

it("withoutHints keeps each hint once and the other lines in their places", () => {
  const texts = ["one\n  hint: do this\n  more", "two\n  hint: do this", "three\n  hint: do that"];
  expect(withoutHints(texts)).toEqual({
    texts: ["one\n  more", "two", "three"],
    hints: ["hint: do this", "hint: do that"],
  });
});
