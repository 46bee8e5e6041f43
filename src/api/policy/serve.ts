import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { ConfigError, errorCode, errorMessage } from "../../core/errors.js";
import { ENCODINGS, type Encoding } from "../messages/base.js";
import { Link } from "../websocket/link.js";
import { castOf, closeCast } from "./cast.js";
import { DialectHost } from "./dialect-host.js";
import type { DialectName } from "./dialects.js";
import { Host } from "./host.js";
import type { PolicySource } from "./policy.js";

/** Largest frame that is taken from an evaluator: eight cameras of 1280 x 720 with depth are 52 MB. */
export const OBSERVATION_FRAME_BYTES = 64 * 2 ** 20;

export interface ServeOptions {
  /** 8000 if absent; 0 takes any that is free. */
  readonly port?: number;
  /** The address to listen at: this machine only, if absent. `0.0.0.0` lets others in. */
  readonly host?: string;
  /** Evaluators must say it (`token`; `Authorization: Api-Key` in a dialect). */
  readonly token?: string;
  /** The most sessions side by side; 16 if absent. An object without `actBatch` has one. */
  readonly sessions?: number;
  /** The forms of frames that are offered. */
  readonly encodings?: readonly Encoding[];
  /** Seconds that sessions wait for a connection that broke off; 30 if absent. */
  readonly grace?: number;
  /** The largest frame that is read, in bytes; 64 MiB if absent. */
  readonly maxFrame?: number;
  /** Serves the clients of another project instead of evaluators. */
  readonly dialect?: DialectName;
  /** What a dialect's server says of itself when a client connects. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface PolicyServer {
  /** Where it listens: `ws://127.0.0.1:8000`. */
  readonly url: string;
  readonly port: number;
  /** Hangs up, and closes the policies. */
  close(): Promise<void>;
}

/** How long peers have for the closing handshake, in milliseconds. */
const CLOSE_WITHIN = 1000;

/** Serves a policy to evaluators that dial in (`--agent ws://host:port`). */
export async function serve(
  source: PolicySource,
  options: ServeOptions = {},
): Promise<PolicyServer> {
  const { port = 8000, host = "127.0.0.1", maxFrame = OBSERVATION_FRAME_BYTES } = options;
  const cast = await castOf(source, options.sessions);
  const http = createServer({ keepAlive: true, keepAliveInitialDelay: 30_000 }, answerHttp);
  const accept = options.dialect
    ? new DialectHost(options.dialect, cast, options)
    : new Host(cast, {
        token: options.token,
        encodings: options.encodings ?? ENCODINGS,
        grace: options.grace ?? 30,
      });
  const sockets = new WebSocketServer({
    server: http,
    perMessageDeflate: false,
    maxPayload: maxFrame,
  });
  // The HTTP server tells the same error to who waits for it to listen.
  sockets.on("error", () => {});
  sockets.on("connection", (socket, request) => {
    if (accept instanceof Host) accept.welcome(new Link(socket));
    else accept.welcome(socket, request.headers.authorization);
  });
  const bound = await listen(http, port, host);
  return {
    url: `ws://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    async close() {
      accept.close();
      await Promise.all([...sockets.clients].map(hangUp));
      sockets.close();
      await new Promise((resolve) => http.close(resolve));
      await closeCast(cast);
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
      const why = taken ? "something listens there already" : errorMessage(error);
      reject(
        new ConfigError("cannot_listen", `cannot listen at ${host}:${port}: ${why}`, {
          hint: taken ? "choose another port; 0 takes any that is free" : undefined,
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
    socket.close(1001, "the policy server stops");
  });
}
