import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { robotEvalHere, temporaryFolder } from "../support/cli.js";
import {
  CHALLENGE,
  ROOT as root,
  runHere,
  settled,
  settledReplay,
  TASKS,
} from "../support/manipulation.js";
import { WITHOUT_REARRANGE } from "../support/small-unified.js";

/** Episodes of each task; test/soak/manipulation runs all of them. */
const LIMIT = 1;
const SOME = ["--first", String(LIMIT)];
/** One task of each robot. */
const FEW = ["--filter", "task=opening|arm_pick_place"];
const SMOKE = join(root, "configs/benchmarks/unified_smoke.yaml");
/** For busy machines. */
const TIMEOUT_MS = 300_000;

describe("the manipulation challenge", () => {
  let expert: RunResults;
  beforeAll(async () => {
    expert = await runHere(CHALLENGE, "--agent", "expert", ...SOME);
  }, TIMEOUT_MS);

  it("the expert solves the manipulation challenge", () => {
    const total = TASKS.length * LIMIT;
    expect(expert.episodes).toMatchObject({ total, success: total, failure: 0, invalid: 0 });
  });

  it(
    "the random agent does not solve the manipulation challenge",
    async () => {
      // 5 s of simulated time per episode; test/soak/manipulation runs them whole.
      const shorter = ["--set", "evaluation.max_steps=100", ...FEW];
      const { episodes } = await runHere(CHALLENGE, "--agent", "random", ...SOME, ...shorter);
      expect(episodes).toMatchObject({ total: 2 * LIMIT, success: 0, invalid: 0 });
    },
    TIMEOUT_MS,
  );

  it(
    "replaying recorded manipulation actions gives the same results",
    async () => {
      const again = await runHere(CHALLENGE, "--agent", `replay:${expert.run_dir}`, ...SOME);
      expect(again.episodes).toEqual(expert.episodes);
      expect(await settledReplay(again)).toEqual(await settledReplay(expert));
    },
    TIMEOUT_MS,
  );
});

describe("a recorded manipulation run", () => {
  let recorded: RunResults;
  beforeAll(async () => {
    // Some episodes fail, so that failures are scored again too.
    const flags = [...SOME, "--set", "evaluation.max_steps=100"];
    recorded = await runHere(CHALLENGE, "--agent", "expert", ...flags);
  }, TIMEOUT_MS);

  it("a manipulation run is rescored with the same results", async () => {
    expect(recorded.episodes.failure).toBeGreaterThan(0);
    const args = ["score", recorded.run_dir ?? "", "--out", temporaryFolder(), "--json"];
    const { stdout, stderr, code } = await robotEvalHere(args);
    expect(code, stderr).toBe(0);
    const scored = JSON.parse(stdout) as RunResults;
    expect(scored.aggregated_metrics).toEqual(recorded.aggregated_metrics);
    expect(scored.per_task).toEqual(recorded.per_task);
    expect(await settled(scored)).toEqual(await settled(recorded));
  });

  it("robot-eval map rejects the run of a robot that does not move, because there is no path to draw", async () => {
    const { code, stderr } = await robotEvalHere(["map", recorded.run_dir ?? ""]);
    expect(code).toBe(2);
    expect(stderr).toContain("maps are for robots that move");
  });
});

describe("robot-eval collect", () => {
  it(
    "robot-eval collect writes the expert episodes as a LeRobot dataset",
    async () => {
      const out = join(temporaryFolder(), "pick");
      const args = ["collect", CHALLENGE, "--agent", "expert", "--to", "lerobot", "--out", out];
      const small = ["rgb_head", "rgb_wrist"].flatMap((camera) => [
        ...["--set", `simulator.sensors.${camera}.width=32`],
        ...["--set", `simulator.sensors.${camera}.height=24`],
      ]);
      const some = ["--first", "1", "--filter", "task=pick_place", ...small];
      const { code, stderr } = await robotEvalHere([...args, ...some]);
      expect(code, stderr).toBe(0);
      const info = JSON.parse(readFileSync(join(out, "meta/info.json"), "utf8"));
      expect(info).toMatchObject({ total_episodes: 1, fps: 20 });
      expect(info.total_frames).toBeGreaterThan(50);
      // Action: seven joints and `stop`. State: joint positions, joint velocities, hand pose and gripper.
      expect(info.features.action.shape).toEqual([8]);
      expect(info.features["observation.state"].shape).toEqual([7 + 7 + 7 + 1]);
      expect(info.features["observation.images.rgb_wrist"].shape).toEqual([24, 32, 3]);
    },
    TIMEOUT_MS,
  );
});

describe("the unified smoke benchmark", () => {
  it(
    "the unified smoke benchmark runs six navigation and manipulation tasks in one run",
    async () => {
      const results = await runHere(SMOKE, "--first", "1", "--filter", WITHOUT_REARRANGE);
      expect(results.episodes).toMatchObject({ total: 6, success: 6, invalid: 0 });
      expect(Object.keys(results.per_task).sort()).toEqual(
        ["image_nav", "objectnav", "opening", "pick_place", "stacking", "vln"].sort(),
      );
    },
    TIMEOUT_MS,
  );
});
