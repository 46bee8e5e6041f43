import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load.js";
import type { EpisodeLine, RunResults } from "../../src/core/interfaces/result.js";
import { replayRun } from "../../src/evaluator/check/replay/replay-run.js";
import { type EvaluatorOptions, UnifiedRobotEvaluator } from "../../src/evaluator/evaluator.js";
import { createRegistries } from "../../src/registry/registries.js";
import { bundleRun } from "../../src/runs/bundle/bundle-run.js";
import { RunDirectory } from "../../src/runs/directory/run-directory.js";
import { readTrajectory } from "../../src/runs/directory/trajectory.js";
import { mergeRuns } from "../../src/runs/merge/merge-runs.js";
import { poseTrack, sceneGlb } from "../../src/server/view/geometry/index.js";
import { linesOf, robotEval, robotEvalHere } from "../support/cli.js";
import { advanceWhen, stopClock } from "../support/clock.js";
import { type PointBenchmark, pointBenchmark } from "../support/point-benchmark.js";
import { contentOf } from "../support/run-content.js";

async function evaluate(benchmark: PointBenchmark, options: EvaluatorOptions = {}) {
  const results: RunResults = await new UnifiedRobotEvaluator(loadConfig(benchmark.yaml), {
    agent: "random",
    outDir: benchmark.out,
    ...options,
  }).run();
  const folder = results.run_dir ?? "";
  return {
    results,
    folder,
    lines: await linesOf(folder),
    log: readFileSync(join(folder, "log.jsonl"), "utf8"),
  };
}

async function shown(folder: string, line: EpisodeLine | undefined) {
  if (!line) throw new Error("there is no such episode");
  const run = await RunDirectory.open(folder);
  return sceneGlb(run, await run.info(), line);
}

const files = (folder: string) => readdirSync(join(folder, "geometry")).sort();
const said = (benchmark: PointBenchmark): readonly string[] =>
  benchmark.said().match(/geometry, \w+/g) ?? [];

describe("a remote simulator that sends its geometry", () => {
  it("the geometry of each scene is stored once and shown with its recorded motion", async () => {
    const benchmark = pointBenchmark({ episodes: 4, args: ["--geometry"] });
    const { folder, lines } = await evaluate(benchmark);
    // Two scenes and one mesh that both use.
    expect(files(folder)).toHaveLength(3);
    expect(new Set(lines.map(({ geometry }) => geometry)).size).toBe(2);
    expect(said(benchmark)).toEqual(["geometry, sent", ...Array(3).fill("geometry, known")]);

    const [line] = lines;
    const run = await RunDirectory.open(folder);
    const scene = await shown(folder, line);
    expect("bytes" in scene && Buffer.from(scene.bytes.subarray(0, 4)).toString()).toBe("glTF");
    if (!line) return;
    const track = await poseTrack(run, await run.info(), line);
    expect(track?.bodies).toEqual(["point"]);
    const { records } = await readTrajectory(run.trajectoryOf(line) ?? "");
    expect(track?.steps).toBe(records.length);
    const poses = Buffer.from(track?.poses ?? "", "base64");
    const drawn = records.map((_, i) => [0, 4].map((at) => poses.readFloatLE(28 * i + at)));
    expect(drawn).toEqual(records.map(({ state }) => (state.qpos ?? []).map(Math.fround)));
    expect(new Set(drawn.map(String)).size).toBeGreaterThan(3);
  });

  it("geometry is compiled once for the scene of an episode and its track", async () => {
    const benchmark = pointBenchmark({ episodes: 1, args: ["--geometry"] });
    const { folder, lines } = await evaluate(benchmark);
    const [line] = lines;
    expect(await shown(folder, line)).toHaveProperty("bytes");
    if (!line) return;
    // Without its source files the geometry cannot be compiled again, so the track must use the cache.
    rmSync(join(folder, "geometry"), { recursive: true });
    const run = await RunDirectory.open(folder);
    expect(await poseTrack(run, await run.info(), line)).toMatchObject({ bodies: ["point"] });
  });

  it("recorded geometry does not affect replays, and merges and bundles include it", async () => {
    const benchmark = pointBenchmark({ episodes: 2, args: ["--geometry"] });
    const { yaml, out, root } = benchmark;
    const done = await robotEval(
      ["run", yaml, "--agent", "random", "--out", out, "--workers", "2", "--json"],
      root,
    );
    expect(done.code, done.stderr).toBe(0);
    const folder = (JSON.parse(done.stdout) as RunResults).run_dir ?? "";
    const lines = await linesOf(folder);
    expect(files(folder)).toHaveLength(3);
    expect((await replayRun(folder)).equal).toBe(2);
    const bundle = await bundleRun({
      path: folder,
      out: join(benchmark.root, "run.bundle"),
      registries: createRegistries(),
      scenes: true,
      videos: false,
    });
    const packed = bundle.files.flatMap(({ path }) => path.match(/geometry\/(.+)/)?.[1] ?? []);
    expect(packed.sort()).toEqual(files(folder));
    expect(lines.every(({ geometry }) => geometry !== undefined)).toBe(true);
    const outDir = join(benchmark.root, "parts");
    const shards = await Promise.all(
      ["1/2", "2/2"].map((shard) => evaluate(benchmark, { shard, outDir })),
    );
    const merged = await mergeRuns({
      paths: shards.map((one) => one.folder),
      outDir: join(benchmark.root, "merged"),
      registries: createRegistries(),
    });
    expect(files(merged.run_dir ?? "")).toEqual(files(folder));
  });

  it("a run that was interrupted and resumed has complete geometry", async () => {
    const benchmark = pointBenchmark({ episodes: 4, args: ["--geometry"] });
    const whole = await evaluate(benchmark);
    const stop = new AbortController();
    const { folder, lines: before } = await evaluate(benchmark, {
      outDir: join(benchmark.root, "stopped"),
      workers: 1,
      signal: stop.signal,
      onEvent: ({ type }) => type === "episode" && stop.abort(),
    });
    expect(before.length).toBeLessThan(4);
    // An empty file, as a power failure may leave it.
    const [mesh = ""] = files(folder).filter((name) => !name.endsWith(".json.gz"));
    writeFileSync(join(folder, "geometry", mesh), "");
    const { code, stderr } = await robotEvalHere(["resume", folder]);
    expect(code, stderr).toBe(0);
    expect(await contentOf(folder)).toEqual(await contentOf(whole.folder));
    expect(files(folder)).toEqual(files(whole.folder));
    for (const line of await linesOf(folder)) {
      expect(line.geometry).toBeDefined();
      expect(await shown(folder, line)).toHaveProperty("bytes");
    }
    expect((await replayRun(folder)).equal).toBe(4);
  });

  it.each([
    ["escape", /names a file/],
    ["hang", /no answer to `geometry`/],
  ])(
    "no episode is lost if its geometry fails (%s), and the log has the reason",
    async (looks, why) => {
      const benchmark = pointBenchmark({
        episodes: 2,
        args: ["--geometry"],
        env: () => ({ looks }),
        simulator: { reset_timeout_s: 60 },
      });
      stopClock();
      const run = evaluate(benchmark);
      // The simulator is not asked again after it has failed to answer once.
      const hasHung = () => said(benchmark).includes("geometry, hangs");
      if (looks === "hang") await advanceWhen(hasHung, 60_000);
      const { results, log, lines, folder } = await run;
      expect(results.episodes).toMatchObject({ success: 2, invalid: 0 });
      expect(log).toMatch(/"event":"no_geometry"/);
      expect(log).toMatch(why);
      expect(lines.every(({ geometry }) => geometry === undefined)).toBe(true);
      expect(await shown(folder, lines[0])).toEqual({
        note: expect.stringContaining("sent no geometry"),
      });
    },
  );

  it("the page has the reason if MuJoCo cannot read the geometry or its files are missing", async () => {
    const env = (i: number) => ({ looks: ["broken", "nothing", "well"][i] });
    const benchmark = pointBenchmark({ episodes: 3, args: ["--geometry"], env });
    const { folder, lines } = await evaluate(benchmark);
    const of = (id: string) =>
      shown(
        folder,
        lines.find(({ episode_id }) => episode_id === id),
      );
    expect(await of("0")).toEqual({ note: expect.stringMatching(/MuJoCo cannot compile.*wings/s) });
    expect(await of("1")).toEqual({
      note: expect.stringContaining("the simulator sent no geometry"),
    });
    rmSync(join(folder, "geometry"), { recursive: true });
    expect(await of("2")).toEqual({ note: expect.stringContaining("cannot be read") });
  });
});
