import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import type { MetricSet } from "../../core/telemetry/metric-set.js";
import { PACKAGE_VERSION } from "../../runs/directory/versions.js";

/**
 * Adds process metrics under the names of Prometheus' client libraries, so that existing dashboards show them.
 */
export function addProcessMetrics(metrics: MetricSet): void {
  const info = metrics.gauge("robot_eval_info", "Always 1; the labels are the versions.", [
    "version",
    "node",
  ]);
  info.set(1, { version: PACKAGE_VERSION, node: process.versions.node });
  const gauge = (name: string, help: string, read: () => number) =>
    metrics.measured({ name, help, type: "gauge" }, read);
  metrics.measured(
    {
      name: "process_cpu_seconds_total",
      help: "CPU time of all threads.",
      type: "counter",
    },
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  );
  gauge("process_resident_memory_bytes", "Resident memory.", () => process.memoryUsage.rss());
  const started = Date.now() / 1000 - process.uptime();
  gauge("process_start_time_seconds", "Start time, in seconds since 1970.", () => started);
  gauge(
    "nodejs_heap_size_used_bytes",
    "Used JavaScript heap of the main thread.",
    () => process.memoryUsage().heapUsed,
  );
  gauge(
    "nodejs_eventloop_lag_p99_seconds",
    "99th percentile of the main thread's event loop lag since the last scrape.",
    lag99,
  );
}

const LOOK_MS = 20;
/** One per process; does not keep the process alive. */
let lag: IntervalHistogram | undefined;

/** The histogram contains the intervals of its timer; the lag is their excess over the nominal interval. */
function lag99(): number {
  if (!lag) {
    lag = monitorEventLoopDelay({ resolution: LOOK_MS });
    lag.enable();
  }
  const between = lag.percentile(99) / 1e9;
  lag.reset();
  return Math.max(0, between - LOOK_MS / 1000);
}
