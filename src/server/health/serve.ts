import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { bracketed, checkToken, isLoopback, requireHost } from "../auth.js";
import { listen } from "../listen.js";
import { type HealthOptions, healthRoutes } from "./routes.js";

export interface HealthServerOptions extends HealthOptions {
  /** Default 127.0.0.1. Other than loopback, a token is required. */
  readonly host?: string | undefined;
  /** 0 chooses a free port. */
  readonly port: number;
}

export interface HealthServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Environment variable of the token: all users of the machine could read an argument. */
export const METRICS_TOKEN = "ROBOT_EVAL_METRICS_TOKEN";

/** Serves probes and metrics of a process that has no HTTP server. */
export async function createHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  const { host = "127.0.0.1", token } = options;
  checkToken(host, token, { host: "--metrics-host", token: METRICS_TOKEN });
  const app = new Hono();
  app.use(secureHeaders({ strictTransportSecurity: false }));
  if (isLoopback(host)) app.use(requireHost(host));
  app.route("/", healthRoutes(options));
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  const port = await listen(server, host, options.port);
  // The server must not keep a finished process alive.
  server.unref();
  return {
    port,
    url: `http://${bracketed(host)}:${port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
