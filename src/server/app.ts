import { type Context, Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { streamSSE } from "hono/streaming";
import { ConfigError } from "../core/errors.js";
import { MetricSet } from "../core/telemetry/metric-set.js";
import { isLoopback, requireHost, requireToken } from "./auth.js";
import { addProcessMetrics } from "./health/process-metrics.js";
import { countRequests } from "./health/requests.js";
import { healthRoutes, type Readiness } from "./health/routes.js";
import type { LiveRuns } from "./live.js";
import { PageFiles } from "./page-files.js";
import { sendFile, sendPrepared } from "./respond.js";
import { CachedContents } from "./view/cached.js";
import type { Problem } from "./view/documents.js";
import type { RunLibrary } from "./view/library.js";
import { problemOf, statusOf, unknownAddress } from "./view/problem.js";

export interface AppOptions {
  readonly library: RunLibrary;
  readonly live: LiveRuns;
  /** Folder of the built page. */
  readonly webRoot: string;
  readonly host: string;
  readonly token?: string | undefined;
  readonly ready?: Readiness | undefined;
  /** Called with internal errors. */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

/** Three.js loads the images inside a glb from blob URLs. */
const POLICY = {
  defaultSrc: ["'self'"],
  imgSrc: ["'self'", "data:", "blob:"],
  connectSrc: ["'self'", "data:", "blob:"],
  mediaSrc: ["'self'", "blob:"],
  workerSrc: ["'self'", "blob:"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
};

/** Keeps proxies and browsers from closing an idle connection. */
const HEARTBEAT_MS = 15_000;

/** The HTTP application of the dashboard. */
export function viewApp(options: AppOptions): Hono {
  const { library, live, host, token, ready } = options;
  const contents = new CachedContents(library);
  const files = new PageFiles(options.webRoot);
  const app = new Hono();
  app.use(secureHeaders({ contentSecurityPolicy: POLICY, strictTransportSecurity: false }));
  if (isLoopback(host)) app.use(requireHost(host));
  const metrics = new MetricSet();
  addProcessMetrics(metrics);
  app.use(countRequests(metrics));
  // Before the token check: probes send no token.
  app.route("/", healthRoutes({ metrics, ready, token }));
  if (token !== undefined) app.use(requireToken(token));
  app.get("/api/live", (c) => liveEvents(c, live));
  app.get("/api/*", async (c) => {
    const found = await contents.at(partsOf(c).slice(1));
    if ("file" in found) return sendFile(c, found.file, found.type);
    return sendPrepared(c, found, "no-cache");
  });
  app.get("*", async (c) => {
    const address = partsOf(c).join("/");
    const file = await files.get(address);
    if (!file) throw unknownAddress(address);
    const hashed = address.startsWith("assets/");
    return sendPrepared(c, file, hashed ? "max-age=31536000, immutable" : "no-cache");
  });
  app.notFound((c) => c.json(problemOf(unknownAddress(c.req.path)), 404));
  app.onError((error, c) => {
    const status = statusOf(error);
    if (status === 500) options.onFault?.(error);
    return c.json(problemOf(error) satisfies Problem, status, { "Cache-Control": "no-store" });
  });
  return app;
}

/** Decodes each part separately, so that an encoded slash does not split a part. */
function partsOf(c: Context): string[] {
  const path = new URL(c.req.url).pathname.slice(1);
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    throw new ConfigError("bad_address", "the address is not properly encoded", { where: path });
  }
}

function liveEvents(c: Context, live: LiveRuns): Response {
  // A browser that reconnects sends the last revision it received.
  const since = c.req.header("Last-Event-ID") ?? c.req.query("since");
  return streamSSE(c, async (stream) => {
    const stopping = new AbortController();
    stream.onAbort(() => stopping.abort());
    const beat = setInterval(() => void stream.write(": still here\n\n"), HEARTBEAT_MS);
    try {
      for await (const { revision, events } of live.changes(since, stopping.signal)) {
        for (const [i, event] of events.entries()) {
          // Only the last event carries the revision: a client disconnected before it has not seen all changes.
          const id = i === events.length - 1 ? { id: revision } : {};
          await stream.writeSSE({ data: JSON.stringify(event), ...id });
          if (stopping.signal.aborted) return;
        }
      }
    } finally {
      clearInterval(beat);
    }
  });
}
