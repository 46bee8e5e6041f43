import { setTimeout as later } from "node:timers/promises";
import { Hono } from "hono";
import { EXPOSITION_TYPE } from "../../core/telemetry/exposition.js";
import type { MetricSet } from "../../core/telemetry/metric-set.js";
import { requireToken } from "../auth.js";

/** Nothing where it is ready; else why it is not. */
export type Readiness = () => string | undefined | Promise<string | undefined>;

export interface HealthOptions {
  readonly metrics: MetricSet;
  /** Always ready if absent. */
  readonly ready?: Readiness | undefined;
  /** Whoever reads the metrics must know it. The two probes tell one word and ask for nothing. */
  readonly token?: string | undefined;
}

/** Kubernetes asks anew every ten seconds and gives up after one, unless told otherwise. */
const PATIENCE_MS = 900;

const NOT_KEPT = { "Cache-Control": "no-store" };

/**
 * Answers to those who look after a process.
 *
 * - `/healthz`: it runs. Where this is not answered, only a restart helps. A database that is away is no
 *   reason: a restart would lose the episodes under way and not bring it back.
 * - `/readyz`: it can do its work now, or why it cannot (503).
 * - `/metrics`: its numbers, for Prometheus.
 */
export function healthRoutes({ metrics, ready, token }: HealthOptions): Hono {
  const app = new Hono();
  app.get("/healthz", (c) => c.text("ok\n", 200, NOT_KEPT));
  app.get("/readyz", async (c) => {
    const trouble = await troubleOf(ready);
    return trouble === undefined
      ? c.text("ok\n", 200, NOT_KEPT)
      : c.text(`${trouble}\n`, 503, NOT_KEPT);
  });
  if (token !== undefined) app.use("/metrics", requireToken(token));
  app.get("/metrics", (c) =>
    c.body(metrics.text(), 200, { ...NOT_KEPT, "Content-Type": EXPOSITION_TYPE }),
  );
  return app;
}

async function troubleOf(ready: Readiness | undefined): Promise<string | undefined> {
  const patience = new AbortController();
  const late = later(PATIENCE_MS, "the check takes too long", { signal: patience.signal });
  late.catch(() => {});
  try {
    return await Promise.race([ready?.(), late]);
  } catch {
    // What it says may be of use to strangers, who may ask too.
    return "the check failed";
  } finally {
    patience.abort();
  }
}
