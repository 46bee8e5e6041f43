import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { robotEvalHere, startRobotEval, temporaryFolder } from "../../test/support/cli.js";
import { benchmarkIndex } from "../config/benchmark-index.js";
import { PACKAGE_ROOT } from "../config/package-root.js";

describe("robot-eval list benchmarks", () => {
  it("robot-eval list benchmarks shows each benchmark with its tasks, episodes, requirements and agent", async () => {
    const { stdout, code } = await robotEvalHere(["list", "benchmarks"]);
    expect(code).toBe(0);
    const lines = stdout.split("\n").map((line) => line.split(/ {2,}/));
    expect(lines[0]).toEqual(["benchmark", "tasks", "episodes", "needs", "agent"]);
    expect(lines).toContainEqual(["vln_challenge", "vln", "100", "nothing", "shortest-path"]);
    expect(lines).toContainEqual([
      ...["robosuite", "lift, stack, can, door", "80"],
      ...["Python with robosuite", "none: --agent"],
    ]);
  });

  it("robot-eval list benchmarks prints the whole index with --json", async () => {
    const { stdout } = await robotEvalHere(["list", "benchmarks", "--json"]);
    expect(JSON.parse(stdout)).toEqual(benchmarkIndex());
  });
});

describe("robot-eval describe benchmarks", () => {
  it("robot-eval describe benchmarks names the file and the tasks", async () => {
    const { stdout } = await robotEvalHere(["describe", "benchmarks", "vln_graph", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      name: "vln_graph",
      episodes: 60,
      file: join(PACKAGE_ROOT, "configs/benchmarks/vln_graph.yaml"),
      tasks: [{ name: "vln", simulator: "graph" }],
    });
  });
});

describe("benchmark argument", () => {
  it("a misspelt benchmark fails with the nearest name and exit code 2", async () => {
    for (const args of [
      ["run", "vln_grph"],
      ["validate", "vln_grph"],
      ["collect", "vln_grph", "--out", join(temporaryFolder(), "x")],
      ["probe", "random", "--benchmark", "vln_grph"],
    ]) {
      const { code, stderr } = await robotEvalHere(args);
      expect(stderr).toContain('unknown benchmark "vln_grph"\n  hint: did you mean "vln_graph"?');
      expect(code).toBe(2);
    }
  });

  it("robot-eval run runs a named benchmark in the working directory and writes nothing into the package", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "vln_graph"));
    const run = ["run", "vln_graph", "--agent", "random", "--limit", "2", "--workers", "1"];
    const { code, stderr } = await startRobotEval(run, folder).done;
    expect(stderr).toContain('note: "vln_graph" is the name of a benchmark');
    expect(code).toBe(0);
    const [id = "none", ...others] = readdirSync(join(folder, "runs"));
    expect(others).toEqual([]);
    for (const again of ["resume", "replay"]) {
      const result = await robotEvalHere([again, join(folder, "runs", id)]);
      expect(result.code, result.stderr).toBe(0);
    }
  });
});

describe("robot-eval python", () => {
  it("robot-eval python prints the pip command on stdout, or only what pip installs", async () => {
    const folder = join(PACKAGE_ROOT, "python");
    const said = async (...args: string[]) => (await robotEvalHere(["python", ...args])).stdout;
    expect(await said()).toBe(`pip install ${folder}\n`);
    expect(await said("--path")).toBe(`${folder}\n`);
    expect(await said("--path", "--extra", "sim,jpeg")).toBe(`${folder}[sim,jpeg]\n`);
    expect(await said("--extra", "sim")).toBe(`pip install '${folder}[sim]'\n`);
    expect(await said("--path", "--extra", "mujoco-3-14")).toBe(`${folder}[mujoco-3-14]\n`);
    expect(JSON.parse(await said("--json"))).toMatchObject({ path: folder, requirement: folder });
  });

  it("robot-eval python rejects an extra that the client does not have", async () => {
    const { code, stderr } = await robotEvalHere(["python", "--extra", "robosute"]);
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean "robosuite"? valid: jpeg, runs, sim, robosuite');
  });
});
