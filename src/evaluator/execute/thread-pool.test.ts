import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { tempDir, tinyEpisode, tinyWorld } from "../../../test/support/tiny-world.js";
import { UnifiedRobotEvaluator } from "../evaluator.js";
import type { Job } from "../plan/queue.js";
import { EarlyThread } from "./early-thread.js";
import { type PoolOptions, ThreadPool } from "./thread-pool.js";

/**
 * A pool of threads that run `onRun(id)` for an episode, in place of our own program. The tests
 * here need no simulator, and such threads start quickly. `log(text)` writes a line that a test reads.
 */
async function openPool(
  program: {
    readonly start?: string;
    readonly onRun?: string;
    readonly isRemote?: true;
    readonly isEarly?: true;
  },
  options: Partial<PoolOptions> = {},
) {
  const dir = tempDir();
  const log = join(dir, "log");
  const file = join(dir, "program.mjs");
  writeFileSync(
    file,
    `import { appendFileSync } from "node:fs";
     import { parentPort } from "node:worker_threads";
     const log = (text) => appendFileSync(${JSON.stringify(log)}, text + "\\n");
     const send = (message) => parentPort.postMessage(message);
     const ready = () => send({ type: "ready", missingSensors: ["no eyes"] });
     const error = { name: "DataError", message: "no", ours: { code: "some_code", exitCode: 2 } };
     parentPort.on("message", (message) => {
       if (message.type === "setup") return;
       if (message.type === "close") return send({ type: "closed" });
       const id = message.episode.episode_id;
       const done = (wall_ms = 1) =>
         send({ type: "done", job: message.job, line: { id, wall_ms }, faults: [] });
       const fail = () => send({ type: "failed", job: message.job, error });
       ${program.onRun ?? "done();"}
     });
     log("start");
     ${program.start ?? "ready();"}`,
  );
  const prepared = await new UnifiedRobotEvaluator(tinyWorld().benchmark, {
    agent: "random",
  }).prepare();
  const tasks = prepared.tasks.map((task) =>
    program.isRemote ? { ...task, agent: { ...task.agent, threads: "asked" as const } } : task,
  );
  const plan = { ...prepared, tasks };
  const entry = pathToFileURL(file);
  const early = program.isEarly ? EarlyThread.start({ workers: 2 }, entry) : undefined;
  const settings = {
    ...{ workers: 1, concurrency: 1, seed: 7, savesTrajectories: false, entry, early },
    ...options,
  };
  const logged = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []);
  const opened = ThreadPool.open(plan, settings).then((pool) => {
    onTestFinished(() => pool.close());
    return pool;
  });
  return { opened, logged };
}

/** The first thread is ready, every other one refuses its set-up. */
const FIRST_READY = `
  const { openSync } = await import("node:fs");
  let isFirst = true;
  try { openSync(import.meta.filename + ".first", "wx"); } catch { isFirst = false; }
  if (isFirst) ready();
  else send({ type: "refused", error });`;

const job = (from: "a" | "b" | "c", timeout?: number): Job => ({
  task: "vln",
  repeat: 0,
  attempt: 1,
  episode: tinyEpisode(from, "d", timeout === undefined ? {} : { simParams: { timeout } }),
});

describe("a thread pool", () => {
  it("a thread pool has as many runners for each worker as concurrency says", async () => {
    const { opened, logged } = await openPool({}, { workers: 2, concurrency: 3 });
    const { runners, missingSensors } = await opened;
    expect(runners.map(({ worker }) => worker)).toEqual([0, 0, 0, 1, 1, 1]);
    expect(missingSensors).toEqual(["no eyes"]);
    await Promise.all(runners.map((runner) => runner.run(job("a"))));
    expect(logged()).toEqual(["start", "start"]);
  });

  it("a thread pool runs episodes when the first worker is ready, even if the others fail", async () => {
    const { opened } = await openPool({ start: FIRST_READY }, { workers: 2 });
    const [runner] = (await opened).runners;
    expect(await runner?.run(job("a"))).toMatchObject({ line: { id: "a-d" } });
  });

  it("a thread pool starts the second worker when the first has reset an episode", async () => {
    const onRun = `
      if (id === "a-d") { log("reset"); send({ type: "first_reset" }); } else done();
      if (id === "b-d") send({ type: "done", job: message.job - 1, line: { id }, faults: [] });`;
    const { opened, logged } = await openPool({ onRun }, { workers: 2 });
    const { runners } = await opened;
    const first = runners[0]?.run(job("a"));
    const second = runners[1]?.run(job("c"));
    expect(await second).toMatchObject({ line: { id: "c-d" } });
    expect(logged()).toEqual(["start", "reset", "start"]);
    await Promise.all([first, runners[0]?.run(job("b"))]);
  });

  it("a thread pool starts the second worker if it is given an episode and the first is not", async () => {
    const { opened, logged } = await openPool({}, { workers: 2 });
    const { runners } = await opened;
    expect(await runners[1]?.run(job("c"))).toMatchObject({ line: { id: "c-d" } });
    expect(logged()).toEqual(["start", "start"]);
  });

  it("a thread pool waits for all workers if the agent is remote", async () => {
    const { opened } = await openPool({ start: FIRST_READY, isRemote: true }, { workers: 2 });
    await expect(opened).rejects.toMatchObject({ code: "some_code" });
  });

  it("a thread pool says that a policy serves one connection if it does not answer the second worker", async () => {
    const start = FIRST_READY.replace("error }", "error: { ...error, ours: UNANSWERED } }");
    const UNANSWERED = `const UNANSWERED = { code: "connect_timeout", exitCode: 2 };`;
    const { opened } = await openPool(
      { start: `${UNANSWERED}${start}`, isRemote: true },
      { workers: 2 },
    );
    await expect(opened).rejects.toMatchObject({
      code: "busy",
      message: "the policy answered the first worker, and not a second one within 5 s",
      hint: expect.stringContaining("--workers 1"),
    });
  });

  it("a thread pool gives its first worker a thread that was started early, and the second a new one", async () => {
    const { opened, logged } = await openPool({ isEarly: true }, { workers: 2 });
    const { runners } = await opened;
    await Promise.all(runners.map((runner) => runner.run(job("a"))));
    expect(logged()).toEqual(["start", "start"]);
  });

  it("a thread pool returns the results of its workers", async () => {
    const pool = await (await openPool({})).opened;
    const [runner] = pool.runners;
    expect(await runner?.run(job("a"))).toMatchObject({ line: { id: "a-d" }, faults: [] });
    expect(await runner?.run(job("b"))).toMatchObject({ line: { id: "b-d" } });
  });

  it("a thread pool takes the next job ahead after a short episode with concurrency 1", async () => {
    const onRun = `done(id === "a-d" ? 1 : 60_000);`;
    const [alone] = (await (await openPool({ onRun })).opened).runners;
    expect(alone?.takesAhead).toBe(false);
    await alone?.run(job("a"));
    expect(alone?.takesAhead).toBe(true);
    await alone?.run(job("b"));
    expect(alone?.takesAhead).toBe(false);
    const [beside] = (await (await openPool({ onRun }, { concurrency: 2 })).opened).runners;
    await beside?.run(job("a"));
    expect(beside?.takesAhead).toBe(false);
  });

  it("a thread pool passes on an error that ends the run", async () => {
    const pool = await (await openPool({ onRun: "fail();" })).opened;
    await expect(pool.runners[0]?.run(job("a"))).rejects.toMatchObject({
      name: "DataError",
      code: "some_code",
    });
  });
});

describe("a worker thread that is lost", () => {
  it("a thread pool makes the running episodes of a crashed thread invalid and replaces the thread", async () => {
    const onRun = `if (id === "b-d") process.exit(4); if (id === "c-d") done();`;
    const { opened, logged } = await openPool({ onRun }, { concurrency: 2 });
    const [one, other] = (await opened).runners;
    const lost = await Promise.all([one?.run(job("a")), other?.run(job("b"))]);
    const message = "the worker thread exited with code 4";
    for (const result of lost) {
      expect(result).toMatchObject({
        line: {
          outcome: "invalid",
          fault: "platform",
          end_reason: "worker_crashed",
          error: { code: "worker_crashed", message },
          initial_state_hash: null,
        },
        steps: undefined,
        faults: [{ fault: "platform", error: message }],
      });
    }
    expect(lost.map((result) => result?.line.episode_key)).toEqual([
      "vln/tiny/a-d",
      "vln/tiny/b-d",
    ]);
    const again = await Promise.all([one?.run(job("c")), other?.run(job("c"))]);
    expect(again).toMatchObject([{ line: { id: "c-d" } }, { line: { id: "c-d" } }]);
    expect(logged()).toEqual(["start", "start"]);
  });

  it("a thread pool runs the jobs that were only queued in a crashed thread elsewhere", async () => {
    const onRun = `if (id === "a-d") process.exit(4); done();`;
    const { opened, logged } = await openPool({ onRun });
    const [runner] = (await opened).runners;
    const both = await Promise.all([runner?.run(job("a")), runner?.run(job("b"))]);
    expect(both).toMatchObject([{ line: { outcome: "invalid" } }, { line: { id: "b-d" } }]);
    expect(logged()).toEqual(["start", "start"]);
  });

  it("a thread pool terminates a thread in an endless loop when the limit since the start of the episode has passed", async () => {
    const busy = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);";
    const onRun = `if (id === "b-d") for (;;); ${busy} done();`;
    const pool = await (await openPool({ onRun }, { graceMs: 50 })).opened;
    const [runner] = pool.runners;
    const [before, hung] = await Promise.all([
      runner?.run(job("a", 10)),
      runner?.run(job("b", 0.1)),
    ]);
    expect(before).toMatchObject({ line: { id: "a-d" } });
    expect(hung?.line.error?.code).toBe("worker_hung");
  });

  it("a thread pool blames an endless loop on the episode that caused it", async () => {
    const onRun = `if (id === "b-d") for (;;);`;
    const pool = await (await openPool({ onRun }, { concurrency: 2, graceMs: 50 })).opened;
    const [one, other] = pool.runners;
    const lost = await Promise.all([one?.run(job("a", 100)), other?.run(job("b", 0.1))]);
    expect(lost.map((result) => result?.line.error?.code)).toEqual([
      "worker_crashed",
      "worker_hung",
    ]);
    for (const result of lost) expect(result?.line.end_reason).toBe("worker_crashed");
  });

  it("a thread pool reports that a thread ran out of memory", async () => {
    // The limit is that of the process; the thread claims to have met it as Node would.
    const onRun = `throw Object.assign(new Error("x"), { code: "ERR_WORKER_OUT_OF_MEMORY" });`;
    const pool = await (await openPool({ onRun })).opened;
    const result = await pool.runners[0]?.run(job("a"));
    expect(result?.line.error?.message).toBe("the worker thread ran out of memory");
    expect(result?.faults[0]?.error).toContain("program.mjs");
  });

  it("a thread pool does not replace a thread that is lost at the end of the run", async () => {
    const { opened, logged } = await openPool({ onRun: "" });
    const pool = await opened;
    const running = pool.runners[0]?.run(job("a"));
    await new Promise((resolve) => setImmediate(resolve));
    await pool.close();
    expect((await running)?.line.end_reason).toBe("worker_crashed");
    await expect(pool.runners[0]?.run(job("a"))).rejects.toThrow("closed");
    expect(logged()).toEqual(["start"]);
  });
});

describe("a worker that does not start", () => {
  it("a thread pool ends the run after three consecutive workers that do not start", async () => {
    const { opened, logged } = await openPool({ start: `throw new Error("no such luck");` });
    await expect(opened).rejects.toMatchObject({
      code: "workers_do_not_start",
      message: expect.stringContaining("no such luck"),
      exitCode: 1,
    });
    expect(logged()).toHaveLength(3);
  });

  it("a thread pool reports a wrong set-up of a worker immediately", async () => {
    const { opened, logged } = await openPool({ start: `send({ type: "refused", error });` });
    await expect(opened).rejects.toMatchObject({ name: "DataError", code: "some_code" });
    expect(logged()).toHaveLength(1);
  });

  it("a thread pool ends the run after three replacements that do not start", async () => {
    const file = join(tempDir(), "once");
    const start = `
      const { existsSync, writeFileSync } = await import("node:fs");
      const file = ${JSON.stringify(file)};
      if (existsSync(file)) send({ type: "refused", error });
      else { writeFileSync(file, ""); ready(); }`;
    const { opened, logged } = await openPool({ start, onRun: "process.exit(1);" });
    const pool = await opened;
    await pool.runners[0]?.run(job("a"));
    await expect(pool.runners[0]?.run(job("b"))).rejects.toMatchObject({ code: "some_code" });
    expect(logged()).toHaveLength(4);
  });
});
