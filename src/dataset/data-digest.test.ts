import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { episodeDict } from "../../test/support/cli.js";
import { BaseEpisode } from "../core/episode/base.js";
import { DataDigester } from "./data-digest.js";

const DICTS = ["1", "2", "3", "4"].map((id) => episodeDict(id, "a", "d"));

function digest(dicts: readonly object[]) {
  const digester = new DataDigester();
  for (const dict of dicts) digester.add(BaseEpisode.fromDict(dict));
  return digester.digest();
}

describe("the data digest", () => {
  it("the digest does not depend on the order of episodes", () => {
    const all = digest(DICTS);
    expect(all.episodes).toBe(4);
    fc.assert(
      fc.property(fc.shuffledSubarray(DICTS, { minLength: DICTS.length }), (shuffled) => {
        expect(digest(shuffled)).toEqual(all);
      }),
      { numRuns: 20 },
    );
  });

  it.each([
    ["one is missing", DICTS.slice(1)],
    ["one is duplicated", [...DICTS, ...DICTS.slice(0, 1)]],
    ["a goal has moved", [{ ...episodeDict("1", "a", "c") }, ...DICTS.slice(1)]],
    [
      "an instruction is another",
      [{ ...DICTS[0], instruction: { text: "wait" } }, ...DICTS.slice(1)],
    ],
  ])("the digest changes when %s", (_, dicts) => {
    expect(digest(dicts).sha256).not.toBe(digest(DICTS).sha256);
  });

  it("an empty set of episodes has a digest", () => {
    expect(digest([])).toEqual({ episodes: 0, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });
});
