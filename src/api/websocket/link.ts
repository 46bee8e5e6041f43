import type { RawData, WebSocket } from "ws";
import { errorMessage, ProtocolError, RobotEvalError } from "../../core/errors.js";
import { decodeFrame, encodeFrame } from "../codec/frame.js";
import type { Encoding, Message } from "../messages/base.js";

/** Frames that are no message, after which a peer is taken for something else than a peer. */
const PATIENCE = 100;

export interface LinkHandlers {
  onMessage(message: Message): void;
  /** Once, however it ended. */
  onClose(code: number, reason: string): void;
}

/**
 * Messages over one WebSocket. What arrives is validated; what is no message is answered with `error` and goes
 * no further. Heartbeats are answered here.
 */
export class Link {
  /** Of what is sent; anything is understood. */
  encoding: Encoding = "json";
  readonly #socket: WebSocket;
  #handlers: LinkHandlers | undefined;
  #early: Message[] = [];
  #badFrames = 0;
  #closed: readonly [code: number, reason: string] | undefined;

  /** Takes over an open socket. */
  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data, isBinary) => this.#receive(data, isBinary));
    // An error is always followed by a close, which is where it is handled.
    socket.on("error", () => {});
    socket.on("close", (code, reason) => this.#ended(code, reason.toString("utf8")));
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Who listens; what came before is told at once, in order. May be handed on to somebody else later. */
  listen(handlers: LinkHandlers): void {
    this.#handlers = handlers;
    const early = this.#early;
    this.#early = [];
    for (const message of early) this.#handlers.onMessage(message);
    if (this.#closed) handlers.onClose(...this.#closed);
  }

  /** Resolves when the frame has left for the network, so that who awaits it cannot pile frames up. */
  send(message: Message): Promise<void> {
    return this.sendFrame(encodeFrame(message, this.encoding));
  }

  sendFrame(frame: string | Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.send(frame, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** For messages whose loss nobody waits for. */
  tell(message: Message): void {
    this.send(message).catch(() => {});
  }

  /** A WebSocket ping: the peer's library answers it, not the peer's own code. */
  ping(): void {
    if (this.isOpen) this.#socket.ping();
  }

  onPong(handler: () => void): void {
    this.#socket.on("pong", handler);
  }

  close(code = 1000, reason = ""): void {
    this.#socket.close(code, clip(reason));
  }

  /** Without a closing handshake, for peers that do not answer. */
  terminate(): void {
    this.#socket.terminate();
  }

  #receive(data: RawData, isBinary: boolean): void {
    let message: Message;
    try {
      message = decodeFrame(bytesOf(data), isBinary);
    } catch (error) {
      this.#refuse(error);
      return;
    }
    if (message.type === "heartbeat") {
      if (message.re === undefined) this.#answer(message.session_id, message.t);
      return;
    }
    if (this.#handlers) this.#handlers.onMessage(message);
    else this.#early.push(message);
  }

  #answer(sessionId: string, re: number): void {
    this.tell({ type: "heartbeat", session_id: sessionId, t: Date.now(), re });
  }

  #refuse(error: unknown): void {
    this.#badFrames++;
    const code = error instanceof RobotEvalError ? error.code : "bad_frame";
    this.tell({
      type: "error",
      session_id: "",
      code: error instanceof ProtocolError ? error.code : code,
      message: errorMessage(error),
      fatal: this.#badFrames > PATIENCE,
    });
    if (this.#badFrames > PATIENCE) this.close(1008, "too many frames that are no message");
  }

  #ended(code: number, reason: string): void {
    this.#closed = [code, reason];
    this.#handlers?.onClose(code, reason);
  }
}

/** A close frame holds at most 123 bytes of reason. */
function clip(reason: string): string {
  const bytes = Buffer.from(reason);
  return bytes.length <= 123 ? reason : bytes.subarray(0, 120).toString("utf8").replace(/�+$/, "");
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
