import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { makeWorld, robotEval, robotEvalHere, temporaryFolder } from "../support/cli.js";
import { evidenceSize, writeEvidence } from "../support/evidence.js";
import { meanOf, runOf } from "../support/manipulation.js";

const GENERATED = ["pick_place", "stacking", "opening"];
/** Episodes per task. */
const EPISODES = evidenceSize({ full: 100, soak: 12 });
const TIMEOUT_MS = 1_800_000;

describe("generated manipulation episodes that were never shipped", () => {
  it(
    "the expert solves at least 90 % of generated manipulation episodes",
    async () => {
      const world = makeWorld();
      // In parallel: each uses one core.
      await Promise.all(
        GENERATED.map(async (task) => {
          const out = join(world.root, `${task}.json.gz`);
          const { code, stderr } = await robotEval(
            ["generate", "--task", task, "--seed", "999", "-n", String(EPISODES), "--out", out],
            world.root,
          );
          expect(code, stderr).toBe(0);
        }),
      );
      const benchmark = world.write(
        "new.yaml",
        stringify({
          benchmark: { name: "new" },
          ...Object.fromEntries(
            GENERATED.map((task) => [
              `${task}_task`,
              { type: task, config: { robot_type: "stretch" } },
            ]),
          ),
          dataset: Object.fromEntries(
            GENERATED.map((task) => [task, { type: task, data_path: `${task}.json.gz` }]),
          ),
          evaluation: { max_steps: 500 },
        }),
      );
      const run = await runOf(benchmark, "--agent", "expert", "--workers", "2");
      expect(run.episodes).toMatchObject({ total: GENERATED.length * EPISODES, invalid: 0 });
      writeEvidence(
        "manipulation-generated",
        "The expert on generated manipulation episodes",
        GENERATED.map((task) => ({
          task,
          n: EPISODES,
          manip_success: meanOf(run.per_task[task], "manip_success"),
        })),
      );
      for (const task of GENERATED) {
        expect(meanOf(run.per_task[task], "manip_success"), task).toBeGreaterThanOrEqual(0.9);
      }
    },
    TIMEOUT_MS,
  );
});

describe("robot-eval generate", () => {
  it(
    "robot-eval generate writes the same bytes for the same seed",
    async () => {
      const folder = temporaryFolder();
      const files: Buffer[] = [];
      for (const [name, seed] of [
        ["a", "3"],
        ["b", "3"],
        ["c", "4"],
      ] as const) {
        const out = join(folder, `${name}.json.gz`);
        const args = ["generate", "--task", "opening", "-n", "1", "--seed", seed, "--out", out];
        const { code, stderr } = await robotEvalHere(args);
        expect(code, stderr).toBe(0);
        files.push(readFileSync(out));
      }
      const [a, b, c] = files;
      expect(a?.equals(b ?? Buffer.alloc(0))).toBe(true);
      expect(a?.equals(c ?? Buffer.alloc(0))).toBe(false);
    },
    TIMEOUT_MS,
  );
});
