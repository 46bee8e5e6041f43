import { join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Cluster } from "../../src/cluster/cluster.js";
import { whenReachable } from "../../src/cluster/database/when-reachable.js";
import { Random } from "../../src/core/math/random.js";
import { type RunningCli, robotEval, startRobotEval } from "../support/cli.js";
import { makeSlowWorld, mixedEpisodes } from "../support/kill.js";
import { startPostgres } from "../support/postgres.js";
import { contentOf, setAsideOf } from "../support/run-content.js";

const EPISODES = mixedEpisodes(3);
/** Seed of the kill times. */
const SEED = 20;

it("every episode counts once when workers are killed and the database restarts", async () => {
  const world = makeSlowWorld(EPISODES, "evaluation.retry_invalid=1");
  const local = await robotEval([...world.run, "--out", "local", "--run-id", "r"], world.root);
  expect(local).toMatchObject({ code: 0 });

  const server = await startPostgres();
  const cluster = await server.cluster();
  const random = new Random(SEED);
  world.pause(40);
  const worker = () =>
    startRobotEval(
      ["worker", "--queue", server.url, "--workers", "1", "--lost-after", "3"],
      world.root,
    );
  const run = startRobotEval(
    [...world.run, "--queue", server.url, "--out", "attached", "--run-id", "r"],
    world.root,
  );
  const workers = [worker(), worker(), worker(), worker()];

  const kill = async (after: number): Promise<void> => {
    const then = await untilDone(cluster, after);
    await later(random.uniform() * 200);
    const victim = workers.splice(random.below(workers.length), 1)[0];
    victim?.signal("SIGKILL");
    expect((await victim?.done)?.code).toBeNull();
    expect(then).toBeLessThan(EPISODES.length);
    workers.push(worker());
  };
  await kill(4);
  await untilDone(cluster, 14);
  await server.restart();
  await kill(24);

  const attached = await run.done;
  expect(attached.stderr).not.toContain("internal error");
  expect(attached.code).toBe(0);
  expect(await endings(workers)).toEqual([0, 0, 0, 0]);

  const { rows } = await cluster.database.query<{ n: number; lost: number }>(
    `SELECT count(*)::int AS n, count(DISTINCT worker)::int AS workers,
       (SELECT count(*)::int FROM robot_eval.held) AS held FROM robot_eval.results`,
  );
  expect(rows).toEqual([{ n: EPISODES.length, workers: expect.any(Number), held: 0 }]);

  const pulled = await robotEval(
    ["pull", "r", "--queue", server.url, "--out", "pulled", "--json"],
    world.root,
  );
  expect(pulled.code).toBe(0);
  const [expected, ...found] = await Promise.all(
    ["local", "attached", "pulled"].map((folder) => contentOf(join(world.root, folder, "r"))),
  );
  for (const content of found) expect(content).toEqual(expected);
  const aside = async (folder: string) =>
    (await setAsideOf(join(world.root, folder, "r"))).map(({ episode_key }) => episode_key).sort();
  expect(await aside("pulled")).toEqual(await aside("local"));
  expect(await aside("local")).not.toEqual([]);
}, 240_000);

/** Waits for a number of results; returns their count. */
async function untilDone({ database }: Cluster, count: number): Promise<number> {
  for (;;) {
    const { rows } = await whenReachable(() =>
      database.query<{ n: number }>("SELECT count(*)::int AS n FROM robot_eval.results"),
    );
    const n = rows[0]?.n ?? 0;
    if (n >= count) return n;
    await later(20);
  }
}

async function endings(workers: readonly RunningCli[]): Promise<readonly (number | null)[]> {
  // A worker that is still starting has nothing to release.
  await Promise.all(workers.map((worker) => worker.said("worker ")));
  for (const worker of workers) worker.signal("SIGTERM");
  return Promise.all(workers.map(async (worker) => (await worker.done).code));
}
