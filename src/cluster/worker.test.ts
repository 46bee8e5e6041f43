import { getEventListeners } from "node:events";
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { episodeDict, makeWorld } from "../../test/support/cli.js";
import { deferred, nextTurn, until } from "../../test/support/clock.js";
import { startPostgres } from "../../test/support/postgres.js";
import type { EpisodeResult } from "../evaluator/execute/worker-pool.js";
import type { Cluster } from "./cluster.js";
import { controlRun } from "./control.js";
import { leaseBatches } from "./lease-batches.js";
import { maintain } from "./maintenance.js";
import { readSnapshot } from "./read-results.js";
import { failRun } from "./run-problems.js";
import { getRun, recordPolicies } from "./runs-table.js";
import {
  ALL,
  countOf,
  failsOnce,
  grace,
  SQL,
  startWorker,
  stateOf,
  submit,
  unreachable,
  type WatchedCluster,
  type WorkerHooks,
  watched,
} from "./worker.fixture.js";
import type { ClusterWorkerOptions } from "./worker.js";

let cluster: Cluster;
beforeAll(async () => {
  cluster = await (await startPostgres()).cluster();
});
afterEach(async () => {
  await cluster.database.query("DELETE FROM robot_eval.held");
  await cluster.database.query("UPDATE robot_eval.runs SET status = 'cancelled'");
});

/** A heartbeat every 200 ms. */
const BEATING = { lostAfterMs: 1200 };
/** How long a stopping worker waits for the database. */
const LIMIT_MS = 20_000;
const fatal = () => Object.assign(new Error("no such column"), { code: "42703" });
/** A pause that only the worker itself ends. */
const untilWoken: WorkerHooks["sleep"] = (_, signal) =>
  new Promise((done) => signal.addEventListener("abort", () => done()));

/** Leases batches for a worker that never runs them. */
const leaseElsewhere = () =>
  leaseBatches(cluster, {
    ...{ worker: "elsewhere", agent: undefined, current: undefined, excludes: [] },
  });

/** Until the test ends, `Date` is ahead by the time that the returned function has skipped. */
function skippingDate(): (ms: number) => void {
  const { now } = Date;
  let skipped = 0;
  const spy = vi.spyOn(Date, "now").mockImplementation(() => now() + skipped);
  onTestFinished(() => spy.mockRestore());
  return (ms) => {
    skipped += ms;
  };
}

/**
 * Stops the clock and watches the timers that limit the wait for the database. `vi.spyOn` would not do: a later
 * `vi.restoreAllMocks`, also in another file, would put the stopped clock's functions back.
 */
function watchLimits() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const [begun, left] = [new Set<unknown>(), new Set<unknown>()];
  const watchedSet = (handler: () => void, ms?: number) => {
    const timer = set(handler, ms);
    if (ms === LIMIT_MS) for (const timers of [begun, left]) timers.add(timer);
    return timer;
  };
  globalThis.setTimeout = Object.assign(watchedSet, { __promisify__: set.__promisify__ });
  globalThis.clearTimeout = (timer) => {
    left.delete(timer);
    clear(timer);
  };
  onTestFinished(() => {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
    vi.useRealTimers();
  });
  return { count: () => begun.size, left: () => [...left] };
}

/** Makes the next maintenance due now. */
const makeDue = () => cluster.database.query("UPDATE robot_eval.chores SET done_at = 'epoch'");

/** The result of an episode in which the agent gave no action. */
const withoutAction = (result: EpisodeResult): EpisodeResult => ({
  ...result,
  line: { ...result.line, outcome: "invalid", fault: "agent", explanation: "no action" },
});

/** A worker of a new run with one batch. Its first episode waits for `gate`, and five wait for that one. */
async function underWay(
  runId: string,
  options: ClusterWorkerOptions & { readonly hooks?: WorkerHooks } = {},
) {
  const own = watched(cluster);
  const { hooks, ...rest } = options;
  await submit(cluster, runId);
  const gate = deferred();
  const started = startWorker(own, { running: () => gate.promise, ...hooks }, rest);
  await until(() => started.worker.stats.underWay === 1);
  return { ...started, own, gate, state: () => stateOf(cluster, runId) };
}

/** Ends the database for the worker, or lets it answer again. */
function setReachable(own: WatchedCluster, isReachable: boolean): void {
  own.before = () => {
    if (!isReachable) throw unreachable();
  };
}

describe("a worker that is told to stop", () => {
  it("a worker that is told to stop sends nothing, listens to nothing and has no timer once it has ended", async () => {
    const limits = watchLimits();
    const options = { lostAfterMs: 60 };
    const { own, worker, ended, stop, gate, signal } = await underWay("silent", options);
    setReachable(own, false);
    await until(() => worker.stats.isUnreachable);
    stop();
    gate.resolve();
    await grace(() => limits.count() > 1);
    expect(limits.count()).toBe(1);
    setReachable(own, true);
    expect(await ended).toBeUndefined();
    const { length } = own.sent;
    await grace(() => own.sent.length > length);
    expect(own.sent.length).toBe(length);
    expect(limits.left()).toEqual([]);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("a worker that is told to stop is woken from its pause", async () => {
    const pausing = deferred();
    const sleep: WorkerHooks["sleep"] = (ms, signal) => {
      pausing.resolve();
      return untilWoken(ms, signal);
    };
    const { ended, stop } = startWorker(cluster, { sleep });
    await pausing.promise;
    stop();
    expect(await ended).toBeUndefined();
  });

  it("a worker that is told to stop does not pause if it was told while it asked for batches", async () => {
    const own = watched(cluster);
    const { ended, stop } = startWorker(own, { sleep: untilWoken });
    own.before = (sql) => sql.includes(SQL.lease) && stop();
    expect(await ended).toBeUndefined();
  });

  it("a worker that is told to stop records results before it deregisters", async () => {
    const { own, ended, stop, gate, state } = await underWay("flushed");
    own.before = (sql) =>
      sql.includes(SQL.result) ? grace(() => countOf(own, SQL.leave) > 0) : undefined;
    stop();
    gate.resolve();
    expect(await ended).toBeUndefined();
    const order = own.sent.filter((sql) => sql.includes(SQL.result) || sql.includes(SQL.leave));
    expect(order.map((sql) => sql.includes(SQL.result))).toEqual([true, false]);
    expect(await state()).toMatchObject({ results: 1, held: 0, waiting: ALL - 1 });
  });

  it("a worker that is told to stop waits for a heartbeat under way before it deregisters", async () => {
    const { own, ended, stop, gate } = await underWay("beating", BEATING);
    const beating = deferred();
    let isBeating = false;
    own.before = async (sql) => {
      if (!sql.includes(SQL.status)) return;
      isBeating = true;
      beating.resolve();
      await grace(() => countOf(own, SQL.leave) > 0);
      isBeating = false;
    };
    await beating.promise;
    stop();
    gate.resolve();
    expect(await ended).toBeUndefined();
    expect(isBeating).toBe(false);
    const afterwards = own.sent.slice(own.sent.findIndex((sql) => sql.includes(SQL.leave)));
    expect(afterwards.filter((sql) => sql.includes(SQL.status))).toEqual([]);
  });

  it("a worker that is told to stop fails with the error that kept it from releasing its episodes", async () => {
    const { own, ended, stop, gate } = await underWay("unreleased");
    let hasFailed = false;
    own.before = (sql) => {
      if (hasFailed || !/robot_eval_boss.job/.test(sql)) return;
      hasFailed = true;
      throw fatal();
    };
    stop();
    // An unhandled rejection would be reported here, while the episode still runs.
    await until(() => hasFailed);
    await grace(() => false);
    gate.resolve();
    expect(await ended).toMatchObject({ message: "no such column" });
  });

  it("a worker that is told to stop fails with the error that kept it from deregistering", async () => {
    const { own, ended, stop, gate } = await underWay("registered");
    own.before = failsOnce(SQL.leave, fatal());
    stop();
    gate.resolve();
    expect(await ended).toMatchObject({ message: "no such column" });
  });

  it("a worker that is told to stop marks a run as done whose last episode it ran, though the database was briefly unreachable", async () => {
    for (const fragment of [SQL.leave, SQL.maintain]) {
      const runId = fragment === SQL.leave ? "last-leave" : "last-maintain";
      const { own, notices, ended, stop, gate, state } = await underWay(runId);
      gate.resolve();
      await expect.poll(state).toMatchObject({ results: ALL, status: "running" });
      await makeDue();
      own.before = failsOnce(fragment, unreachable());
      stop();
      expect(await ended).toBeUndefined();
      expect(await state()).toMatchObject({ status: "done" });
      expect(notices.at(-1)).toBe("the database is unreachable; retrying until it answers");
    }
  });

  it("a worker that is told to stop releases the leases of a run that it is opening, and reports no problem", async () => {
    await submit(cluster, "opening");
    const opening = deferred();
    const hooks: WorkerHooks = {
      opening: ({ signal }) => {
        opening.resolve();
        return new Promise((_, reject) =>
          signal?.addEventListener("abort", () => reject(new Error("stopped"))),
        );
      },
    };
    const { ended, stop, notices } = startWorker(cluster, hooks);
    await opening.promise;
    stop();
    expect(await ended).toBeUndefined();
    expect(notices).toEqual([]);
    expect(await stateOf(cluster, "opening")).toMatchObject({
      ...{ refusals: 0, held: 0, waiting: ALL },
    });
  });
});

describe("a worker whose database becomes unreachable", () => {
  it("a worker whose database becomes unreachable gives up 20 s after it noticed if it was told to stop before", async () => {
    const limits = watchLimits();
    const { own, worker, ended, stop, gate, state } = await underWay("given-up");
    stop();
    await expect.poll(state).toMatchObject({ waiting: ALL - 1 });
    // The limit does not start at the stop: a running episode may take longer.
    vi.advanceTimersByTime(3 * LIMIT_MS);
    setReachable(own, false);
    gate.resolve();
    await until(() => worker.stats.isUnreachable);
    expect(limits.count()).toBe(1);
    vi.advanceTimersByTime(LIMIT_MS);
    expect(await ended).toMatchObject({
      ...{ code: "not_recorded", exitCode: 1, message: "1 results could not be recorded" },
    });
  });

  it("a worker whose database becomes unreachable gives up 20 s after the stop if all that is left is to record a result", async () => {
    const limits = watchLimits();
    const own = watched(cluster);
    const world = makeWorld([episodeDict("1", "a", "d")]);
    await submit(cluster, "unrecorded", { world });
    const gate = deferred();
    const { worker, ended, stop } = startWorker(own, { running: () => gate.promise });
    await until(() => worker.stats.underWay === 1);
    setReachable(own, false);
    gate.resolve();
    await until(() => worker.stats.isUnreachable && worker.stats.unrecorded === 1);
    stop();
    expect(limits.count()).toBe(1);
    vi.advanceTimersByTime(LIMIT_MS);
    expect(await ended).toMatchObject({ code: "not_recorded" });
  });

  it("a worker whose database becomes unreachable reports results that wait, also if it gives up on its leases before them", async () => {
    watchLimits();
    await submit(cluster, "waiting");
    const own = watched(cluster);
    const [second, begun, recording] = [deferred(), deferred(), deferred()];
    onTestFinished(() => recording.resolve());
    let jobs = 0;
    const running = () => (jobs++ === 0 ? undefined : second.promise);
    own.before = async (sql) => {
      if (!sql.includes(SQL.result)) return;
      begun.resolve();
      await recording.promise;
      throw unreachable();
    };
    const { worker, ended, stop } = startWorker(own, { running });
    await begun.promise;
    own.before = () => {
      throw unreachable();
    };
    stop();
    await until(() => worker.stats.isUnreachable);
    vi.advanceTimersByTime(LIMIT_MS);
    second.resolve();
    expect(await ended).toMatchObject({
      code: "not_recorded",
      message: expect.stringMatching(/^2 /),
    });
  });

  it("a worker whose database becomes unreachable waits without a limit until it is told to stop", async () => {
    const limits = watchLimits();
    const { own, worker, ended, stop, gate, state } = await underWay("patient");
    setReachable(own, false);
    gate.resolve();
    await until(() => worker.stats.isUnreachable);
    expect(limits.count()).toBe(0);
    setReachable(own, true);
    await expect.poll(state).toMatchObject({ results: ALL });
    stop();
    expect(await ended).toBeUndefined();
  });

  it("a worker whose database becomes unreachable says so once, and that it is reachable again after the next lease", async () => {
    const own = watched(cluster);
    setReachable(own, false);
    const { worker, notices } = startWorker(own, {}, { lostAfterMs: 3_600_000 });
    // The first heartbeat is repeated in silence.
    await grace(() => worker.stats.isUnreachable);
    setReachable(own, true);
    await until(() => countOf(own, SQL.lease) > 0);
    setReachable(own, false);
    await until(() => worker.stats.isUnreachable);
    setReachable(own, true);
    await until(() => !worker.stats.isUnreachable);
    expect(notices).toEqual(["the database is unreachable; retrying until it answers"]);
  });

  it("a worker whose database becomes unreachable says so, and that it is reachable again, after a heartbeat while it needs no lease", async () => {
    const { own, worker, notices, stop, gate, ended } = await underWay("full", {
      ...BEATING,
      hooks: { sleep: untilWoken },
    });
    setReachable(own, false);
    await until(() => worker.stats.isUnreachable);
    await grace(() => notices.length > 2);
    setReachable(own, true);
    await until(() => !worker.stats.isUnreachable);
    expect(notices).toEqual([
      "running full, 1 episode at once",
      "the database is unreachable; retrying until it answers",
    ]);
    gate.resolve();
    stop();
    expect(await ended).toBeUndefined();
  });
});

describe("a worker stops with the error", () => {
  it("a worker stops with the error of a result that the database rejects, also if it is the last one", async () => {
    const { own, ended, gate } = await underWay("rejected", { hooks: { sleep: untilWoken } });
    own.before = (sql) => {
      if (sql.includes(SQL.result)) throw fatal();
    };
    gate.resolve();
    expect(await ended).toMatchObject({ message: "no such column" });
    expect(countOf(own, SQL.leave)).toBe(0);
  });

  it("a worker stops with the error that came first if others follow", async () => {
    const { own, ended, gate } = await underWay("twice", BEATING);
    const both = deferred();
    let beats = 0;
    own.before = async (sql) => {
      if (!sql.includes(SQL.status)) return;
      if (++beats === 1) {
        await both.promise;
        throw fatal();
      }
      both.resolve();
      await nextTurn();
      throw new Error("the second error");
    };
    await both.promise;
    gate.resolve();
    expect(await ended).toMatchObject({ message: "no such column" });
  });

  it("a worker stops with the error of a heartbeat that the database rejects, after it has recorded its results and deregistered", async () => {
    const { own, ended, gate, state } = await underWay("unbeaten", {
      ...BEATING,
      hooks: { sleep: untilWoken },
    });
    own.before = failsOnce(SQL.status, fatal());
    await until(() => !own.sent.at(-1)?.includes(SQL.beat));
    gate.resolve();
    expect(await ended).toMatchObject({ message: "no such column" });
    expect(await state()).toMatchObject({ held: 0 });
    expect(countOf(own, SQL.leave)).toBe(1);
  });

  it("a worker stops with the error of a problem report that the database rejects", async () => {
    await submit(cluster, "unreported");
    const own = watched(cluster);
    own.before = failsOnce(SQL.refusal, fatal());
    const opening = () => Promise.reject(new Error("no simulator"));
    expect(await startWorker(own, { opening }).ended).toMatchObject({ message: "no such column" });
  });
});

describe("a worker whose run", () => {
  it("a worker whose run is paused requeues the episodes that have not started and keeps the simulators open", async () => {
    const { pools, gate, state } = await underWay("paused", BEATING);
    await controlRun(cluster, "paused", { action: "pause" });
    await expect.poll(state).toMatchObject({ waiting: ALL - 1, held: 1 });
    gate.resolve();
    await expect.poll(state).toMatchObject({ waiting: ALL - 1, held: 0, results: 1 });
    await controlRun(cluster, "paused", { action: "resume" });
    await expect.poll(state).toMatchObject({ results: ALL });
    expect(pools).toEqual({ opened: 1, closed: 0 });
  });

  it("a worker whose run fails drops the episodes that have not started, and closes when the last one has ended", async () => {
    const { worker, pools, own, gate, state } = await underWay("failing", BEATING);
    await failRun(cluster.database, "failing", "a reason");
    await until(() => worker.stats.backlog === 0);
    const beats = countOf(own, SQL.beat);
    await until(() => countOf(own, SQL.beat) > beats + 1);
    expect(worker.stats.underWay).toBe(1);
    expect(await state()).toMatchObject({ waiting: 0, held: 1 });
    gate.resolve();
    await until(() => pools.closed === 1);
    expect(worker.stats.run).toBeUndefined();
    await expect.poll(state).toMatchObject({ waiting: 0, held: 0, results: 1 });
    expect(countOf(own, "INSERT INTO robot_eval_boss.job")).toBe(0);
  });

  it("a worker whose run is queued or running keeps its episodes at every heartbeat", async () => {
    const { worker, own } = await underWay("kept", BEATING);
    for (const status of ["queued", "running"]) {
      const sql = "UPDATE robot_eval.runs SET status = $1 WHERE run_id = 'kept'";
      await cluster.database.query(sql, [status]);
      const beats = countOf(own, SQL.status);
      await until(() => countOf(own, SQL.status) > beats + 2);
      expect(worker.stats.backlog).toBe(ALL - 1);
    }
  });

  it("a worker whose run loses its simulators: reports the problem, releases all episodes of the run and closes it", async () => {
    const { gate, pools, notices, state, stop, ended } = await underWay("crashed");
    gate.reject(new Error("simulator crashed"));
    await until(() => pools.closed === 1);
    await expect.poll(state).toMatchObject({ waiting: ALL, held: 0, refusals: 1, results: 0 });
    expect(notices.at(-1)).toBe("cannot run crashed: simulator crashed");
    stop();
    expect(await ended).toBeUndefined();
    expect(pools).toEqual({ opened: 1, closed: 1 });
  });

  it("a worker whose run cannot be opened reports the problem, releases the leases and does not try again at once", async () => {
    await submit(cluster, "unopened");
    const own = watched(cluster);
    const opening = () => Promise.reject(new Error("no simulator"));
    const { notices, pools, ended, stop } = startWorker(own, { opening });
    await until(() => countOf(own, SQL.lease) > 3);
    stop();
    expect(await ended).toBeUndefined();
    expect(notices).toEqual(["cannot run unopened: no simulator"]);
    expect(pools.opened).toBe(1);
    expect(await stateOf(cluster, "unopened")).toMatchObject({
      ...{ refusals: 1, held: 0, waiting: ALL },
    });
  });

  it("a worker whose run has a busy policy says so once per wait, and reports no problem while another worker runs it", async () => {
    await submit(cluster, "busy", { set: ["cluster.batch=1"] });
    await leaseElsewhere();
    let opened = 0;
    const opening = async () => {
      opened++;
      if (opened < 3) throw Object.assign(new Error("all sessions are in use"), { code: "busy" });
    };
    const skip = skippingDate();
    const running = () => Promise.reject(Object.assign(new Error("lost"), { code: "busy" }));
    const { notices, pools } = startWorker(cluster, { opening, running });
    const cannot = () => notices.filter((text) => text.startsWith("cannot"));
    for (let i = 1; i <= 2; i++) {
      await until(() => pools.opened === i);
      await expect.poll(() => stateOf(cluster, "busy")).toMatchObject({ held: 1 });
      expect(cannot()).toEqual(["cannot run busy: all sessions are in use"]);
      skip(10_000);
    }
    // The run is opened, which ends the wait, and fails again.
    await until(() => cannot().length === 2);
    expect(cannot()[1]).toBe("cannot run busy: lost");
    expect(await stateOf(cluster, "busy")).toMatchObject({ refusals: 0, status: "running" });
  });

  it("a worker whose run has a busy policy that no other worker uses reports the problem every time", async () => {
    await submit(cluster, "busy-alone");
    const opening = () => Promise.reject(Object.assign(new Error("busy"), { code: "busy" }));
    const skip = skippingDate();
    const { notices } = startWorker(cluster, { opening });
    for (let i = 1; i <= 2; i++) {
      await until(() => notices.length === i);
      await expect.poll(() => stateOf(cluster, "busy-alone")).toMatchObject({ refusals: i });
      skip(10_000);
    }
  });

  it("a worker whose run lacks sensors adds the warning to the run", async () => {
    const missingSensors = ["vln asks for depth"];
    const { state, gate } = await underWay("blind", { hooks: { missingSensors } });
    await expect.poll(state).toMatchObject({ warnings: missingSensors });
    gate.resolve();
  });

  it("a worker whose run retries an episode does not pack the trajectory of the attempt", async () => {
    await submit(cluster, "retried", { set: ["evaluation.retry_invalid=1"] });
    const packed: number[] = [];
    let tries = 0;
    const finished = (result: EpisodeResult) => {
      const { attempt } = result.line;
      const pack = result.steps?.pack.bind(result.steps);
      if (result.steps && pack) {
        result.steps.pack = () => {
          packed.push(attempt);
          return pack();
        };
      }
      return tries++ === 0 ? withoutAction(result) : result;
    };
    const { worker, ended } = startWorker(cluster, { finished }, { untilEmpty: true });
    expect(await ended).toBeUndefined();
    expect(worker.stats.done).toBe(ALL);
    expect(packed.toSorted()).toEqual([1, 1, 1, 1, 1, 2]);
  });

  it("a worker whose run has the id of a deleted one counts only its own episodes without an action", async () => {
    const world = makeWorld([episodeDict("1", "a", "d")]);
    const set = ["evaluation.give_up_after=2"];
    const { worker, stop, ended } = startWorker(cluster, { finished: withoutAction }, BEATING);
    for (let i = 0; i < 2; i++) {
      await submit(cluster, "again", { world, set });
      await expect
        .poll(async () => {
          await makeDue();
          return (await stateOf(cluster, "again"))?.status;
        })
        .toBe("done");
      if (i === 0) {
        // The worker closes an ended run at its next heartbeat.
        await until(() => worker.stats.run === undefined);
        await controlRun(cluster, "again", { action: "delete" });
      }
    }
    stop();
    expect(await ended).toBeUndefined();
  });
});

describe("a worker with several runs", () => {
  it("a worker with several runs stays with the run that it has open, whose row it reads once", async () => {
    const own = watched(cluster);
    const single = { set: ["cluster.batch=1"] };
    await submit(cluster, "first", single);
    await submit(cluster, "second", single);
    const gate = deferred();
    const { worker, pools } = startWorker(own, { running: () => gate.promise });
    await until(() => worker.stats.backlog > 0);
    expect(worker.stats.run).toBe("first");
    expect(pools.opened).toBe(1);
    expect(own.sent.filter((sql) => /info, n_jobs/.test(sql)).length).toBe(1);
    gate.resolve();
    await until(() => worker.stats.done === 2 * ALL);
    expect(pools).toEqual({ opened: 2, closed: 0 });
  });

  it("a worker with several runs leases more for a backlog that has shrunk, before it is empty", async () => {
    const own = watched(cluster);
    await submit(cluster, "long");
    const [first, second] = [deferred(), deferred()];
    let jobs = 0;
    const running = () => (jobs++ === 0 ? first : second).promise;
    // The size of a backlog follows from the episodes' wall time.
    const finished = (result: EpisodeResult) => ({
      ...result,
      line: { ...result.line, wall_ms: 1 },
    });
    const { worker } = startWorker(own, { running, finished, sleep: untilWoken });
    await until(() => worker.stats.underWay === 1 && worker.stats.backlog === ALL - 1);
    await nextTurn();
    const leases = countOf(own, SQL.lease);
    first.resolve();
    await until(() => countOf(own, SQL.lease) > leases);
    expect(worker.stats.backlog).toBe(ALL - 2);
  });

  it("a worker with several runs begins with the run that has the fewest leases", async () => {
    const single = { set: ["cluster.batch=1"] };
    await submit(cluster, "leased", single);
    await submit(cluster, "unleased", single);
    const order = [await leaseElsewhere(), await leaseElsewhere(), await leaseElsewhere()];
    expect(order.map(({ leases }) => leases[0]?.run.run_id)).toEqual([
      ...["leased", "unleased", "leased"],
    ]);
  });

  it("a worker with several runs closes the simulators of the one used least recently when a fourth is opened", async () => {
    const world = makeWorld([episodeDict("1", "a", "d")]);
    const { worker, pools } = startWorker(cluster);
    for (let i = 0; i < 4; i++) {
      expect(pools.closed).toBe(0);
      await submit(cluster, `open-${i}`, { world });
      await until(() => worker.stats.done === i + 1);
    }
    await until(() => pools.closed === 1);
  });
});

describe("a worker that stops when no run is left", () => {
  const untilEmpty = { untilEmpty: true };

  it("a worker that stops when no run is left ends as soon as its last result is recorded", async () => {
    let pauses = 0;
    const sleep: WorkerHooks["sleep"] = (ms, signal) => {
      pauses++;
      return untilWoken(ms, signal);
    };
    const { own, ended, gate, state } = await underWay("ending", {
      ...untilEmpty,
      hooks: { sleep },
    });
    await until(() => pauses > 0);
    const finishing = "FOR UPDATE";
    own.before = (sql) =>
      sql.includes(SQL.result) ? grace(() => countOf(own, finishing) > 0) : undefined;
    gate.resolve();
    expect(await ended).toBeUndefined();
    expect(await state()).toMatchObject({ status: "done", results: ALL });
  });

  it("a worker that stops when no run is left takes a run submitted while an episode of a cancelled one is under way", async () => {
    const { worker, own, ended, gate } = await underWay("over", { ...untilEmpty, ...BEATING });
    await controlRun(cluster, "over", { action: "cancel" });
    const leases = countOf(own, SQL.lease);
    await until(() => worker.stats.backlog === 0 && countOf(own, SQL.lease) > leases + 2);
    await submit(cluster, "next");
    await until(() => worker.stats.run === "next");
    gate.resolve();
    expect(await ended).toBeUndefined();
    expect(await stateOf(cluster, "next")).toMatchObject({ status: "done", results: ALL });
  });

  it("a worker that stops when no run is left waits for a run that it cannot open now, whether it is queued or running", async () => {
    for (const status of ["queued", "running"]) {
      await submit(cluster, `later-${status}`);
      let opened = 0;
      const opening = async () => {
        if (opened++ > 0) return;
        await cluster.database.query(
          "UPDATE robot_eval.runs SET status = $1 WHERE status = 'running'",
          [status],
        );
        throw new Error("not now");
      };
      const { ended } = startWorker(cluster, { opening }, untilEmpty);
      expect(await ended).toBeUndefined();
      expect(await stateOf(cluster, `later-${status}`)).toMatchObject({ results: ALL });
    }
  });

  it("a worker that stops when no run is left does not end if the wait for a run that it cannot open ends meanwhile", async () => {
    await submit(cluster, "meanwhile");
    const own = watched(cluster);
    const skip = skippingDate();
    let opened = 0;
    const opening = async () => {
      if (opened++ === 0) throw new Error("not now");
    };
    own.before = (sql) => {
      // The request for batches excludes the run; from here on it may be asked for again.
      if (sql.includes(SQL.lease) && opened === 1) skip(2000);
    };
    const { ended } = startWorker(own, { opening }, untilEmpty);
    expect(await ended).toBeUndefined();
    expect(await stateOf(cluster, "meanwhile")).toMatchObject({ results: ALL });
  });

  it("a worker that stops when no run is left does not end while one of two drained runs has a batch at another worker", async () => {
    await submit(cluster, "elsewhere");
    expect((await leaseElsewhere()).leases.length).toBe(1);
    await submit(cluster, "here");
    const own = watched(cluster);
    const { worker, stop, ended } = startWorker(own, {}, untilEmpty);
    await until(() => worker.stats.done >= ALL);
    let isEnded = false;
    ended.then(() => {
      isEnded = true;
    });
    await grace(() => isEnded);
    expect(isEnded).toBe(false);
    stop();
    expect(await ended).toBeUndefined();
  });
});

describe("a worker without anything to run", () => {
  it("a worker without anything to run pauses twice as long each time, up to 3 s, and briefly again after a lease", async () => {
    const pauses: number[] = [];
    const isDue = deferred();
    const sleep: WorkerHooks["sleep"] = async (ms) => {
      pauses.push(ms);
      if (pauses.length === 8) await isDue.promise;
      await nextTurn();
    };
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    try {
      const { worker } = startWorker(cluster, { sleep });
      await until(() => pauses.length === 8);
      expect(pauses).toEqual([100, 200, 400, 800, 1600, 3000, 3000, 3000]);
      await submit(cluster, "awaited");
      isDue.resolve();
      await until(() => worker.stats.done === ALL);
      // A worker with a full backlog pauses too, for 3 s; with nothing left to lease it begins again with 100 ms.
      await until(() => pauses.slice(8).includes(100));
    } finally {
      vi.restoreAllMocks();
    }
  });
});

describe("a worker that runs a suspect batch", () => {
  it("a worker that runs a suspect batch records the result before it leases more", async () => {
    const world = makeWorld([episodeDict("1", "a", "d")]);
    await submit(cluster, "suspect", { world });
    for (let i = 0; i < 3; i++) {
      await leaseElsewhere();
      await makeDue();
      await maintain(cluster);
    }
    const own = watched(cluster);
    own.before = (sql) => {
      if (sql.includes(SQL.result)) throw fatal();
    };
    const running = vi.fn();
    const { ended } = startWorker(own, { running });
    expect(await ended).toMatchObject({ message: "no such column" });
    expect(running).not.toHaveBeenCalled();
  });
});

describe("the policies of a cluster's run", () => {
  it("the policies of a cluster run are recorded by the first worker, and others are rejected", async () => {
    await submit(cluster, "named");
    const { database } = cluster;
    const policies = { vln: { name: "openvla", checkpoint: "1" } };
    const before = (await getRun(database, "named")).info;
    await recordPolicies(database, "named", policies);
    await recordPolicies(database, "named", policies);
    const { info } = await getRun(database, "named");
    expect(info).toEqual({ ...before, policies });
    expect(Object.keys(info.config)).toEqual(Object.keys(before.config));
    expect((await readSnapshot(database, "named"))?.policies).toEqual(policies);
    const other = { vln: { name: "openvla", checkpoint: "2" } };
    await expect(recordPolicies(database, "named", other)).rejects.toMatchObject({
      code: "other_policy",
    });
  });
});
