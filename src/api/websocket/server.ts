import { once } from "node:events";
import { type WebSocket, WebSocketServer as WsServer } from "ws";
import { errorCode, errorMessage } from "../../core/errors.js";
import type { Capabilities, MessageOf } from "../messages/base.js";
import {
  type Accepted,
  type AcceptOptions,
  type Admission,
  HandshakeAcceptor,
  refuse,
} from "./accept.js";
import { POLICY_FRAME_BYTES } from "./client.js";
import { Link } from "./link.js";
import { PeerError } from "./peer-error.js";
import { sameSecret } from "./secrets.js";

/** Milliseconds that peers have to answer our close. */
const CLOSING_MS = 500;
const MOST_CONNECTIONS = 1024;

export interface ServerOptions extends AcceptOptions {
  /** Address to listen on; 127.0.0.1 if absent. */
  readonly host?: string | undefined;
  /** 0 chooses any free port. */
  readonly port: number;
  /** Our capabilities; the negotiated ones are computed from these and the peer's. */
  readonly capabilities: Capabilities;
  /** Token that a dialling peer must send. */
  readonly token?: string | undefined;
  /** Returns a message to reject a new connection with the code `busy`; not called for resumed ones. */
  readonly refuse?: ((hello: MessageOf<"connect">) => string | undefined) | undefined;
  /** Must listen on the link at once (`link.listen`). */
  readonly onConnection: (accepted: Accepted) => void;
  readonly maxConnections?: number | undefined;
  /** Maximum frame size in bytes; a larger frame closes the connection with 1009. */
  readonly maxPayload?: number | undefined;
}

/**
 * Listens and accepts permitted peers.
 *
 * @example
 * const server = await WebSocketServer.listen({
 *   port: 8765,
 *   expects: "agent",
 *   server: { name: "my-evaluator" },
 *   capabilities: { encodings: ["json"] },
 *   onConnection: ({ link, sessionId }) => {
 *     link.listen({ onMessage: console.log, onClose: () => console.log(`${sessionId} left`) });
 *   },
 * });
 * console.log(server.url);
 */
export class WebSocketServer {
  readonly host: string;
  readonly port: number;
  readonly #acceptor: HandshakeAcceptor;

  private constructor(
    private readonly server: WsServer,
    private readonly options: ServerOptions,
  ) {
    this.#acceptor = new HandshakeAcceptor(options);
    const address = server.address();
    this.host = typeof address === "object" && address ? address.address : "";
    this.port = typeof address === "object" && address ? address.port : options.port;
    server.on("connection", (socket, request) => {
      const { remoteAddress = "?", remotePort = 0 } = request.socket;
      void this.#accept(socket, `${remoteAddress}:${remotePort}`);
    });
    // An error of the listening socket does not affect open connections.
    server.on("error", () => {});
  }

  static async listen(options: ServerOptions): Promise<WebSocketServer> {
    const { host = "127.0.0.1", port, maxPayload = POLICY_FRAME_BYTES } = options;
    const server = new WsServer({ host, port, maxPayload, perMessageDeflate: false });
    try {
      await once(server, "listening");
    } catch (error) {
      throw cannotListen(host, port, error);
    }
    return new WebSocketServer(server, options);
  }

  /** `ws://host:port` as dialled from this machine. */
  get url(): string {
    const name = this.host === "0.0.0.0" || this.host === "::" ? "localhost" : this.host;
    return `ws://${name.includes(":") ? `[${name}]` : name}:${this.port}`;
  }

  /** Ends a connection for good: it can no longer be resumed. */
  forget(sessionId: string): void {
    this.#acceptor.forget(sessionId);
  }

  /** Closes all connections and stops listening. */
  async close(): Promise<void> {
    const { clients } = this.server;
    for (const socket of clients) socket.close(1001, "the server is stopping");
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    const timer = setTimeout(() => {
      for (const socket of clients) socket.terminate();
    }, CLOSING_MS);
    await closed;
    clearTimeout(timer);
  }

  async #accept(socket: WebSocket, remote: string): Promise<void> {
    const link = new Link(socket);
    const most = this.options.maxConnections ?? MOST_CONNECTIONS;
    try {
      if (this.server.clients.size > most) {
        throw new PeerError("busy", `there are ${most} connections already`);
      }
      const accepted = await this.#acceptor.accept(link, remote, (...asked) =>
        this.#admit(...asked),
      );
      this.options.onConnection(accepted);
    } catch (error) {
      // A peer that has already left is not rejected.
      if (link.isOpen) this.options.onRefused?.(error);
      refuse(link, error);
    }
  }

  #admit(hello: MessageOf<"connect">, taken: string | undefined): Admission {
    const { token, refuse: busyWith, capabilities } = this.options;
    if (token !== undefined && !sameSecret(token, hello.token ?? "")) {
      throw new PeerError(
        "unauthorized",
        hello.token === undefined ? "a token is required, and none was sent" : "the token is wrong",
      );
    }
    const busy = taken === undefined ? busyWith?.(hello) : undefined;
    if (busy !== undefined) throw new PeerError("busy", busy);
    return { capabilities };
  }
}

function cannotListen(host: string, port: number, error: unknown): PeerError {
  const why: Readonly<Record<string, string>> = {
    EADDRINUSE: "the port is in use",
    EACCES: "ports below 1024 need privileges that this process does not have",
    EADDRNOTAVAIL: "this machine does not have this address",
    ENOTFOUND: "the host does not exist",
  };
  const code = String(errorCode(error) ?? "");
  return new PeerError("cannot_listen", why[code] ?? errorMessage(error), {
    where: `${host}:${port}`,
    hint: "choose another port, or 0 for any free one",
    cause: error,
  });
}
