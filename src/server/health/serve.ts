import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { checkToken, isLoopback, requireHost } from "../auth.js";
import { closeServer, serveApp } from "../listen.js";
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
  const { server, port, url } = await serveApp(app, host, options.port);
  // The server must not keep a finished process alive.
  server.unref();
  return { port, url, close: () => closeServer(server) };
}
