import type { Server } from "node:http";
import { ConfigError, errorCode, errorMessage } from "../core/errors.js";

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
  const message = taken ? `port ${port} is taken` : `cannot listen: ${errorMessage(cause)}`;
  return new ConfigError(taken ? "port_taken" : "cannot_listen", message, {
    where: `${host}:${port}`,
    hint: taken
      ? "choose another with --port, or 0 for any that is free"
      : "check --host and --port",
    cause,
  });
}
