import { describe, expect, it } from "vitest";
import { contentOf } from "../support/run-content.js";
import { runSmallUnified, SMALL_UNIFIED_EPISODES, smallUnified } from "../support/small-unified.js";

/** For busy machines. */
const TIMEOUT_MS = 600_000;

const SHUFFLED = ["vln", "objectnav", "image_nav", "pick_place", "stacking", "opening"].flatMap(
  (task, i) => ["--set", `dataset.${task}.shuffle=${i + 5}`],
);

describe("a run of every task with actuation noise and randomised scenes", () => {
  it(
    "a run has the same content for any number of workers, episode order and concurrency",
    async () => {
      const world = await smallUnified();
      const expected = await contentOf(await runSmallUnified(world, 1));
      const { lines, trajectories } = expected;
      expect(lines).toHaveLength(SMALL_UNIFIED_EPISODES);
      expect(lines.filter(({ outcome }) => outcome === "invalid")).toEqual([]);
      // Distinct hashes show that the episodes differ; otherwise a swapped result would go unnoticed.
      expect(new Set(lines.map((line) => line.initial_state_hash)).size).toBe(
        SMALL_UNIFIED_EPISODES,
      );
      expect(new Set(lines.map((line) => line.final_state_hash)).size).toBe(SMALL_UNIFIED_EPISODES);
      expect(new Set(trajectories).size).toBe(SMALL_UNIFIED_EPISODES);
      for (const [workers, flags] of [
        [1, ["--concurrency", "4"]],
        [2, ["--concurrency", "4", ...SHUFFLED]],
      ] as const) {
        const again = await contentOf(await runSmallUnified(world, workers, ...flags));
        expect(again, `${workers} workers ${flags.join(" ")}`).toEqual(expected);
      }
    },
    TIMEOUT_MS,
  );
});
