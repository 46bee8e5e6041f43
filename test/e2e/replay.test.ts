import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import type { EpisodeLine, RunResults } from "../../src/core/interfaces/result.js";
import type { AuditReport, ReplayReport } from "../../src/evaluator/check/replay/documents.js";
import { type CliResult, linesOf, robotEval, robotEvalHere, type World } from "../support/cli.js";
import { SMALL_UNIFIED_EPISODES, smallUnified } from "../support/small-unified.js";

/** For busy machines. */
const TIMEOUT_MS = 300_000;
const ALL = SMALL_UNIFIED_EPISODES;

async function run(world: World, ...flags: readonly string[]): Promise<string> {
  const args = ["run", world.yaml, "--out", world.out, "--workers", "1", "--json", ...flags];
  const { code, stdout, stderr } = await robotEvalHere(args);
  expect(code, stderr).toBe(0);
  return (JSON.parse(stdout) as RunResults).run_dir ?? "";
}

function report<T>({ stdout, stderr }: CliResult): T {
  expect(stdout, stderr).toMatch(/^\{/);
  return JSON.parse(stdout) as T;
}

/** Edits one line of a plain or gzipped file. */
function change(file: string, number: number, edit: (line: string) => string): void {
  const bytes = readFileSync(file);
  const packed = file.endsWith(".gz");
  const lines = (packed ? gunzipSync(bytes) : bytes).toString("utf8").split("\n");
  const line = lines[number] ?? "";
  lines[number] = edit(line);
  expect(lines[number]).not.toBe(line);
  const text = lines.join("\n");
  writeFileSync(file, packed ? gzipSync(text) : text);
}

describe("a run of every task with actuation noise and randomised scenes", () => {
  let world: World;
  let runDir: string;
  let lines: readonly EpisodeLine[];
  const command = (...args: readonly string[]) => robotEvalHere([...args, "--workers", "1"]);
  const lineOf = (task: string) => {
    const found = lines.find((line) => line.task === task);
    if (!found?.trajectory) throw new Error(`no trajectory of ${task}`);
    return { key: found.episode_key, file: join(runDir, found.trajectory) };
  };

  beforeAll(async () => {
    world = await smallUnified();
    runDir = await run(world);
    lines = await linesOf(runDir);
  }, TIMEOUT_MS);

  it(
    "a run replays bit-exactly with several workers",
    async () => {
      const args = ["replay", runDir, "--workers", "2", "--json"];
      const result = await robotEval(args, world.root);
      expect(report<ReplayReport>(result)).toMatchObject({
        ...{ total: ALL, replayed: ALL, equal: ALL },
        ...{ different: [], skipped: [], warnings: [] },
      });
      expect(result.code).toBe(0);
    },
    TIMEOUT_MS,
  );

  it(
    "a run passes an audit of a sample",
    async () => {
      const result = await command("audit", runDir, "-n", "5", "--seed", "3");
      const counts = `5 of ${ALL} episodes audited (seed 3), 5 as recorded, 0 broken`;
      expect(result.stdout).toContain(counts);
      expect(result.code).toBe(0);
    },
    TIMEOUT_MS,
  );

  it(
    "a replay names step and field of a changed state, action or file",
    async () => {
      const [state, action, damaged] = [lineOf("stacking"), lineOf("opening"), lineOf("vln")];
      change(state.file, 6, (line) =>
        line.replace(/("qpos":\[-?\d\.\d)(\d)/, (_, before, digit) => before + ((+digit + 1) % 10)),
      );
      change(action.file, 4, (line) =>
        line.replace(/"action":\[[^\]]+\]/, (text) => text.replace(/-?\d\.\d+/, "0.123")),
      );
      writeFileSync(damaged.file, readFileSync(damaged.file).subarray(0, -20));
      const result = await command("replay", runDir, "--json");
      const { equal, different } = report<ReplayReport>(result);
      expect(equal).toBe(ALL - 3);
      expect(different).toMatchObject([
        { episode_key: action.key, step: 3, field: expect.stringMatching(/^state\./) },
        { episode_key: state.key, step: 5, field: expect.stringMatching(/^state\.qpos\[\d+\]$/) },
        { episode_key: damaged.key, field: "trajectory" },
      ]);
      expect(different[2]?.why).toContain(damaged.file);
      expect(result.code).toBe(4);
      const one = await command("replay", runDir, state.key);
      expect(one.stdout).toContain(`${state.key} step 5: state.qpos[`);
      expect(one.code).toBe(4);
    },
    TIMEOUT_MS,
  );

  it(
    "an audit fails if an episode line was edited",
    async () => {
      const number = lines.findIndex(({ task }) => task === "objectnav");
      change(join(runDir, "episodes.jsonl"), number, (line) =>
        line.replace(/("initial_state_hash":")./, "$1x"),
      );
      const result = await command("audit", runDir, "--all", "--initial-only", "--json");
      expect(report<AuditReport>(result)).toMatchObject({
        ...{ audited: ALL, equal: ALL - 1, otherwise: [] },
        broken: [{ episode_key: lines[number]?.episode_key, field: "initial_state_hash" }],
      });
      expect(result.code).toBe(4);
    },
    TIMEOUT_MS,
  );

  it("a replay suggests the nearest episode for a misspelt name", async () => {
    const { key } = lineOf("stacking");
    const result = await command("replay", runDir, key.replace("stacking", "staking"));
    expect(result.stderr).toContain(`did you mean "${key}"?`);
    expect(result.code).toBe(2);
  });
});

describe("a run with cameras", () => {
  it(
    "a run with cameras replays bit-exactly without rendering",
    async () => {
      const world = await smallUnified({
        simulator: {
          sensors: {
            rgb: { width: 32, height: 24 },
            rgb_head: { width: 32, height: 24 },
            rgb_wrist: { width: 32, height: 24 },
            qpos: {},
          },
        },
        evaluation: { max_steps: 12, seed: 2 },
      });
      // Images are rendered on first access, so the agent reads all of them.
      world.write(
        "looks.mjs",
        `export default ({ agents }) => agents.register("looks", {
           description: "looks at everything and stands still",
           wraps: () => "random",
           create: async ({ agent }) => {
             const inner = await agent("random");
             let seen = 0;
             return {
               reset: (episode) => inner.reset(episode),
               act: (observation) => {
                 for (const value of Object.values(observation)) seen += value?.data?.length ?? 0;
                 return inner.act(observation);
               },
             };
           },
         });`,
      );
      const flags = ["--set", "plugins=[./looks.mjs]", "--agent", "looks", "--limit", "1"];
      const runDir = await run(world, ...flags);
      // Only built-in simulators replay without rendering; the plugin is removed because it might replace one.
      const file = join(runDir, "run.json");
      const info = JSON.parse(readFileSync(file, "utf8"));
      writeFileSync(file, JSON.stringify({ ...info, config: { ...info.config, plugins: [] } }));
      const result = await robotEvalHere(["replay", runDir, "--json", "--workers", "1"]);
      expect(report<ReplayReport>(result)).toMatchObject({ replayed: 6, equal: 6 });
    },
    TIMEOUT_MS,
  );
});
