import type { MiddlewareHandler } from "hono";
import type { MetricSet } from "../../core/telemetry/metric-set.js";

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Counts requests and measures the time until the response starts. Paths are not labels: clients choose them, and each
 * would create a series.
 */
export function countRequests(metrics: MetricSet): MiddlewareHandler {
  const total = metrics.counter("http_requests_total", "Answered requests.", ["method", "status"]);
  const seconds = metrics.histogram(
    "http_request_duration_seconds",
    "Time until the response starts.",
    SECONDS,
  );
  return async (c, next) => {
    const began = performance.now();
    await next();
    const method = METHODS.has(c.req.method) ? c.req.method : "other";
    total.add(1, { method, status: String(c.res.status) });
    seconds.observe((performance.now() - began) / 1000);
  };
}
