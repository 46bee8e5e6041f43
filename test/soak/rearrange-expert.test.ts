import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { linesOf, makeWorld, robotEval } from "../support/cli.js";
import { evidenceSize, writeEvidence } from "../support/evidence.js";
import { meanOf, runOf } from "../support/manipulation.js";

const EPISODES = evidenceSize({ full: 100, soak: 3 });
const RANDOM_EPISODES = evidenceSize({ full: 20, soak: 1 });
/** Control steps of the random agent: at full size those of the task. */
const RANDOM_STEPS = evidenceSize({ full: 4000, soak: 600 });
/** Least share of solved episodes: the goal at full size; of three episodes one may fail. */
const LEAST_SUCCESS = evidenceSize({ full: 0.9, soak: 0.66 });
const TIMEOUT_MS = 7_200_000;
const STAGES = ["find_object", "pick", "find_receptacle", "place"];

describe("generated rearrange episodes that were never shipped", () => {
  it(
    "the expert solves most generated rearrange episodes, random none, and a replay with other workers is equal to the bit",
    async () => {
      const world = makeWorld();
      const generated = await robotEval(
        [
          ...["generate", "--task", "rearrange", "--scenes", "apartment", "--seed", "424"],
          ...["-n", String(EPISODES), "--out", "val.json.gz"],
        ],
        world.root,
      );
      expect(generated.code, generated.stderr).toBe(0);
      const benchmark = world.write(
        "new.yaml",
        stringify({
          benchmark: { name: "new" },
          rearrange_task: { type: "rearrange" },
          dataset: { rearrange: { type: "rearrange", data_path: "val.json.gz" } },
          simulator: { sensors: { gps: {} } },
          evaluation: { timeout: 3600, max_steps: 4000 },
        }),
      );
      const expert = await runOf(benchmark, "--agent", "expert", "--workers", "2");
      const lines = await linesOf(expert.run_dir);
      expect(expert.episodes, JSON.stringify(lines.map((line) => line.error))).toMatchObject({
        total: EPISODES,
        invalid: 0,
      });
      const metrics = expert.per_task.rearrange;
      const few = ["--first", String(RANDOM_EPISODES)];
      const steps = ["--set", `evaluation.max_steps=${RANDOM_STEPS}`];
      const random = await runOf(benchmark, "--agent", "random", ...few, ...steps);
      writeEvidence("rearrange-expert", "Generated rearrange episodes", [
        {
          agent: "expert",
          n: EPISODES,
          manip_success: meanOf(metrics, "manip_success"),
          interval: String(metrics?.manip_success?.ci95),
          ...Object.fromEntries(STAGES.map((stage) => [stage, meanOf(metrics, `stage_${stage}`)])),
        },
        {
          agent: "random",
          n: RANDOM_EPISODES,
          manip_success: meanOf(random.per_task.rearrange, "manip_success"),
        },
      ]);
      const failed = lines.filter(({ outcome }) => outcome !== "success");
      const reasons = failed.map(
        ({ episode_key, explanation }) => `${episode_key}: ${explanation}`,
      );
      expect(meanOf(metrics, "manip_success"), reasons.join("\n")).toBeGreaterThanOrEqual(
        LEAST_SUCCESS,
      );
      expect(meanOf(random.per_task.rearrange, "manip_success")).toBe(0);
      const replay = await robotEval(
        ["replay", String(expert.run_dir), "--workers", "1"],
        world.root,
      );
      expect(replay.code, replay.stderr).toBe(0);
    },
    TIMEOUT_MS,
  );
});
