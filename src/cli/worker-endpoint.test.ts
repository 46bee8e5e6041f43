import { expect, it } from "vitest";
import type { WorkerStats } from "../cluster/worker.js";
import { parseExposition } from "../core/telemetry/exposition.fixture.js";
import { EpisodeMetrics, serveWorkerEndpoint } from "./worker-endpoint.js";

it("a worker endpoint reports its current state", async () => {
  let stats: WorkerStats = {
    ...{ worker: "w", run: undefined, capacity: 0, underWay: 0, done: 0 },
    ...{ backlog: 0, unrecorded: 0, isUnreachable: false },
  };
  const episodes = new EpisodeMetrics();
  const at = { host: "127.0.0.1", port: 0 };
  const server = await serveWorkerEndpoint(at, () => stats, episodes);
  try {
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    stats = {
      ...stats,
      capacity: 4,
      underWay: 3,
      done: 7,
      backlog: 2,
      unrecorded: 1,
      isUnreachable: true,
    };
    const away = await fetch(`${server.url}/readyz`);
    expect([away.status, await away.text()]).toEqual([503, "the database is unreachable\n"]);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    episodes.add({ outcome: "success", wall_ms: 20 });
    episodes.add({ outcome: "failure", wall_ms: 20_000 });
    episodes.add({ outcome: "success", wall_ms: 2_000_000 });
    const page = parseExposition(await (await fetch(`${server.url}/metrics`)).text());
    const values = page.map(({ name, samples }) => [name, samples[0]?.value]);
    expect(Object.fromEntries(values)).toMatchObject({
      robot_eval_worker_results_recorded_total: 7,
      robot_eval_worker_capacity: 4,
      robot_eval_worker_episodes_under_way: 3,
      robot_eval_worker_episodes_backlog: 2,
      robot_eval_worker_results_unrecorded: 1,
      robot_eval_worker_database_up: 0,
    });
    const samplesOf = (family: string) =>
      (page.find(({ name }) => name === family)?.samples ?? []).map(
        ({ labels, value }) => [labels.outcome ?? labels.le, value] as const,
      );
    expect(samplesOf("robot_eval_worker_episodes_total")).toEqual([
      ["success", 2],
      ["failure", 1],
    ]);
    expect(samplesOf("robot_eval_worker_episode_seconds")).toEqual(
      expect.arrayContaining([
        ["0.01", 0],
        ["0.03", 1],
        ["30", 2],
        ["+Inf", 3],
        [undefined, 2020.02],
      ]),
    );
  } finally {
    await server.close();
  }
});
