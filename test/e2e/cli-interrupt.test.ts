import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { RunDirectory } from "../../src/runs/directory/run-directory.js";
import { evaluate, linesOf, makeWorld, startRobotEval, type World } from "../support/cli.js";

/** An agent that writes `asked-<n>` for its nth request and answers once `answer-<n>` exists. */
const PLUGIN = `
import { existsSync, writeFileSync } from "node:fs";
let asked = 0;
const act = async () => {
  const mine = ++asked;
  writeFileSync("asked-" + mine, "");
  while (!existsSync("answer-" + mine)) await new Promise((done) => setTimeout(done, 5));
  return "stop";
};
export default ({ agents }) =>
  agents.register("waits", { description: "waits for a file", create: () => ({ reset() {}, act }) });
`;

function start(...flags: readonly string[]) {
  const world = makeWorld();
  world.write("plugin.mjs", PLUGIN);
  const run = ["run", "benchmark.yaml", "--set", "plugins=[./plugin.mjs]", "--agent", "waits"];
  const cli = startRobotEval([...run, "--out", "out", ...flags], world.root);
  return { world, cli, answer: (n: number) => world.write(`answer-${n}`, "") };
}

async function appears(world: World, file: string): Promise<void> {
  while (!existsSync(join(world.root, file))) await later(5);
}

async function onlyRun(world: World): Promise<RunDirectory> {
  const [id = "", ...others] = world.runs();
  expect(others).toEqual([]);
  return RunDirectory.open(join(world.out, id));
}

/** A metric that blocks the thread at its first episode until a file exists, so that a signal is pending then. */
const SLOW_METRIC = `
import { existsSync, writeFileSync } from "node:fs";
const nothing = new Int32Array(new SharedArrayBuffer(4));
export default ({ metrics }) => {
  const PathLength = metrics.get("path_length");
  metrics.register("slow")(
    class extends PathLength {
      constructor(config) {
        super(config);
        this.info = { ...this.info, name: "slow" };
      }
      reset(...args) {
        super.reset(...args);
        writeFileSync("scoring", "");
        while (!existsSync("go")) Atomics.wait(nothing, 0, 0, 5);
      }
    },
  );
};
`;

const WORDS = "stopping after the episodes under way; press Ctrl-C again to stop at once";

describe.concurrent("Ctrl-C", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    "%s finishes the running episodes and marks the run as cancelled",
    async (signal) => {
      const { world, cli, answer } = start("--concurrency", "2", "--json");
      await appears(world, "asked-2");
      cli.signal(signal);
      await cli.said(WORDS);
      answer(2);
      answer(1);
      const { code, stdout, stderr } = await cli.done;
      expect(code, stderr).toBe(130);

      const run = await onlyRun(world);
      expect(await run.info()).toMatchObject({
        status: "cancelled",
        finished_at: expect.any(String),
      });
      const lines = await linesOf(run.path);
      expect(lines.map((line) => line.end_reason)).toEqual(["stop", "stop"]);
      expect(readdirSync(join(run.path, "trajectories"))).toHaveLength(2);
      const results = JSON.parse(stdout) as RunResults;
      expect(results).toMatchObject({ status: "cancelled", episodes: { total: 2 } });
      expect(stderr.trimEnd().split("\n").at(-1)).toMatch(/^run directory: /);
    },
  );

  it("Ctrl-C pressed twice stops the run immediately and keeps finished episodes", async () => {
    const { world, cli, answer } = start();
    answer(1);
    await appears(world, "asked-2");
    const run = await onlyRun(world);
    // The line is written while the next episode runs.
    while ((await linesOf(run.path)).length === 0) await later(5);
    cli.signal("SIGINT");
    await cli.said(WORDS);
    cli.signal("SIGINT");
    const { code, stdout } = await cli.done;
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect((await run.info()).status).toBe("running");
    expect(await linesOf(run.path)).toHaveLength(1);
  });

  it("Ctrl-C in the last episode leaves the run with status done", async () => {
    const { world, cli, answer } = start("--limit", "1");
    await appears(world, "asked-1");
    cli.signal("SIGINT");
    await cli.said(WORDS);
    answer(1);
    expect((await cli.done).code).toBe(0);
    expect((await (await onlyRun(world)).info()).status).toBe("done");
  });

  it("Ctrl-C while scoring leaves no files", async () => {
    const world = makeWorld();
    world.write("slow.mjs", SLOW_METRIC);
    const { run_dir } = await evaluate(world);
    const flags = ["--plugin", "./slow.mjs", "--metrics", "slow", "--out", "scored"];
    const cli = startRobotEval(["score", run_dir ?? "", ...flags], world.root);
    await appears(world, "scoring");
    cli.signal("SIGINT");
    world.write("go", "");
    await cli.said("stopping; press Ctrl-C again to stop at once");
    const { code, stdout, stderr } = await cli.done;
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr).toContain("interrupted; nothing was written");
    expect(readdirSync(join(world.root, "scored"))).toEqual([]);
  });
});
