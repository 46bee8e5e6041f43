import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { episodeIdOf } from "../../src/server/view/episode-id.js";
import { episodeName } from "./episode-name.js";

describe("the name of an episode in the breadcrumbs", () => {
  it.each(["vln/apartment/100/1", "pick_place/tabletop/0", "vln/my-flat/42_0", "a__b/c_d--e/f__g"])(
    "the name of an episode in the breadcrumbs is the key %s",
    (key) => {
      expect(episodeName(episodeIdOf(key, 0))).toEqual({ key, repeat: 0 });
      expect(episodeName(episodeIdOf(key, 2))).toEqual({ key, repeat: 2 });
    },
  );

  it.each([
    ["vln/17DRP5sb8fy/3", "vln_17DRP5sb8fy_3"],
    ["vln/a b/厨房~+%/3", "vln_a-b-厨房_3"],
  ])(
    "the name of an episode in the breadcrumbs is the readable name of %s, whose id has a hash",
    (key, name) => {
      expect(episodeName(episodeIdOf(key, 0))).toEqual({ key: name, repeat: 0 });
      expect(episodeName(episodeIdOf(key, 11))).toEqual({ key: name, repeat: 11 });
    },
  );

  it("the name of an episode in the breadcrumbs is the key of any episode whose id has no hash", () => {
    const part = fc.string({ unit: fc.constantFrom("a", "1", "_", "-", ".", "/"), maxLength: 6 });
    fc.assert(
      fc.property(part, part, fc.nat(20), (scene, text, repeat) => {
        const id = episodeIdOf(`vln/x${scene}x/${text}`, repeat);
        fc.pre(!/~2B[0-9a-f]{10}/.test(id));
        expect(episodeName(id)).toEqual({ key: `vln/x${scene}x/${text}`, repeat });
      }),
    );
  });

  it("the name of an episode in the breadcrumbs is the decoded text of an id that is not valid", () => {
    expect(episodeName("100~")).toEqual({ key: "100%", repeat: 0 });
  });
});
