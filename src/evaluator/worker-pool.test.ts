import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { tempDir, tinyEpisode, tinyWorld } from "../../test/support/tiny-world.js";
import { UnifiedRobotEvaluator } from "./evaluator.js";
import type { Job } from "./queue.js";
import { type PoolOptions, WorkerPool } from "./worker-pool.js";

/**
 * A pool of threads that run `onRun(id)` for an episode, in place of our own program: what threads do
 * to themselves takes no simulator, and starts in no time. `log(text)` leaves a line to look at.
 */
async function openPool(
  program: { readonly start?: string; readonly onRun?: string },
  options: Partial<PoolOptions> = {},
) {
  const dir = tempDir();
  const log = join(dir, "log");
  const file = join(dir, "program.mjs");
  writeFileSync(
    file,
    `import { appendFileSync } from "node:fs";
     import { parentPort, workerData } from "node:worker_threads";
     const log = (text) => appendFileSync(${JSON.stringify(log)}, text + "\\n");
     const send = (message) => parentPort.postMessage(message);
     const ready = () => send({ type: "ready", missingSensors: ["no eyes"] });
     const error = { name: "DataError", message: "no", ours: { code: "some_code", exitCode: 2 } };
     parentPort.on("message", (message) => {
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
  const plan = await new UnifiedRobotEvaluator(tinyWorld().benchmark, {
    agent: "random",
  }).prepare();
  const entry = pathToFileURL(file);
  const settings = { workers: 1, lanes: 1, seed: 7, savesTrajectories: false, entry, ...options };
  const logged = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []);
  const opened = WorkerPool.open(plan, settings).then((pool) => {
    onTestFinished(() => pool.close());
    return pool;
  });
  return { opened, logged };
}

const job = (from: "a" | "b" | "c", timeout?: number): Job => ({
  task: "vln",
  repeat: 0,
  attempt: 1,
  episode: tinyEpisode(from, "d", timeout === undefined ? {} : { simParams: { timeout } }),
});

describe("a pool of workers", () => {
  it("has a seat for each lane of each, when all are ready", async () => {
    const { opened, logged } = await openPool({}, { workers: 2, lanes: 3 });
    const { seats, missingSensors } = await opened;
    expect(seats.map(({ worker }) => worker)).toEqual([0, 0, 0, 1, 1, 1]);
    expect(missingSensors).toEqual(["no eyes"]);
    expect(logged()).toEqual(["start", "start"]);
  });

  it("gives back what a worker makes of an episode", async () => {
    const pool = await (await openPool({})).opened;
    const [seat] = pool.seats;
    expect(await seat?.run(job("a"))).toMatchObject({ line: { id: "a-d" }, faults: [] });
    expect(await seat?.run(job("b"))).toMatchObject({ line: { id: "b-d" } });
  });

  it("takes the next one ahead where the last was quick, and has no other to go on with", async () => {
    const onRun = `done(id === "a-d" ? 1 : 60_000);`;
    const [alone] = (await (await openPool({ onRun })).opened).seats;
    expect(alone?.takesAhead).toBe(false);
    await alone?.run(job("a"));
    expect(alone?.takesAhead).toBe(true);
    await alone?.run(job("b"));
    expect(alone?.takesAhead).toBe(false);
    const [beside] = (await (await openPool({ onRun }, { lanes: 2 })).opened).seats;
    await beside?.run(job("a"));
    expect(beside?.takesAhead).toBe(false);
  });

  it("passes on an error that ends the run", async () => {
    const pool = await (await openPool({ onRun: "fail();" })).opened;
    await expect(pool.seats[0]?.run(job("a"))).rejects.toMatchObject({
      name: "DataError",
      code: "some_code",
    });
  });
});

describe("a thread that is lost", () => {
  it("costs the episodes under way in it, and is replaced for the next", async () => {
    const onRun = `if (id === "b-d") process.exit(4); if (id === "c-d") done();`;
    const { opened, logged } = await openPool({ onRun }, { lanes: 2 });
    const [one, other] = (await opened).seats;
    const lost = await Promise.all([one?.run(job("a")), other?.run(job("b"))]);
    const message = "the worker thread ended itself with code 4";
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

  it("costs nothing that only waited there", async () => {
    const onRun = `if (id === "a-d") process.exit(4); done();`;
    const { opened, logged } = await openPool({ onRun });
    const [seat] = (await opened).seats;
    const both = await Promise.all([seat?.run(job("a")), seat?.run(job("b"))]);
    expect(both).toMatchObject([{ line: { outcome: "invalid" } }, { line: { id: "b-d" } }]);
    expect(logged()).toEqual(["start", "start"]);
  });

  it("to an endless loop is given up by the time since that episode's beginning", async () => {
    const busy = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);";
    const onRun = `if (id === "b-d") for (;;); ${busy} done();`;
    const pool = await (await openPool({ onRun }, { graceMs: 50 })).opened;
    const [seat] = pool.seats;
    const [before, hung] = await Promise.all([seat?.run(job("a", 10)), seat?.run(job("b", 0.1))]);
    expect(before).toMatchObject({ line: { id: "a-d" } });
    expect(hung?.line.error?.code).toBe("worker_hung");
  });

  it("to an endless loop is told from the episodes beside it", async () => {
    const onRun = `if (id === "b-d") for (;;);`;
    const pool = await (await openPool({ onRun }, { lanes: 2, graceMs: 50 })).opened;
    const [one, other] = pool.seats;
    const lost = await Promise.all([one?.run(job("a", 100)), other?.run(job("b", 0.1))]);
    expect(lost.map((result) => result?.line.error?.code)).toEqual([
      "worker_crashed",
      "worker_hung",
    ]);
    for (const result of lost) expect(result?.line.end_reason).toBe("worker_crashed");
  });

  it("to its own memory says so", async () => {
    // The limit is that of the process; the thread claims to have met it as Node would.
    const onRun = `throw Object.assign(new Error("x"), { code: "ERR_WORKER_OUT_OF_MEMORY" });`;
    const pool = await (await openPool({ onRun })).opened;
    const result = await pool.seats[0]?.run(job("a"));
    expect(result?.line.error?.message).toBe("the worker thread ran out of memory");
    expect(result?.faults[0]?.error).toContain("program.mjs");
  });

  it("because the run is over is not replaced", async () => {
    const { opened, logged } = await openPool({ onRun: "" });
    const pool = await opened;
    const running = pool.seats[0]?.run(job("a"));
    await new Promise((resolve) => setImmediate(resolve));
    await pool.close();
    expect((await running)?.line.end_reason).toBe("worker_crashed");
    await expect(pool.seats[0]?.run(job("a"))).rejects.toThrow("closed");
    expect(logged()).toEqual(["start"]);
  });
});

describe("a worker that does not start", () => {
  it("is tried three times in a row, and then the run ends", async () => {
    const { opened, logged } = await openPool({ start: `throw new Error("no such luck");` });
    await expect(opened).rejects.toMatchObject({
      code: "workers_do_not_start",
      message: expect.stringContaining("no such luck"),
      exitCode: 1,
    });
    expect(logged()).toHaveLength(3);
  });

  it("because its set-up is wrong says what is wrong, at once", async () => {
    const { opened, logged } = await openPool({ start: `send({ type: "refused", error });` });
    await expect(opened).rejects.toMatchObject({ name: "DataError", code: "some_code" });
    expect(logged()).toHaveLength(1);
  });

  it("in place of one that crashed ends the run likewise", async () => {
    const file = join(tempDir(), "once");
    const start = `
      const { existsSync, writeFileSync } = await import("node:fs");
      const file = ${JSON.stringify(file)};
      if (existsSync(file)) send({ type: "refused", error });
      else { writeFileSync(file, ""); ready(); }`;
    const { opened, logged } = await openPool({ start, onRun: "process.exit(1);" });
    const pool = await opened;
    await pool.seats[0]?.run(job("a"));
    await expect(pool.seats[0]?.run(job("b"))).rejects.toMatchObject({ code: "some_code" });
    expect(logged()).toHaveLength(4);
  });
});
