import { setTimeout as later } from "node:timers/promises";
import { type Context, Hono } from "hono";
import { EXPOSITION_TYPE } from "../../core/telemetry/exposition.js";
import type { MetricSet } from "../../core/telemetry/metric-set.js";
import { requireToken } from "../auth.js";

/** Undefined if the process is ready; else the reason why it is not. */
export type Readiness = () => string | undefined | Promise<string | undefined>;

export interface HealthOptions {
  readonly metrics: MetricSet;
  /** The fatal error of a process that is about to stop. */
  readonly failure?: (() => string | undefined) | undefined;
  /** Default: always ready. */
  readonly ready?: Readiness | undefined;
  /** Token for the metrics; the two probes need none. */
  readonly token?: string | undefined;
}

/** Below the 1 s timeout of Kubernetes' probes. */
const CHECK_TIMEOUT_MS = 900;

const NOT_KEPT = { "Cache-Control": "no-store" };

/**
 * Probes and metrics of a process.
 *
 * - `/healthz`: 200 while it runs; 503 if only a restart helps. An unreachable database is not such a case: a restart
 *   would lose the running episodes and not bring the database back.
 * - `/readyz`: 200 if it can work now; else 503 with the reason.
 * - `/metrics`: metrics for Prometheus.
 */
export function healthRoutes({ metrics, failure, ready, token }: HealthOptions): Hono {
  const app = new Hono();
  const answer = (c: Context, problem: string | undefined) =>
    problem === undefined ? c.text("ok\n", 200, NOT_KEPT) : c.text(`${problem}\n`, 503, NOT_KEPT);
  app.get("/healthz", (c) => answer(c, failure?.()));
  app.get("/readyz", async (c) => answer(c, await problemOf(ready)));
  if (token !== undefined) app.use("/metrics", requireToken(token));
  app.get("/metrics", (c) =>
    c.body(metrics.text(), 200, { ...NOT_KEPT, "Content-Type": EXPOSITION_TYPE }),
  );
  return app;
}

async function problemOf(ready: Readiness | undefined): Promise<string | undefined> {
  const timer = new AbortController();
  const late = later(CHECK_TIMEOUT_MS, "the check takes too long", { signal: timer.signal });
  late.catch(() => {});
  try {
    return await Promise.race([ready?.(), late]);
  } catch {
    // The error's text is hidden, because the probe is public.
    return "the check failed";
  } finally {
    timer.abort();
  }
}
