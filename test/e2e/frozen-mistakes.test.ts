import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ParityReport } from "../../src/evaluator/check/parity/documents.js";
import { robotEvalHere, temporaryFolder } from "../support/cli.js";
import { changedPanda, shorten, type WritableRecord } from "../support/frozen-panda.js";
import { IS_SOAK } from "../support/sampled.js";

/** What is wrong, the number of a rollout, how many of its steps are played, and the mistake. */
type MistakeCase = [string, number, number, Mistake];

/** Its world is chaotic when the cube is touched, which takes 64 disturbed replays. */
const HEAVY_CUBE: MistakeCase = [
  "a cube that is 5 % too heavy",
  1,
  40,
  model('mass="0.2"', 'mass="0.21"'),
];

/** What a world that differs from its original by one small mistake must not hide behind rounding errors. */
describe("robot-eval parity of a world with a mistake", () => {
  beforeEach(() => {
    vi.stubEnv("XDG_CACHE_HOME", temporaryFolder());
    return () => vi.unstubAllEnvs();
  });

  it.each<MistakeCase>([
    ["a gain that is 0.1 % too high", 0, 2, description('"kp":[150,', '"kp":[150.15,')],
    ["a physics step less", 0, 1, description('"substeps":25', '"substeps":24')],
    ["a controller that runs once per action", 0, 1, description("step1_step2", "once")],
    ["a finger that closes 5 % faster", 0, 12, description('"steps":[-0.2]', '"steps":[-0.21]')],
    ["an inertia that is 1 % too high", 0, 2, model('armature="0.1"', 'armature="0.101"')],
    ...(IS_SOAK ? [HEAVY_CUBE] : []),
  ])("robot-eval parity finds %s", async (_, rollout, steps, mistake) => {
    const record = (one: WritableRecord) => shorten(one, rollout, steps);
    const yaml = changedPanda({ ...mistake, record });
    const { stdout, stderr, code } = await robotEvalHere(["parity", yaml, "--json"]);
    expect(code, stderr).toBe(4);
    const { worlds }: ParityReport = JSON.parse(stdout);
    expect(worlds[0]?.failed_rollouts).toBe(1);
  });
});

type Mistake = Omit<Parameters<typeof changedPanda>[0], "record">;

function description(what: string, by: string): Mistake {
  return { description: (text) => replaced(text, what, by) };
}

function model(what: string, by: string): Mistake {
  return { model: (text) => replaced(text, what, by) };
}

function replaced(text: string, what: string, by: string): string {
  const changed = text.replace(what, by);
  if (changed === text) throw new Error(`the world has no ${what}`);
  return changed;
}
