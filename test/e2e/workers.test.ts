import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { EpisodeLine, RunResults } from "../../src/core/interfaces/result.js";
import {
  episodeDict,
  linesOf,
  makeWorld,
  type Node,
  robotEval,
  startRobotEval,
  type World,
} from "../support/cli.js";

/** Workers load the built library. */
const LIBRARY = new URL("../../dist/index.js", import.meta.url).href;

const NODES: readonly Node[] = ["a", "b", "c", "d"];

/** All pairs of nodes in two scenes, and three episodes in a scene without a graph, which are invalid. */
function manyEpisodes() {
  return NODES.flatMap((from) =>
    NODES.filter((to) => to !== from).flatMap((to) =>
      ["hall", "yard", ...(from === "a" ? ["cellar"] : [])].map((scene) =>
        episodeDict(`${from}-${to}`, from, to, scene),
      ),
    ),
  );
}

/** What the faulty agent does in its episodes. `never` is a promise that does not settle. */
const FAULTS = {
  crashes: `
    if (episode.sceneId !== "hall") return "stop";
    if (episode.episodeId === "1") setTimeout(() => { throw new Error("nobody catches this"); });
    if (episode.episodeId === "2") Promise.reject(new Error("nobody handles this"));
    if (episode.episodeId === "3") process.exit(7);
    return episode.episodeId === "4" ? "stop" : never;`,
  blocks: `for (;;);`,
  waits: `
    writeFileSync("asked-" + episode.sceneId + "-" + episode.episodeId, "");
    return (async () => {
      while (!existsSync("answer")) await new Promise((done) => setTimeout(done, 5));
      return "stop";
    })();`,
};

/** A world whose agent stops at once, except in episodes where the expression `where` is true. */
function faultyWorld(fault: keyof typeof FAULTS, where: string, atStart = ""): World {
  const world = makeWorld();
  world.write(
    "plugin.mjs",
    `import { existsSync, writeFileSync } from "node:fs";
     import { isMainThread } from "node:worker_threads";
     const never = new Promise(() => {});
     const fail = (episode) => { ${FAULTS[fault]} };
     class Faulty {
       reset(episode) { this.episode = episode; }
       act() {
         const { sceneId, episodeId } = this.episode;
         return ${where} ? fail(this.episode) : "stop";
       }
     }
     export default ({ agents }) => {
       ${atStart}
       agents.register("faulty", { description: "", create: () => new Faulty() });
     };`,
  );
  return world;
}

const RUN_FAULTY = [
  ...["run", "benchmark.yaml", "--set", "plugins=[./plugin.mjs]", "--agent", "faulty"],
  ...["--out", "out", "--json"],
];

/** The content of a run without timings, in an order that does not depend on the workers. */
async function content({ run_dir, run_id, timings, ...summary }: RunResults) {
  const lines = (await linesOf(run_dir)).map(timeless).sort(byKey);
  const folder = join(run_dir ?? "", "trajectories");
  const trajectories = readdirSync(folder)
    .sort()
    .map((name) => [name, readFileSync(join(folder, name)).toString("base64")]);
  return { lines, trajectories, steps: timings.steps, summary: JSON.stringify(summary) };
}

function timeless(line: EpisodeLine) {
  const { wall_ms, sim_ms, agent_ms, agent_latency_ms, ...rest } = line;
  return rest;
}

function byKey(a: { readonly episode_key: string }, b: { readonly episode_key: string }): number {
  return a.episode_key < b.episode_key ? -1 : 1;
}

async function results(world: World, ...flags: readonly string[]): Promise<RunResults> {
  const run = ["run", "benchmark.yaml", "--out", "out", "--json", "--fail-on-invalid", "1"];
  const { code, stdout, stderr } = await robotEval([...run, ...flags], world.root);
  expect(code, stderr).toBe(0);
  const { run_dir, ...rest } = JSON.parse(stdout) as RunResults;
  return { ...rest, run_dir: join(world.root, run_dir ?? "") };
}

describe.concurrent("with several workers", () => {
  it("a run has the same content as with one worker, whatever the order of its episodes", async () => {
    const world = makeWorld(manyEpisodes());
    const flags = ["--agent", "random", "--seed", "9", "--filter", "scene=*a*|yard"];
    const set = ["--set", "evaluation.max_steps=9", "--set", "vln_task.config.success_distance=1"];
    const run = (...more: readonly string[]) => results(world, ...flags, ...set, ...more);
    const alone = await run("--workers", "1");
    expect(alone).toMatchObject({ seed: 9, episodes: { total: 27, invalid: 3 } });
    const expected = await content(alone);
    expect(expected.trajectories).toHaveLength(24);
    const otherwise = ["--concurrency", "2", "--set", "dataset.vln.shuffle=5"];
    expect(await content(await run("--workers", "3", ...otherwise))).toEqual(expected);
  });

  it("a replayed run equals the recorded one", async () => {
    const world = makeWorld(manyEpisodes());
    const recorded = await results(world, "--agent", "random", "--workers", "1");
    const agent = `replay:${recorded.run_dir}`;
    const replayed = await results(world, "--agent", agent, "--workers", "2");
    const { lines, trajectories } = await content(recorded);
    const again = await content(replayed);
    expect(again.trajectories).toEqual(trajectories);
    const withoutSeeds = ({ agent_seed, ...line }: ReturnType<typeof timeless>) => line;
    expect(again.lines.map(withoutSeeds)).toEqual(lines.map(withoutSeeds));
  });

  it("a replayed submission has the results of one worker", async () => {
    const world = makeWorld();
    const paths = ["hall", "yard"].flatMap((scan, i) => [
      { path_id: 2 * i, scan, path: ["a", "b", "c"] },
      { path_id: 2 * i + 1, scan, path: ["d", "c", "b"] },
    ]);
    const common = { heading: 0, distance: 4, instructions: ["Go."] };
    const data = world.write(
      "episodes/R2R_small.json",
      paths.map((path) => ({ ...path, ...common })),
    );
    const submission = world.write(
      "submission.json",
      paths.map(({ path_id, path }) => ({
        instr_id: `${path_id}_0`,
        trajectory: path.map((node) => [node, 0, 0]),
      })),
    );
    const flags = ["--set", `dataset.vln.data_path=${data}`, "--agent", `replay:${submission}`];
    const alone = await results(world, ...flags, "--workers", "1");
    expect(alone.aggregated_metrics.spl).toMatchObject({ mean: 1, count: 4 });
    const shared = await results(world, ...flags, "--workers", "2");
    expect(await content(shared)).toEqual(await content(alone));
  });
});

describe.concurrent("a run with a faulty worker", () => {
  it("a run with a faulty worker only loses the episodes that a crashed worker was running", async () => {
    const world = faultyWorld("crashes", "true");
    const flags = ["--workers", "2", "--fail-on-invalid", "1"];
    const { code, stdout, stderr } = await robotEval([...RUN_FAULTY, ...flags], world.root);
    expect(code, stderr).toBe(0);
    const { run_dir, ...summary } = JSON.parse(stdout) as RunResults;
    expect(summary).toMatchObject({
      status: "done",
      episodes: { total: 6, invalid: 3 },
      end_reasons: { stop: 3, worker_crashed: 3 },
      faults: { platform: 3 },
    });
    const run = join(world.root, run_dir ?? "");
    const lines = (await linesOf(run)).filter(({ outcome }) => outcome === "invalid").sort(byKey);
    const words = ["nobody catches this", "nobody handles this", "exited with code 7"];
    expect(lines).toMatchObject(
      words.map((word, i) => ({
        episode_key: `vln/hall/${i + 1}`,
        fault: "platform",
        end_reason: "worker_crashed",
        trajectory: null,
        error: { code: "worker_crashed", message: expect.stringContaining(word) },
      })),
    );
    const log = readFileSync(join(run, "log.jsonl"), "utf8");
    for (const word of words) expect(log).toContain(word);
  });

  it("a run stops a worker that blocks its thread after the timeout and a grace time", async () => {
    const world = faultyWorld("blocks", `sceneId === "hall" && episodeId === "2"`);
    const script = world.write(
      "main.mjs",
      `import { loadConfig, UnifiedRobotEvaluator } from ${JSON.stringify(LIBRARY)};
       const config = loadConfig("benchmark.yaml", {
         set: ["plugins=[./plugin.mjs]", "evaluation.timeout=2"],
       });
       const options = { agent: "faulty", outDir: null, workers: 2, workerGraceMs: 2000 };
       console.log(JSON.stringify(await new UnifiedRobotEvaluator(config, options).run()));`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [script], { cwd: world.root });
    const { invalid_episodes, end_reasons } = JSON.parse(stdout) as RunResults;
    expect(invalid_episodes).toMatchObject([
      { episode_key: "vln/hall/2", fault: "platform", code: "worker_hung" },
    ]);
    expect(end_reasons).toEqual({ stop: 5, worker_crashed: 1 });
  });

  it("a run exits with 2 and writes no run if a worker cannot load a plugin", async () => {
    const world = faultyWorld(
      "waits",
      "false",
      `if (!isMainThread) throw new Error("not in here");`,
    );
    const { code, stdout } = await robotEval([...RUN_FAULTY, "--workers", "2"], world.root);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: "bad_plugin", message: expect.stringContaining("not in here") },
    });
    expect(world.runs()).toEqual([]);
  });
});

describe.concurrent("Ctrl-C with several workers", () => {
  const WORDS = "stopping after the episodes under way; press Ctrl-C again to stop at once";

  async function askedAgents(world: World, count: number): Promise<void> {
    const files = () => readdirSync(world.root).filter((name) => name.startsWith("asked-"));
    while (files().length < count) await later(5);
  }

  it("Ctrl-C finishes the running episodes of all workers and marks the run as cancelled", async () => {
    const world = faultyWorld("waits", "true");
    const cli = startRobotEval([...RUN_FAULTY, "--workers", "2"], world.root);
    await askedAgents(world, 2);
    cli.signal("SIGINT");
    await cli.said(WORDS);
    world.write("answer", "");
    const { code, stdout, stderr } = await cli.done;
    expect(code, stderr).toBe(130);
    const { run_dir, ...summary } = JSON.parse(stdout) as RunResults;
    expect(summary).toMatchObject({ status: "cancelled", end_reasons: { stop: 2 } });
    const lines = await linesOf(join(world.root, run_dir ?? ""));
    expect(lines.map((line) => line.scene_id).sort()).toEqual(["hall", "yard"]);
  });

  it("Ctrl-C pressed twice stops at once, even if a worker is blocked", async () => {
    const world = faultyWorld("blocks", `writeFileSync("asked-" + sceneId, "") || true`);
    const cli = startRobotEval([...RUN_FAULTY, "--workers", "2"], world.root);
    await askedAgents(world, 2);
    cli.signal("SIGINT");
    await cli.said(WORDS);
    cli.signal("SIGINT");
    expect(await cli.done).toMatchObject({ code: 130, stdout: "" });
    const [run = ""] = world.runs();
    expect(existsSync(join(world.out, run, "summary.json"))).toBe(false);
  });
});
