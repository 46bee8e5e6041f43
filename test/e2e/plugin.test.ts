import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import {
  createRegistries,
  type EpisodeLine,
  loadConfig,
  type RunResults,
  scoreRun,
  UnifiedRobotEvaluator,
} from "../../src/index.js";
import { tempDir } from "../support/tiny-world.js";

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const benchmark = path("examples/plugin/benchmark.yaml");
const cli = path("dist/cli/main.js");

/** The shortest-path agent goes straight, round one corner, and round two: 6 turns of 15 degrees each. */
const SOLVED = {
  success: { mean: 1, count: 3 },
  spl: { mean: 1, count: 3 },
  turns_taken: { mean: 6, min: 0, max: 12, count: 3, unit: "1", direction: "lower" },
};

describe("the example plugin in the library", () => {
  it("a plugin adds its task and its metric to an evaluation", async () => {
    const lines: EpisodeLine[] = [];
    const results = await new UnifiedRobotEvaluator(loadConfig(benchmark), {
      outDir: null,
      onEvent: (event) => {
        if (event.type === "episode") lines.push(event.line);
      },
    }).run();
    expect(results.aggregated_metrics).toMatchObject(SOLVED);
    expect(lines.map(({ episode_key, metrics }) => [episode_key, metrics.turns_taken])).toEqual([
      ["point_nav/courtyard/straight", 0],
      ["point_nav/courtyard/corner", 6],
      ["point_nav/courtyard/two-corners", 12],
    ]);
  });

  it("a plugin is registered only in the evaluation that names it", async () => {
    const registries = createRegistries();
    await new UnifiedRobotEvaluator(loadConfig(benchmark), { registries, outDir: null }).prepare();
    expect(registries.tasks.nameOf("point_nav")).toBe("Point-Goal Navigation");
    expect(registries.tasks.get("point_nav", {}).family).toBe("navigation");
    expect(registries.metrics.has("turns_taken")).toBe(true);
    expect(createRegistries().tasks.has("point_nav")).toBe(false);
  });

  it("the settings of a plugin task are checked like those of any other task", async () => {
    const config = loadConfig(benchmark, { set: ["point_nav_task.config.sucess_distance=1"] });
    await expect(new UnifiedRobotEvaluator(config, { outDir: null }).run()).rejects.toMatchObject({
      name: "ConfigError",
      where: "--set point_nav_task.config.sucess_distance",
    });
  });

  it("a run of the example plugin can be rescored from its run directory", async () => {
    const { run_dir } = await new UnifiedRobotEvaluator(loadConfig(benchmark), {
      outDir: tempDir(),
    }).run();
    const scored = await scoreRun({
      path: run_dir ?? "",
      outDir: null,
      registries: createRegistries(),
    });
    expect(scored.aggregated_metrics).toMatchObject(SOLVED);
  });
});

describe.skipIf(!existsSync(cli))("the example plugin on the command line", () => {
  /** Parses stdout, which is exactly one JSON document with `--json`. */
  async function robotEval(cwd: string, ...args: string[]): Promise<RunResults> {
    const { stdout } = await promisify(execFile)(process.execPath, [cli, ...args], { cwd });
    return JSON.parse(stdout) as RunResults;
  }

  it.each(["the project", "another folder"])(
    "the example plugin on the command line runs from %s",
    async (where) => {
      const cwd = where === "the project" ? path(".") : tempDir();
      const results = await robotEval(cwd, "run", benchmark, "--out", tempDir(), "--json");
      expect(results.status).toBe("done");
      expect(results.aggregated_metrics).toMatchObject(SOLVED);
      expect(existsSync(results.run_dir ?? "")).toBe(true);
    },
  );

  it("a run of the example plugin can be rescored from its run directory", async () => {
    const out = tempDir();
    const { run_dir } = await robotEval(path("."), "run", benchmark, "--out", out, "--json");
    const scored = await robotEval(path("."), "score", run_dir ?? "", "--out", out, "--json");
    expect(scored.aggregated_metrics).toMatchObject(SOLVED);
  });
});
