import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { shippedEpisodes } from "../../../../test/support/manipulation.js";
import { BaseEpisode } from "../../../core/episode/base.js";
import { STRETCH } from "../../../robots/stretch.js";
import { worldOf } from "./from-episode.js";

/** SHA-256 of the worlds of shipped episodes, computed before levels became presets of axes. */
const GOLDEN: Readonly<Record<string, string>> = {
  pick_place: "b2b32ca8f70068802dd042916a3df60de8d32d15a93c56f585cb2488a868631b",
  stacking: "a9c1e364534f5e58a46b5e469f645c0bf3d25d21a6dd09acb7871d249a92022d",
  opening: "0a4240f99b1c220925041ed306907a73b5f55dc5c409dad0818e4a62acbfee64",
};

const EPISODES = 10;

describe("randomisation levels", () => {
  it.each(["pick_place", "stacking", "opening"])(
    "randomisation levels give the worlds of %s episodes that they always gave, to the bit",
    async (task) => {
      const hash = createHash("sha256");
      const episodes = (await shippedEpisodes(task)).slice(0, EPISODES);
      expect(episodes).toHaveLength(EPISODES);
      for (const episode of episodes) {
        for (const level of [0, 1, 2, 3]) {
          for (const physics of [false, true]) {
            const randomization = { level, physics };
            const { robot, ...world } = worldOf(
              BaseEpisode.fromDict({
                ...episode.toDict(),
                task_config: { ...episode.taskConfig, randomization },
              }),
              STRETCH,
            );
            // JSON prints doubles exactly.
            hash.update(JSON.stringify(world));
          }
        }
      }
      expect(hash.digest("hex")).toBe(GOLDEN[task]);
    },
  );
});
