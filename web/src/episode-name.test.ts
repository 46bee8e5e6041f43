import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { episodeIdOf } from "../../src/server/view/episode-id.js";
import { episodeName } from "./episode-name.js";

describe("the name of an episode in the line of places", () => {
  it("is its key", () => {
    expect(episodeName(episodeIdOf("vln/apartment/100/1", 0))).toEqual({
      key: "vln/apartment/100/1",
      repeat: 0,
    });
    expect(episodeName(episodeIdOf("vln/a b/厨房~+%/3", 2))).toEqual({
      key: "vln/a b/厨房~+%/3",
      repeat: 2,
    });
  });

  it("is the key of any episode whose key is not too long for a file", () => {
    const key = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(key, fc.nat(20), (text, repeat) => {
        const id = episodeIdOf(`vln/x/${text}`, repeat);
        // Shortened, with a digest of the rest.
        fc.pre(!/~~[0-9a-f]{16}/.test(id));
        expect(episodeName(id)).toEqual({ key: `vln/x/${text}`, repeat });
      }),
    );
  });

  it("is what was typed where that is no name of ours", () => {
    expect(episodeName("100~")).toEqual({ key: "100%", repeat: 0 });
  });
});
