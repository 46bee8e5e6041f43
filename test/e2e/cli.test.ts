import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import type { RunInfo, RunResults } from "../../src/core/interfaces/result.js";
import { RunDirectory } from "../../src/runs/directory/run-directory.js";
import {
  type CliResult,
  episodeDict,
  linesOf,
  makeWorld,
  robotEval,
  robotEvalHere,
  temporaryFolder,
  type World,
} from "../support/cli.js";

const COMMANDS = ["run", "score", "compare", "validate", "list", "describe", "doctor"];

interface Comparison {
  readonly metrics: readonly { readonly difference: number }[];
  readonly flipped: object;
}

interface Checkup {
  readonly healthy: boolean;
  readonly checks: readonly object[];
}

/** Parses stdout as one JSON document. */
const document = ({ stdout }: CliResult): unknown => JSON.parse(stdout);

describe("robot-eval --help", () => {
  it("robot-eval --help lists every command, the exit codes and a first command", async () => {
    const { code, stdout, stderr } = await robotEval(["--help"], temporaryFolder());
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const name of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${name} `, "m"));
    expect(stdout).toContain("Exit codes: 0 ok");
    expect(stdout).toContain("Start here:");
  });

  it.each(COMMANDS)("robot-eval --help shows an example for %s", async (name) => {
    const { code, stdout, stderr } = await robotEvalHere([name, "--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(new RegExp(`^Examples?:\\n  robot-eval ${name}`, "m"));
  });

  it("robot-eval shows usage for a missing command and a suggestion for an unknown one", async () => {
    const nothing = await robotEvalHere([]);
    expect(nothing).toMatchObject({ code: 2, stdout: "" });
    expect(nothing.stderr).toContain("Usage: robot-eval");
    const wrong = await robotEvalHere(["rum"]);
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain("Did you mean run?");
  });

  it("robot-eval --version prints the version", async () => {
    const { code, stdout } = await robotEval(["--version"], temporaryFolder());
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("robot-eval run", () => {
  let world: World;
  let plain: CliResult;
  let json: CliResult;
  beforeAll(async () => {
    world = makeWorld();
    [plain, json] = await Promise.all([
      robotEval(["run", "benchmark.yaml", "--agent", "random", "--out", "out"], world.root),
      robotEval(
        ["run", "benchmark.yaml", "--agent", "random", "--out", "json", "--json"],
        world.root,
      ),
    ]);
  });

  it("robot-eval run prints data on stdout and messages on stderr", () => {
    expect(plain.code).toBe(0);
    expect(plain.stdout).toMatch(/^small world · agent random\n6 episodes: /);
    expect(plain.stdout).toMatch(/success +\d\.\d{3} +\[/);
    expect(plain.stderr).toMatch(/^vln: the policy receives instruction, gps, compass, /);
    expect(plain.stderr).toMatch(/^6 episodes into out/m);
  });

  it("robot-eval run prints the run directory and the command to view it in the last line", () => {
    const [id] = world.runs();
    expect(plain.stderr.trimEnd().split("\n").at(-1)).toBe(
      `run directory: out/${id}   look at it: robot-eval view out`,
    );
    expect(json.stderr.trimEnd().split("\n").at(-1)).toMatch(/^run directory: json\//);
  });

  it("robot-eval run prints plain lines without colours or rewriting when not on a terminal", () => {
    for (const said of [plain.stdout, plain.stderr]) {
      expect(said).not.toContain("\u001b");
      expect(said).not.toContain("\r");
    }
    expect(plain.stderr).toMatch(/^6\/6 · vln success/m);
  });

  it("run --json prints exactly one document with the summary and its path", async () => {
    expect(json.code).toBe(0);
    const { run_dir, sensors, ...summary } = document(json) as RunResults &
      Pick<RunInfo, "sensors">;
    const run = await RunDirectory.open(join(world.root, run_dir ?? ""));
    expect(summary).toEqual(await run.summary());
    expect(sensors).toEqual((await run.info()).sensors);
    expect(summary).toMatchObject({ format: "robot-eval-summary/1", episodes: { total: 6 } });
  });

  it("robot-eval run writes a complete run directory", async () => {
    const [id = ""] = world.runs();
    const path = join(world.out, id);
    expect(readdirSync(path).sort()).toEqual([
      "benchmark.yaml",
      "episodes.jsonl",
      "log.jsonl",
      "run.json",
      "summary.json",
      "trajectories",
    ]);
    expect(readFileSync(join(path, "benchmark.yaml"), "utf8")).toBe(
      readFileSync(world.yaml, "utf8"),
    );
    expect(await new RunDirectory(path).info()).toMatchObject({
      format: "robot-eval-run/1",
      run_id: id,
      status: "done",
      agent: "random",
      seed: 0,
      disclosed: { vln: [] },
    });
    expect(await linesOf(path)).toHaveLength(6);
    expect(readdirSync(join(path, "trajectories"))).toHaveLength(6);
  });

  it("robot-eval run writes a run that can be described, rescored, replayed and compared", async () => {
    const [id = ""] = world.runs();
    const run = join(world.out, id);
    const described = await robotEvalHere(["describe", "run", run]);
    expect(described).toMatchObject({ code: 0, stderr: "" });
    expect(described.stdout).toContain("how episodes ended:");

    const to = (name: string) => ["--out", join(world.root, name), "--json"];
    const scored = await robotEvalHere(["score", run, "--profile", "vlnce", ...to("scored")]);
    expect(scored.code).toBe(0);
    expect(document(scored)).toMatchObject({ profiles: { vln: "vlnce" }, episodes: { total: 6 } });

    const agent = `replay:${run}`;
    const replayed = await robotEvalHere(["run", world.yaml, "--agent", agent, ...to("replayed")]);
    expect(replayed.code).toBe(0);
    const again = document(replayed) as RunResults;
    expect(again.aggregated_metrics).toEqual((document(json) as RunResults).aggregated_metrics);

    const compared = await robotEvalHere(["compare", run, again.run_dir ?? "", "--json"]);
    expect(compared).toMatchObject({ code: 0, stderr: "" });
    const { metrics, flipped } = document(compared) as Comparison;
    expect(metrics.map((row) => row.difference)).toEqual(metrics.map(() => 0));
    expect(flipped).toEqual({ to_success: [], to_failure: [] });
  });

  it("robot-eval run takes limit, filter, seed and settings from the command line", async () => {
    const result = await robotEvalHere([
      ...["run", world.yaml, "--agent", "shortest-path", "--out", join(world.root, "some")],
      ...["--limit", "3", "--filter", "scene=hall,id=1|2|4", "--seed", "9", "--json"],
      ...["--set", "vln_task.config.metrics=[spl]", "--concurrency", "2"],
    ]);
    expect(result.code).toBe(0);
    const results = document(result) as RunResults;
    expect(results).toMatchObject({ seed: 9, episodes: { total: 3, success: 3 } });
    expect(Object.keys(results.aggregated_metrics)).toEqual(["success", "spl"]);
    expect(await new RunDirectory(results.run_dir ?? "").info()).toMatchObject({
      seed: 9,
      selection: { limit: 3, filter: "scene=hall,id=1|2|4" },
      config: { evaluation: { seed: 9 }, agent: "shortest-path" },
    });
  });
});

describe("exit codes", () => {
  const world = makeWorld([episodeDict("1", "a", "d"), episodeDict("2", "a", "x")]);
  const run = (...flags: readonly string[]) =>
    robotEvalHere(["run", world.yaml, "--agent", "shortest-path", "--out", world.out, ...flags]);

  it.each([
    ["3 for too many invalid episodes", 3, [], "too many invalid episodes: 1 of 2"],
    ["0 for as many invalid episodes as are allowed", 0, ["--fail-on-invalid", "0.5"], ""],
    [
      "4 for a missed threshold",
      4,
      ["--filter", "id=1", "--threshold", "navigation_error=-1"],
      "threshold missed: navigation_error is 0, needs at most -1",
    ],
    ["0 for a met threshold", 0, ["--filter", "id=1", "--threshold", "success=1"], ""],
    [
      "3 if there are too many invalid episodes and a missed threshold",
      3,
      ["--threshold", "navigation_error=-1"],
      "threshold missed",
    ],
    ["2 for an invalid flag value", 2, ["--fail-on-invalid", "2"], "between 0 and 1"],
  ] as const)("the exit code is %s", async (_, code, flags, words) => {
    const result = await run(...flags);
    expect(result.code, result.stderr).toBe(code);
    expect(result.stderr).toContain(words);
  });

  it("the exit code of probe is 4 for a policy that cannot be reached, and hints are printed once", async () => {
    const flags = ["--task", "vln", "--set", "policy.connect_timeout=0.05"];
    const { code, stdout } = await robotEvalHere(["probe", "ws://127.0.0.1:9", ...flags]);
    expect(code, stdout).toBe(4);
    expect(stdout).toContain("it does not work yet");
    expect(stdout.match(/hint: /g)).toHaveLength(1);
  });

  it("the exit code follows fail_on_invalid of the benchmark", async () => {
    expect((await run("--set", "evaluation.fail_on_invalid=0.5")).code).toBe(0);
  });
});

describe("--json", () => {
  const world = makeWorld();

  it("--json prints one document for list and describe", async () => {
    const listed = await robotEval(["list", "metrics", "--json"], world.root);
    const described = await robotEvalHere(["describe", "metrics", "spl", "--json"]);
    expect(listed).toMatchObject({ code: 0, stderr: "" });
    expect(document(listed)).toContainEqual({ name: "spl", summary: expect.any(String) });
    expect(described).toMatchObject({ code: 0, stderr: "" });
    expect(document(described)).toMatchObject({ name: "spl", unit: "1", gated_by_success: true });
  });

  it.each([
    ["an unknown name", ["describe", "metrics", "splx"], "unknown_name"],
    ["a missing file", ["run", "none.yaml", "--agent", "random"], "config_not_found"],
    ["a missing run", ["describe", "run", "none"], "no_run"],
    ["an invalid flag value", ["run", world.yaml, "--limit", "none"], "usage"],
    ["a missing argument", ["score"], "usage"],
  ])("--json prints one error document for %s", async (_, args, code) => {
    const result = await robotEvalHere([...args, "--json"]);
    expect(result.code).toBe(2);
    expect(document(result)).toEqual({
      error: expect.objectContaining({ code, message: expect.any(String) }),
    });
    expect(result.stderr).toMatch(/^error: /);
  });
});

describe.concurrent("a reader that closes the pipe early", () => {
  const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

  /** Runs the command and closes its stream before anything is read. */
  function closing(stream: "stdout" | "stderr", args: readonly string[], cwd: string) {
    const child = spawn(process.execPath, [main, ...args], { cwd });
    child[stream].destroy();
    let other = "";
    child[stream === "stdout" ? "stderr" : "stdout"].on("data", (chunk) => {
      other += chunk;
    });
    return new Promise<{ code: number | null; other: string }>((resolve) => {
      child.on("close", (code) => resolve({ code, other }));
    });
  }

  it("closing stdout early causes no error in list", async () => {
    const result = await closing("stdout", ["list", "metrics"], temporaryFolder());
    expect(result).toEqual({ code: 0, other: "" });
  });

  it("closing stderr early does not end a run", async () => {
    const world = makeWorld();
    const args = ["run", "benchmark.yaml", "--agent", "random", "--out", "out"];
    const { code, other } = await closing("stderr", args, world.root);
    expect(code).toBe(0);
    expect(other).toContain("6 episodes:");
    const [id = ""] = world.runs();
    expect((await new RunDirectory(join(world.out, id)).info()).status).toBe("done");
  });
});

it("runs that start at the same time do not share a directory", async () => {
  const world = makeWorld();
  const args = ["run", "benchmark.yaml", "--agent", "random", "--out", "out", "--json"];
  const results = await Promise.all([1, 2, 3].map(() => robotEval(args, world.root)));
  const folders = results.map((result) => (document(result) as RunResults).run_dir);
  expect(new Set(folders).size).toBe(3);
  for (const id of world.runs()) expect(await linesOf(join(world.out, id))).toHaveLength(6);
});

it("doctor succeeds on this machine from any folder", async () => {
  const result = await robotEval(["doctor", "--json"], temporaryFolder());
  expect(result.code, result.stdout).toBe(0);
  const { healthy, checks } = document(result) as Checkup;
  expect(healthy).toBe(true);
  for (const name of ["Node.js", "working directory", "self-test"]) {
    expect(checks).toContainEqual({ name, status: "ok", found: expect.any(String) });
  }
});
