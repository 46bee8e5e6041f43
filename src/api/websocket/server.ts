import { once } from "node:events";
import { type WebSocket, WebSocketServer as WsServer } from "ws";
import { errorCode, errorMessage } from "../../core/errors.js";
import type { Capabilities, MessageOf } from "../messages/base.js";
import { POLICY_FRAME_BYTES } from "./client.js";
import { Link } from "./link.js";
import { PeerError } from "./peer-error.js";
import {
  type Accepted,
  type Admission,
  Reception,
  type ReceptionOptions,
  refuse,
} from "./reception.js";
import { sameSecret } from "./secrets.js";

/** How long peers may take to close when we do. */
const CLOSING_MS = 500;
const MOST_CONNECTIONS = 1024;

export interface ServerOptions extends ReceptionOptions {
  /** 127.0.0.1 if absent: who wants strangers to dial in says so. */
  readonly host?: string | undefined;
  /** 0 takes any free one. */
  readonly port: number;
  /** Our own; what both will use is worked out from these and the dialler's. */
  readonly capabilities: Capabilities;
  /** Whoever dials must know it. */
  readonly token?: string | undefined;
  /** Refuses a new connection by a message, with the code `busy`; resumed ones are not asked about. */
  readonly refuse?: ((hello: MessageOf<"connect">) => string | undefined) | undefined;
  /** Must take the link over at once (`link.listen`). */
  readonly onConnection: (accepted: Accepted) => void;
  readonly maxConnections?: number | undefined;
  /** Bytes of a frame; a larger one ends the connection with 1009. */
  readonly maxPayload?: number | undefined;
}

/** Listens, and lets those in who may. */
export class WebSocketServer {
  readonly host: string;
  readonly port: number;
  readonly #server: WsServer;
  readonly #options: ServerOptions;
  readonly #reception: Reception;

  private constructor(server: WsServer, options: ServerOptions) {
    this.#server = server;
    this.#options = options;
    this.#reception = new Reception(options);
    const address = server.address();
    this.host = typeof address === "object" && address ? address.address : "";
    this.port = typeof address === "object" && address ? address.port : options.port;
    server.on("connection", (socket, request) => {
      const { remoteAddress = "?", remotePort = 0 } = request.socket;
      void this.#welcome(socket, `${remoteAddress}:${remotePort}`);
    });
    // A listening socket that fails later has no one to tell; its connections go on.
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

  /** `ws://host:port`, as who is on this machine would dial it. */
  get url(): string {
    const name = this.host === "0.0.0.0" || this.host === "::" ? "localhost" : this.host;
    return `ws://${name.includes(":") ? `[${name}]` : name}:${this.port}`;
  }

  /** A connection that is over for good: it can no longer be taken up. */
  forget(sessionId: string): void {
    this.#reception.forget(sessionId);
  }

  /** Ends what is still open, and stops listening. */
  async close(): Promise<void> {
    const { clients } = this.#server;
    for (const socket of clients) socket.close(1001, "the server stops");
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    const timer = setTimeout(() => {
      for (const socket of clients) socket.terminate();
    }, CLOSING_MS);
    await closed;
    clearTimeout(timer);
  }

  async #welcome(socket: WebSocket, remote: string): Promise<void> {
    const link = new Link(socket);
    const most = this.#options.maxConnections ?? MOST_CONNECTIONS;
    try {
      if (this.#server.clients.size > most) {
        throw new PeerError("busy", `there are ${most} connections already`);
      }
      const accepted = await this.#reception.welcome(link, remote, (...asked) =>
        this.#admit(...asked),
      );
      this.#options.onConnection(accepted);
    } catch (error) {
      refuse(link, error);
    }
  }

  #admit(hello: MessageOf<"connect">, taken: string | undefined): Admission {
    const { token, refuse: busyWith, capabilities } = this.#options;
    if (token !== undefined && !sameSecret(token, hello.token ?? "")) {
      throw new PeerError(
        "unauthorized",
        hello.token === undefined
          ? "a token is asked for, and none was sent"
          : "the token is wrong",
      );
    }
    const busy = taken === undefined ? busyWith?.(hello) : undefined;
    if (busy !== undefined) throw new PeerError("busy", busy);
    return { capabilities };
  }
}

function cannotListen(host: string, port: number, error: unknown): PeerError {
  const why: Readonly<Record<string, string>> = {
    EADDRINUSE: "something else listens there already",
    EACCES: "ports below 1024 need rights that this process has not",
    EADDRNOTAVAIL: "this machine has no such address",
    ENOTFOUND: "there is no such host",
  };
  const code = String(errorCode(error) ?? "");
  return new PeerError("cannot_listen", why[code] ?? errorMessage(error), {
    where: `${host}:${port}`,
    hint: "choose another port, or 0 for any free one",
    cause: error,
  });
}
