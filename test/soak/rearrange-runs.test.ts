import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { connect, serve } from "../../src/api/policy/index.js";
import { pullRun } from "../../src/cluster/pull.js";
import { submitRun } from "../../src/cluster/submit.js";
import { ClusterWorker } from "../../src/cluster/worker.js";
import { loadConfig } from "../../src/config/load.js";
import { type EvaluatorOptions, UnifiedRobotEvaluator } from "../../src/evaluator/evaluator.js";
import { resumeRun } from "../../src/evaluator/resume.js";
import { readTrajectory } from "../../src/runs/directory/trajectory.js";
import { ServedChallenge } from "../support/challenge.js";
import { linesOf, makeWorld, type World } from "../support/cli.js";
import { ROOT, runOf } from "../support/manipulation.js";
import { startPostgres } from "../support/postgres.js";
import { contentOf } from "../support/run-content.js";

/*
 * Short runs of `rearrange` on every way that a run can take. The expert's whole episodes are in rearrange-expert.
 */

const EPISODES = ["1", "6", "7", "61"];
/** Control steps; a named action takes about 40. */
const MAX_STEPS = 90;

const BENCHMARK = {
  benchmark: { name: "Short drives" },
  rearrange_task: { type: "rearrange", config: { max_steps: MAX_STEPS } },
  dataset: {
    rearrange: { type: "rearrange", data_path: join(ROOT, "data/rearrange/val.json.gz") },
  },
  simulator: { sensors: { gps: {}, compass: {}, held_object: {} } },
  evaluation: { timeout: 300, seed: 3 },
};

/** Drives in a curve, by observations. */
class Curve {
  static readonly sensors = ["gps", "compass"];
  #turns = false;

  act({ gps, compass }: Readonly<Record<string, unknown>>): string {
    if (gps === undefined || compass === undefined) throw new Error("a sensor is missing");
    this.#turns = !this.#turns;
    return this.#turns ? "turn_left" : "move_forward";
  }
}

let world: World;
let expected: Awaited<ReturnType<typeof contentOf>>;

const benchmarkFile = (name: string, evaluation: object = {}) => {
  const own = { ...BENCHMARK, evaluation: { ...BENCHMARK.evaluation, ...evaluation } };
  return world.write(name, stringify(own));
};
const filter = `id=${EPISODES.join("|")}`;

async function run(options: EvaluatorOptions, evaluation: object = {}) {
  const loaded = loadConfig(benchmarkFile("drives.yaml", evaluation));
  const usual = { agent: "random", filter, outDir: world.out };
  return new UnifiedRobotEvaluator(loaded, { ...usual, ...options }).run();
}

beforeAll(async () => {
  world = makeWorld();
  expected = await contentOf((await run({})).run_dir ?? "");
});

describe("a run of short rearrange episodes", () => {
  it("a run of short rearrange episodes has valid episodes that differ from each other", () => {
    const { lines } = expected;
    expect(lines.map(({ end_reason }) => end_reason)).toEqual(EPISODES.map(() => "max_steps"));
    expect(new Set(lines.map(({ final_state_hash }) => final_state_hash)).size).toBe(
      EPISODES.length,
    );
  });

  it.each([2, 4])(
    "a run of short rearrange episodes has the same content with %i workers",
    async (workers) => {
      const flags = ["--agent", "random", "--filter", filter, "--workers", String(workers)];
      const { run_dir } = await runOf(benchmarkFile("drives.yaml"), ...flags);
      expect(await contentOf(run_dir ?? "")).toEqual(expected);
    },
  );

  it("a run of short rearrange episodes has the same content after it was interrupted and resumed", async () => {
    const stop = new AbortController();
    const cut = await run({
      signal: stop.signal,
      onEvent: ({ type }) => {
        if (type === "episode") stop.abort();
      },
    });
    expect(cut).toMatchObject({ status: "cancelled", episodes: { total: 1 } });
    await resumeRun(cut.run_dir ?? "");
    expect(await contentOf(cut.run_dir ?? "")).toEqual(expected);
  });

  it("a run of short rearrange episodes has the same content from a worker of a cluster", async () => {
    const server = await startPostgres();
    const cluster = await server.cluster();
    const loaded = loadConfig(benchmarkFile("drives.yaml"));
    const plan = await new UnifiedRobotEvaluator(loaded, { agent: "random", filter }).prepare();
    await submitRun(cluster, plan, { runId: "drives" });
    const worker = new ClusterWorker(cluster, { untilEmpty: true });
    await worker.run(new AbortController().signal);
    const { run_dir } = await pullRun(cluster, "drives", { outDir: join(world.root, "pulled") });
    expect(await contentOf(run_dir ?? "")).toEqual(expected);
  });
});

describe("a policy that drives over a WebSocket", () => {
  /** Its run in this process, to which the one of a challenge is compared. */
  async function served(evaluation: object = {}) {
    const server = await serve(Curve, { port: 0 });
    const { run_dir } = await run({ agent: server.url }, evaluation);
    await server.close();
    return run_dir ?? "";
  }

  it("a policy that drives over a WebSocket drives into another state if its answers take effect later", async () => {
    const [at, late] = [await served(), await served({ simulated_latency: { steps: 5 } })];
    const [now, later] = [await linesOf(at), await linesOf(late)];
    for (const lines of [now, later]) {
      expect(lines.map(({ end_reason }) => end_reason)).toEqual(EPISODES.map(() => "max_steps"));
    }
    const hashes = (lines: typeof now) => lines.map(({ final_state_hash }) => final_state_hash);
    expect(hashes(later)).not.toEqual(hashes(now));
  });

  it("a policy that drives over a WebSocket gets the results of a run of its own in a challenge", async () => {
    const benchmark = benchmarkFile("drives.yaml");
    const phase = { name: "drive", benchmark, limit: 2, metrics: ["partial_success"] };
    const file = { name: "Drive", phases: [{ ...phase, leaderboard: "partial_success" }] };
    const challenge = await new ServedChallenge(stringify(file)).ready();
    const { team, token } = await challenge.team("drivers");
    const url = `ws://127.0.0.1:${challenge.port}/agent?phase=drive`;
    const client = await connect(Curve, url, { token });
    await client.closed;
    const [submission] = await challenge.store.submissions({ teamId: team.id });
    expect(submission).toMatchObject({ state: "done", episodes: { done: 2, total: 2 } });
    const submitted = await linesOf(submission?.runDir ?? null);
    await challenge.stop();
    const server = await serve(Curve, { port: 0 });
    const own = await run({ agent: server.url, filter: undefined, first: 2 });
    await server.close();
    const ends = (lines: typeof submitted) =>
      Object.fromEntries(lines.map((line) => [line.episode_key, line.final_state_hash]));
    expect(ends(submitted)).toEqual(ends(await linesOf(own.run_dir)));
  });
});

describe("the stress axis object_pose in apartments", () => {
  it("the stress axis object_pose in apartments moves objects that stay at rest on their furniture", async () => {
    const moved = await run(
      { agent: "random", filter: "id=6|26|51|61" },
      { perturbation: { axis: "object_pose", level: 3 } },
    );
    const lines = await linesOf(moved.run_dir);
    expect(lines.map(({ error }) => error)).toEqual(EPISODES.map(() => undefined));
    for (const { trajectory = "" } of lines) {
      const { records } = await readTrajectory(join(moved.run_dir ?? "", trajectory ?? ""));
      const [first, rested] = [records[0]?.state.objects ?? {}, records[20]?.state.objects ?? {}];
      expect(Object.keys(first).length).toBeGreaterThan(0);
      for (const [name, { position }] of Object.entries(first)) {
        const after = rested[name]?.position ?? [];
        expect(Math.abs((after[2] ?? 0) - position[2]), name).toBeLessThan(0.003);
      }
    }
  });
});
