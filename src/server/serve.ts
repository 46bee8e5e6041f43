import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { ConfigError, errorCode, errorMessage } from "../core/errors.js";
import { viewApp } from "./app.js";
import { bracketed, isLoopback } from "./auth.js";
import { LiveRuns } from "./live.js";
import { RunLibrary } from "./view/library.js";

export interface ViewServerOptions {
  /** A folder of runs, or one run. */
  readonly runs: string;
  /** Folder of the built page. */
  readonly webRoot: string;
  /** 127.0.0.1 unless told; beyond this machine a token is required. */
  readonly host?: string | undefined;
  /** 0 takes one that is free. */
  readonly port: number;
  readonly token?: string | undefined;
  readonly onFault?: ((error: unknown) => void) | undefined;
}

export interface ViewServer {
  /** Without the token. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Shortest token: sixteen characters of a keyboard are beyond guessing over a network. */
const SHORTEST_TOKEN = 16;

/** Serves the dashboard of a folder of runs. */
export async function createViewServer(options: ViewServerOptions): Promise<ViewServer> {
  const { host = "127.0.0.1", token, webRoot, onFault } = options;
  checkToken(host, token);
  const library = await RunLibrary.open(options.runs);
  const live = new LiveRuns(library);
  const app = viewApp({ library, live, webRoot, host, token, onFault });
  // Its own Request and Response would replace those of whoever uses this as a library.
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  try {
    const port = await listen(server, host, options.port);
    library.warmUp();
    return {
      port,
      url: `http://${bracketed(host)}:${port}/`,
      async close() {
        live.close();
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        server.closeAllConnections();
        await closed;
        await library.close();
      },
    };
  } catch (error) {
    await library.close();
    throw error;
  }
}

function checkToken(host: string, token: string | undefined): void {
  if (token === undefined && !isLoopback(host)) {
    throw new ConfigError("token_required", `${host} can be reached from other machines`, {
      where: "--host",
      hint: "give a token that visitors must know: --token <secret>",
    });
  }
  if (token !== undefined && (token.length < SHORTEST_TOKEN || /[^\w.~+/=-]/.test(token))) {
    throw new ConfigError(
      "bad_token",
      "the token is too short, or has characters beyond a-z 0-9 _ . ~ + / = -",
      {
        where: "--token",
        hint: `give at least ${SHORTEST_TOKEN} characters, such as those of: openssl rand -hex 16`,
      },
    );
  }
}

function listen(server: Server, host: string, port: number): Promise<number> {
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
