import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { bracketed, checkToken, isLoopback, requireHost } from "../auth.js";
import { listen } from "../listen.js";
import { type HealthOptions, healthRoutes } from "./routes.js";

export interface HealthServerOptions extends HealthOptions {
  /** 127.0.0.1 unless told; beyond this machine a token is required. */
  readonly host?: string | undefined;
  /** 0 takes one that is free. */
  readonly port: number;
}

export interface HealthServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** The variable that holds the token: an argument could be read by everybody on the machine. */
export const METRICS_TOKEN = "ROBOT_EVAL_METRICS_TOKEN";

/** Probes and metrics of a process that has no server of its own. */
export async function createHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  const { host = "127.0.0.1", token } = options;
  checkToken(host, token, { host: "--metrics-host", token: METRICS_TOKEN });
  const app = new Hono();
  app.use(secureHeaders({ strictTransportSecurity: false }));
  if (isLoopback(host)) app.use(requireHost(host));
  app.route("/", healthRoutes(options));
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  const port = await listen(server, host, options.port);
  // A process that is done must not be kept alive by those who watch it.
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
