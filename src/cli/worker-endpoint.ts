import type { WorkerStats } from "../cluster/worker.js";
import type { EpisodeLine } from "../core/interfaces/result.js";
import { MetricSet } from "../core/telemetry/metric-set.js";
import { addProcessMetrics } from "../server/health/process-metrics.js";
import { createHealthServer, type HealthServer, METRICS_TOKEN } from "../server/health/serve.js";

export interface WorkerEndpoint {
  readonly host: string;
  readonly port: number;
}

/** Upper bounds of the histogram of episode times in seconds, from a graph episode to a long manipulation. */
const SECONDS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000];

/** Episode metrics of a worker since its start. */
export class EpisodeMetrics {
  readonly metrics = new MetricSet();
  readonly #outcomes = this.metrics.counter(
    "robot_eval_worker_episodes_total",
    "Episodes that ended, by outcome, including those that are retried.",
    ["outcome"],
  );
  readonly #seconds = this.metrics.histogram(
    "robot_eval_worker_episode_seconds",
    "Duration of an episode.",
    SECONDS,
  );

  add({ outcome, wall_ms }: Pick<EpisodeLine, "outcome" | "wall_ms">): void {
    this.#outcomes.add(1, { outcome });
    this.#seconds.observe(wall_ms / 1000);
  }
}

/** Serves a worker's liveness, readiness and metrics over HTTP. */
export function serveWorkerEndpoint(
  { host, port }: WorkerEndpoint,
  stats: () => WorkerStats,
  { metrics }: EpisodeMetrics,
): Promise<HealthServer> {
  addProcessMetrics(metrics);
  addWorkerMetrics(metrics, stats);
  return createHealthServer({
    metrics,
    host,
    port,
    token: process.env[METRICS_TOKEN],
    ready: () => (stats().isUnreachable ? "the database is unreachable" : undefined),
  });
}

function addWorkerMetrics(metrics: MetricSet, stats: () => WorkerStats): void {
  metrics.measured(
    {
      name: "robot_eval_worker_results_recorded_total",
      help: "Episodes whose result this worker recorded.",
      type: "counter",
    },
    () => stats().done,
  );
  const gauge = (name: string, help: string, read: (now: WorkerStats) => number) =>
    metrics.measured({ name: `robot_eval_worker_${name}`, help, type: "gauge" }, () =>
      read(stats()),
    );
  gauge(
    "capacity",
    "Episodes that it can run at once; 0 before its first run.",
    (now) => now.capacity,
  );
  gauge("episodes_under_way", "Episodes that it runs now.", ({ underWay }) => underWay);
  gauge("episodes_backlog", "Episodes that it has taken and not begun.", ({ backlog }) => backlog);
  gauge(
    "results_unrecorded",
    "Results that wait for the database. They are lost if the worker is killed now.",
    ({ unrecorded }) => unrecorded,
  );
  gauge("database_up", "0 while the database is unreachable.", ({ isUnreachable }) =>
    isUnreachable ? 0 : 1,
  );
}
