import type { RawData, WebSocket } from "ws";
import { errorCode, errorMessage, ProtocolError } from "../../core/errors.js";
import { encodeFrame, frameValue } from "../codec/frame.js";
import { recycleFrame } from "../codec/frame-pool.js";
import type { Encoding, Message } from "../messages/base.js";
import { readMessage } from "../messages/read.js";

/** Frames that are no message, after which a peer is taken for something else than a peer. */
const PATIENCE = 100;

/** Messages that are kept while nobody listens: between a handshake and who takes the link over. */
const MOST_EARLY = 100;

/** Bytes that may wait for a peer that does not read what nobody waits for; then it is cut off. */
const UNREAD = 32 * 2 ** 20;

/**
 * For sockets that dial. A mask of zeros changes nothing, so `ws` neither copies nor masks the frame, which for a
 * picture costs more than to make it. Masks are there to keep scripts in browsers from forging other protocols'
 * bytes; what is sent here comes from no web page.
 */
export const DIALING = {
  perMessageDeflate: false,
  generateMask: (mask: Buffer) => mask.fill(0),
} as const;

/** Bytes that wait to be sent, above which a peer that asks and does not read gets no more answers. */
const MOST_UNREAD = 2 ** 20;

const OPENING_BRACE = 0x7b;

/**
 * The codes that `ws` closes with for frames that WebSocket forbids; others of its faults are 1002. To us it
 * reports all of them as 1006, as if the network had failed, and a peer that does so again and again would be
 * dialled again and again.
 */
const FAULT_CODES: Readonly<Record<string, number>> = {
  WS_ERR_INVALID_UTF8: 1007,
  WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH: 1009,
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: 1009,
};

/** How long a peer may take to close when we do, in milliseconds: it may be at work and not look. */
const CLOSING_MS = 500;

export interface LinkHandlers {
  onMessage(message: Message): void;
  /** Once, however it ended. */
  onClose(code: number, reason: string): void;
  /** What was meant as a message and is none, once that has been answered; its value where it has any. */
  onBadFrame?(error: unknown, value: unknown): void;
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
  #closing: Promise<void> | undefined;
  #closed: readonly [code: number, reason: string] | undefined;
  #fault: readonly [code: number, reason: string] | undefined;

  /** Takes over an open socket. */
  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data, isBinary) => this.#receive(data, isBinary));
    // An error is always followed by a close, which is where it is handled.
    socket.on("error", (error) => {
      const code = String(errorCode(error) ?? "");
      if (code.startsWith("WS_ERR_")) this.#fault = [FAULT_CODES[code] ?? 1002, error.message];
    });
    socket.on("close", (code, reason) => this.#ended(code, reason.toString("utf8")));
  }

  /** It was closed from here, for a frame that WebSocket forbids or that is too big. */
  get hasFault(): boolean {
    return this.#fault !== undefined;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /**
   * Who listens; what came before is told at once, in order. May be handed on to somebody else later, and while
   * it is nobody's what arrives is kept.
   */
  listen(handlers: LinkHandlers | undefined): void {
    this.#handlers = handlers;
    while (this.#handlers && this.#handlers === handlers) {
      const message = this.#early.shift();
      if (!message) break;
      handlers?.onMessage(message);
    }
    if (this.#closed && this.#handlers === handlers) handlers?.onClose(...this.#closed);
  }

  /** Resolves when the frame has left for the network, so that who awaits it cannot pile frames up. */
  async send(message: Message): Promise<void> {
    const frame = encodeFrame(message, this.encoding);
    await this.sendFrame(frame);
    recycleFrame(frame);
  }

  sendFrame(frame: string | Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.send(frame, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** For messages whose loss nobody waits for. */
  tell(message: Message): void {
    if (this.#socket.bufferedAmount > UNREAD) this.terminate();
    else this.send(message).catch(() => {});
  }

  /** A WebSocket ping: the peer's library answers it, not the peer's own code. */
  ping(): void {
    if (this.isOpen) this.#socket.ping();
  }

  onPong(handler: () => void): void {
    this.#socket.on("pong", handler);
  }

  /** Resolves when it is closed: by the peer's consent, or without it after a moment. */
  close(code = 1000, reason = ""): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      if (this.#closed) return resolve();
      const timer = setTimeout(() => this.terminate(), CLOSING_MS);
      this.#socket.once("close", () => {
        clearTimeout(timer);
        resolve();
      });
      this.#socket.close(code, clip(reason));
    });
    return this.#closing;
  }

  /** Without a closing handshake, for peers that do not answer. */
  terminate(): void {
    this.#socket.terminate();
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#badFrames > PATIENCE) return;
    const bytes = bytesOf(data);
    let value: unknown;
    let message: Message;
    try {
      value = frameValue(bytes, isBinary);
      message = readMessage(value);
    } catch (error) {
      this.#refuse(error);
      // A text that does not even begin as an object was not meant as a message.
      const isMeant = isBinary || bytes[0] === OPENING_BRACE;
      if (isMeant) this.#handlers?.onBadFrame?.(error, value);
      return;
    }
    if (message.type === "heartbeat") {
      const { session_id, t, re } = message;
      if (re === undefined) this.#answer({ type: "heartbeat", session_id, t: Date.now(), re: t });
      return;
    }
    if (this.#handlers) this.#handlers.onMessage(message);
    else if (this.#early.length < MOST_EARLY) this.#early.push(message);
    else void this.close(1008, "too many messages at once");
  }

  #answer(message: Message): void {
    if (this.#socket.bufferedAmount < MOST_UNREAD) this.tell(message);
  }

  #refuse(error: unknown): void {
    this.#badFrames++;
    this.#answer({
      type: "error",
      session_id: "",
      code: isUnknownType(error) ? error.code : "bad_message",
      message: errorMessage(error),
      fatal: this.#badFrames > PATIENCE,
    });
    if (this.#badFrames > PATIENCE) void this.close(1008, "too many frames that are no message");
  }

  #ended(code: number, reason: string): void {
    this.#closed = this.#fault ?? [code, reason];
    this.#handlers?.onClose(...this.#closed);
  }
}

function isUnknownType(error: unknown): error is ProtocolError {
  return error instanceof ProtocolError && error.code === "unknown_type";
}

/** A close frame holds at most 123 bytes of reason. */
function clip(reason: string): string {
  const bytes = Buffer.from(reason);
  return bytes.length <= 123 ? reason : bytes.subarray(0, 120).toString("utf8").replace(/�+$/, "");
}

export function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
