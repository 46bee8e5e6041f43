import { describe, expect, it } from "vitest";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { robotEval, robotEvalHere, type World } from "../support/cli.js";
import { contentOf } from "../support/run-content.js";
import { smallUnified } from "../support/small-unified.js";

/** For machines that are busy. */
const TIMEOUT_MS = 600_000;

const SHUFFLED = ["vln", "objectnav", "image_nav", "pick_place", "stacking", "opening"].flatMap(
  (task, i) => ["--set", `dataset.${task}.shuffle=${i + 5}`],
);

/** Where there is one worker, in this process. */
async function run(world: World, workers: number, ...flags: readonly string[]): Promise<string> {
  const args = ["run", world.yaml, "--out", world.out, "--json", "--workers", String(workers)];
  const command = workers === 1 ? robotEvalHere : robotEval;
  const { code, stdout, stderr } = await command([...args, ...flags], world.root);
  expect(code, stderr).toBe(0);
  return (JSON.parse(stdout) as RunResults).run_dir ?? "";
}

describe("every task, with bodies that err and worlds drawn by chance", () => {
  it(
    "comes out the same with 1, 2 and 4 workers, in another order and several at a time",
    async () => {
      const world = await smallUnified();
      const expected = await contentOf(await run(world, 1));
      const { lines, trajectories } = expected;
      expect(lines).toHaveLength(21);
      expect(lines.filter(({ outcome }) => outcome === "invalid")).toEqual([]);
      // Nothing would be shown by episodes that all are alike.
      expect(new Set(lines.map((line) => line.initial_state_hash)).size).toBe(21);
      expect(new Set(lines.map((line) => line.final_state_hash)).size).toBe(21);
      expect(new Set(trajectories).size).toBe(21);
      for (const [workers, flags] of [
        [1, ["--concurrency", "4"]],
        [2, ["--concurrency", "4", ...SHUFFLED]],
        [4, []],
      ] as const) {
        const again = await contentOf(await run(world, workers, ...flags));
        expect(again, `${workers} workers ${flags.join(" ")}`).toEqual(expected);
      }
    },
    TIMEOUT_MS,
  );
});
