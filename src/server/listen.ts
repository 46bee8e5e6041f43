import { createServer, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { WebSocketServer } from "ws";
import { ConfigError, errorCode, errorMessage } from "../core/errors.js";
import { bracketed } from "./auth.js";

/** Serves an application over plain HTTP. */
export async function serveApp(
  app: Hono,
  host: string,
  port: number,
): Promise<{ readonly server: Server; readonly port: number; readonly url: string }> {
  // Overriding the global Request and Response would affect programs that use this as a library.
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  const actual = await listen(server, host, port);
  return { server, port: actual, url: `http://${bracketed(host)}:${actual}` };
}

/** Resolves with the port, which differs from the requested one if that was 0. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => reject(cannotListen(cause, host, port)));
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}

function cannotListen(cause: unknown, host: string, port: number): ConfigError {
  const taken = errorCode(cause) === "EADDRINUSE";
  const message = taken ? `port ${port} is in use` : `cannot listen: ${errorMessage(cause)}`;
  return new ConfigError(taken ? "port_taken" : "cannot_listen", message, {
    where: `${host}:${port}`,
    hint: taken ? "choose another --port, or 0 for any free one" : "check --host and --port",
    cause,
  });
}

/** Stops listening and closes all connections. */
export function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}

/** Stops listening and drops all WebSocket connections. */
export function closeSockets(server: WebSocketServer): Promise<void> {
  for (const socket of server.clients) socket.terminate();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Answers a WebSocket upgrade with an HTTP error such as `404 Not Found`. */
export function rejectUpgrade(wire: Duplex, status: string): void {
  wire.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
