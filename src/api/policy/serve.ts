import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { ConfigError, errorCode, errorMessage } from "../../core/errors.js";
import { ENCODINGS, type Encoding } from "../messages/base.js";
import { Link } from "../websocket/link.js";
import { DialectHost } from "./dialect-host.js";
import type { DialectName } from "./dialects.js";
import { Host } from "./host.js";
import { type IdentityOptions, identityOf } from "./identity.js";
import type { PolicySource } from "./policy.js";
import { closePolicyPool, createPolicyPool } from "./policy-pool.js";

/** Largest frame accepted from an evaluator: eight cameras of 1280 x 720 with depth are 52 MB. */
export const OBSERVATION_FRAME_BYTES = 64 * 2 ** 20;

export interface ServeOptions extends IdentityOptions {
  /** 8000 if absent; 0 chooses any free port. */
  readonly port?: number;
  /** Address to listen on; this machine only if absent. Use `0.0.0.0` to accept other machines. */
  readonly host?: string;
  /** Token that evaluators must send (`token`; `Authorization: Api-Key` in a dialect). */
  readonly token?: string;
  /**
   * Maximum number of concurrent sessions; 16 if absent. An object without `actBatch` has one, except in a dialect,
   * where it acts for all clients, one call at a time.
   */
  readonly sessions?: number;
  /** Offered encodings. */
  readonly encodings?: readonly Encoding[];
  /** Seconds that sessions wait for a broken connection to return; 30 if absent. */
  readonly grace?: number;
  /** Largest accepted frame in bytes; 64 MiB if absent. */
  readonly maxFrame?: number;
  /** Serves the clients of another project instead of evaluators. */
  readonly dialect?: DialectName;
  /** Further facts about the policy, recorded with the run; in a dialect, the metadata that its server sends. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface PolicyServer {
  /** Listening address: `ws://127.0.0.1:8000`. */
  readonly url: string;
  readonly port: number;
  /** Closes all connections and the policies. */
  close(): Promise<void>;
}

/** Milliseconds that peers have for the closing handshake. */
const CLOSE_WITHIN = 1000;

/**
 * Serves a policy to evaluators that dial in (`--agent ws://host:port`).
 *
 * @example
 * const server = await serve({ sensors: ["rgb"], act: () => "move_forward" }, { port: 8000 });
 * console.log(server.url); // ws://127.0.0.1:8000
 */
export async function serve(
  source: PolicySource,
  options: ServeOptions = {},
): Promise<PolicyServer> {
  const { port = 8000, host = "127.0.0.1", maxFrame = OBSERVATION_FRAME_BYTES } = options;
  // The servers of the dialects share one policy among all clients, and so does this one.
  const pool = await createPolicyPool(source, options.sessions, options.dialect !== undefined);
  const http = createServer({ keepAlive: true, keepAliveInitialDelay: 30_000 }, answerHttp);
  const acceptor = options.dialect
    ? new DialectHost(options.dialect, pool, options)
    : new Host(pool, {
        token: options.token,
        policy: identityOf(pool.declaration, options),
        encodings: options.encodings ?? ENCODINGS,
        grace: options.grace ?? 30,
      });
  const sockets = new WebSocketServer({
    server: http,
    perMessageDeflate: false,
    maxPayload: maxFrame,
  });
  // The HTTP server reports the same error to the caller of `listen`.
  sockets.on("error", () => {});
  sockets.on("connection", (socket, request) => {
    if (acceptor instanceof Host) acceptor.accept(new Link(socket));
    else acceptor.accept(socket, request.headers.authorization);
  });
  const bound = await listen(http, port, host);
  return {
    url: `ws://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    async close() {
      acceptor.close();
      await Promise.all([...sockets.clients].map(hangUp));
      sockets.close();
      await new Promise((resolve) => http.close(resolve));
      await closePolicyPool(pool);
    },
  };
}

function answerHttp(request: IncomingMessage, response: ServerResponse): void {
  if (request.url?.split("?")[0] === "/healthz") {
    response.writeHead(200, { "content-type": "text/plain" }).end("OK\n");
  } else {
    response.writeHead(426, { upgrade: "websocket" }).end("this is a WebSocket server\n");
  }
}

function listen(http: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once("error", (error) => {
      const taken = errorCode(error) === "EADDRINUSE";
      const why = taken ? "the port is in use" : errorMessage(error);
      reject(
        new ConfigError("cannot_listen", `cannot listen on ${host}:${port}: ${why}`, {
          hint: taken ? "choose another port, or 0 for any free one" : undefined,
        }),
      );
    });
    http.listen(port, host, () => {
      const address = http.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}

function hangUp(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const impatient = setTimeout(() => socket.terminate(), CLOSE_WITHIN);
    socket.once("close", () => {
      clearTimeout(impatient);
      resolve();
    });
    socket.close(1001, "the policy server is stopping");
  });
}
