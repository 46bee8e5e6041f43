import { once } from "node:events";
import { type WebSocket, WebSocketServer as WsServer } from "ws";
import { errorCode, errorMessage, ProtocolError, RobotEvalError } from "../../core/errors.js";
import { type Capabilities, type MessageOf, PROTOCOL_VERSION } from "../messages/base.js";
import { agree, checkVersion, encodingOf } from "../messages/negotiate.js";
import { POLICY_FRAME_BYTES } from "./client.js";
import { firstMessage } from "./handshake.js";
import { Link } from "./link.js";
import { PeerError } from "./peer-error.js";
import { ResumeTokens, sameSecret } from "./secrets.js";

/** How long who dialled may take to say `connect`. */
const HANDSHAKE_MS = 10_000;
/** How long peers may take to close when we do. */
const CLOSING_MS = 500;
const MOST_CONNECTIONS = 1024;

/** Close codes of RFC 6455 for each refusal; anything else is a breach of the protocol. */
const CLOSE_CODES: Readonly<Record<string, number>> = {
  unauthorized: 1008,
  version_mismatch: 1002,
  bad_role: 1008,
  busy: 1013,
};

export interface ServerOptions {
  /** 127.0.0.1 if absent: who wants strangers to dial in says so. */
  readonly host?: string | undefined;
  /** 0 takes any free one. */
  readonly port: number;
  /** Who may dial: policies, or evaluators. */
  readonly expects: "agent" | "evaluator";
  /** Our own; what both will use is worked out from these and the dialler's. */
  readonly capabilities: Capabilities;
  readonly server: { readonly name: string; readonly version?: string };
  /** Whoever dials must know it. */
  readonly token?: string | undefined;
  /** Whether a broken connection may be taken up again; who owns it then calls `forget` when it is over. */
  readonly resumable?: boolean | undefined;
  /** Refuses a new connection by a message, with the code `busy`; resumed ones are not asked about. */
  readonly refuse?: ((hello: MessageOf<"connect">) => string | undefined) | undefined;
  /** Must take the link over at once (`link.listen`). */
  readonly onConnection: (accepted: Accepted) => void;
  readonly maxConnections?: number | undefined;
  /** Bytes of a frame; a larger one ends the connection with 1009. */
  readonly maxPayload?: number | undefined;
  readonly handshakeMs?: number | undefined;
}

/** A connection whose handshake is done. */
export interface Accepted {
  readonly link: Link;
  readonly hello: MessageOf<"connect">;
  readonly sessionId: string;
  /** What both will use. */
  readonly capabilities: Capabilities;
  /** Takes up a connection that was accepted before under the same session id. */
  readonly resumed: boolean;
  /** By which it can be taken up; absent where that is not offered, or to a peer of the plain form. */
  readonly resumeToken: string | undefined;
  /** Where it comes from, for people. */
  readonly remote: string;
}

/** Listens, and answers `connect`: version, access, what both will use, which connection is taken up again. */
export class WebSocketServer {
  readonly host: string;
  readonly port: number;
  readonly #server: WsServer;
  readonly #options: ServerOptions;
  readonly #tokens = new ResumeTokens();

  private constructor(server: WsServer, options: ServerOptions) {
    this.#server = server;
    this.#options = options;
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
    this.#tokens.forget(sessionId);
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
      const hello = await firstMessage(link, this.#options.handshakeMs ?? HANDSHAKE_MS);
      this.#options.onConnection(this.#accept(link, hello, remote));
    } catch (error) {
      refuse(link, error);
    }
  }

  #accept(link: Link, hello: Awaited<ReturnType<typeof firstMessage>>, remote: string): Accepted {
    if (hello.type !== "connect") {
      throw new ProtocolError("not_connected", `\`${hello.type}\` came before \`connect\``, {
        hint: "who dials says `connect` first",
      });
    }
    checkVersion(hello.protocol_version);
    this.#checkAccess(hello);
    const taken = hello.resume && this.#tokens.redeem(hello.resume);
    const busy = taken ? undefined : this.#options.refuse?.(hello);
    if (busy !== undefined) throw new PeerError("busy", busy);
    const capabilities = this.#agree(hello.capabilities ?? {});
    const sessionId = taken ? taken.sessionId : this.#tokens.newId();
    // Plain peers would not know what to do with a token.
    const plain = hello.capabilities === undefined && hello.protocol_version === undefined;
    const resumable = this.#options.resumable === true && !plain;
    const resumeToken = resumable ? this.#tokens.issue(sessionId) : undefined;
    link.tell({
      type: "connected",
      session_id: sessionId,
      protocol_version: PROTOCOL_VERSION,
      capabilities,
      server: { ...this.#options.server },
      ...(resumeToken === undefined ? {} : { resume_token: resumeToken }),
      ...(taken ? { resumed: true } : {}),
    });
    link.encoding = encodingOf(capabilities);
    const resumed = taken !== undefined;
    return { link, hello, sessionId, capabilities, resumed, resumeToken, remote };
  }

  #checkAccess({ role, token: shown }: MessageOf<"connect">): void {
    const { expects, token } = this.#options;
    if (token !== undefined && !sameSecret(token, shown ?? "")) {
      throw new PeerError(
        "unauthorized",
        shown === undefined ? "a token is asked for, and none was sent" : "the token is wrong",
      );
    }
    if (role !== expects) {
      throw new PeerError("bad_role", `here ${expects}s are expected, and you are an ${role}`);
    }
  }

  #agree(theirs: Capabilities): Capabilities {
    const { capabilities: ours, expects } = this.#options;
    return agree(theirs, ours, expects === "agent" ? theirs : ours);
  }
}

function refuse(link: Link, error: unknown): void {
  const code = error instanceof RobotEvalError ? error.code : "internal_error";
  const message = errorMessage(error);
  link.tell({ type: "error", session_id: "", code, message, fatal: true });
  void link.close(CLOSE_CODES[code] ?? 1002, code);
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
