import type { RawData, WebSocket } from "ws";
import { errorCode, errorMessage, ProtocolError } from "../../core/errors.js";
import { encodeFrame, frameValue } from "../codec/frame.js";
import { recycleFrame } from "../codec/frame-pool.js";
import type { Encoding, Message } from "../messages/base.js";
import { readMessage } from "../messages/read.js";

/** Invalid frames after which the connection is closed. */
const MAX_BAD_FRAMES = 100;

/** Messages kept while no listener is set, between the handshake and the link's next owner. */
const MOST_EARLY = 100;

/** Bytes of unread messages without a reply, after which the connection is closed. */
const UNREAD = 32 * 2 ** 20;

/**
 * Options for dialling sockets. With a mask of zeros, `ws` neither copies nor masks the frame, which for an image
 * costs more than encoding it. Masks protect proxies from scripts in browsers; no web page sends through this code.
 */
export const DIALING = {
  perMessageDeflate: false,
  generateMask: (mask: Buffer) => mask.fill(0),
} as const;

/** Unsent bytes above which a peer that sends requests without reading gets no more replies. */
const MOST_UNREAD = 2 ** 20;

const OPENING_BRACE = 0x7b;

/**
 * Codes with which `ws` closes on invalid frames; its other errors use 1002. `ws` reports all of them locally as
 * 1006, like a network failure, so a faulty peer would be dialled again and again.
 */
const FAULT_CODES: Readonly<Record<string, number>> = {
  WS_ERR_INVALID_UTF8: 1007,
  WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH: 1009,
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: 1009,
};

/** Milliseconds that a peer has to answer our close; it may be busy. */
const CLOSING_MS = 500;

export interface LinkHandlers {
  onMessage(message: Message): void;
  /** Called once, however the link ended. */
  onClose(code: number, reason: string): void;
  /** Called after an invalid message was answered with an error; `value` is its content if it could be decoded. */
  onBadFrame?(error: unknown, value: unknown): void;
}

/**
 * Sends and receives messages over one WebSocket. Validates what arrives, answers invalid messages with `error` and
 * drops them. Answers heartbeats.
 *
 * @example
 * import { WebSocket } from "ws";
 * const socket = new WebSocket("ws://localhost:8000");
 * socket.on("open", () => {
 *   const onMessage = (message: Message) => console.log(message.type);
 *   new Link(socket).listen({ onMessage, onClose: (code) => console.log("closed", code) });
 * });
 */
export class Link {
  /** Encoding of sent messages; both encodings are accepted. */
  encoding: Encoding = "json";
  #handlers: LinkHandlers | undefined;
  #early: Message[] = [];
  #badFrames = 0;
  #closing: Promise<void> | undefined;
  #closed: readonly [code: number, reason: string] | undefined;
  #fault: readonly [code: number, reason: string] | undefined;

  /** Takes ownership of an open socket. */
  constructor(private readonly socket: WebSocket) {
    socket.on("message", (data, isBinary) => this.#receive(data, isBinary));
    // An error is always followed by `close`, which is handled below.
    socket.on("error", (error) => {
      const code = String(errorCode(error) ?? "");
      if (code.startsWith("WS_ERR_")) this.#fault = [FAULT_CODES[code] ?? 1002, error.message];
    });
    socket.on("close", (code, reason) => this.#ended(code, reason.toString("utf8")));
  }

  /** True if this side closed the link because of an invalid or oversized frame. */
  get hasFault(): boolean {
    return this.#fault !== undefined;
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  /**
   * Sets the listener and passes it the messages kept so far, in order. The listener can be replaced later; without
   * one, messages are kept.
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

  /** Resolves when the frame has been written to the network, so that a caller who awaits it cannot pile up frames. */
  async send(message: Message): Promise<void> {
    const frame = encodeFrame(message, this.encoding);
    await this.sendFrame(frame);
    recycleFrame(frame);
  }

  sendFrame(frame: string | Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.socket.send(frame, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Sends a message without waiting; a loss is ignored. */
  tell(message: Message): void {
    if (this.socket.bufferedAmount > UNREAD) this.terminate();
    else this.send(message).catch(() => {});
  }

  /** A WebSocket ping: the peer's library answers it, not the peer's own code. */
  ping(): void {
    if (this.isOpen) this.socket.ping();
  }

  onPong(handler: () => void): void {
    this.socket.on("pong", handler);
  }

  /** Resolves when the link is closed, after a short timeout even if the peer does not answer. */
  close(code = 1000, reason = ""): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      if (this.#closed) return resolve();
      const timer = setTimeout(() => this.terminate(), CLOSING_MS);
      this.socket.once("close", () => {
        clearTimeout(timer);
        resolve();
      });
      this.socket.close(code, clip(reason));
    });
    return this.#closing;
  }

  /** Closes without the closing handshake, for peers that do not answer. */
  terminate(): void {
    this.socket.terminate();
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#badFrames > MAX_BAD_FRAMES) return;
    const bytes = bytesOf(data);
    let value: unknown;
    let message: Message;
    try {
      value = frameValue(bytes, isBinary);
      message = readMessage(value);
    } catch (error) {
      this.#refuse(error);
      // Text that does not start with a brace was not meant as a message.
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
    if (this.socket.bufferedAmount < MOST_UNREAD) this.tell(message);
  }

  #refuse(error: unknown): void {
    this.#badFrames++;
    this.#answer({
      type: "error",
      session_id: "",
      code: isUnknownType(error) ? error.code : "bad_message",
      message: errorMessage(error),
      fatal: this.#badFrames > MAX_BAD_FRAMES,
    });
    if (this.#badFrames > MAX_BAD_FRAMES) void this.close(1008, "too many invalid messages");
  }

  #ended(code: number, reason: string): void {
    this.#closed = this.#fault ?? [code, reason];
    this.#handlers?.onClose(...this.#closed);
  }
}

function isUnknownType(error: unknown): error is ProtocolError {
  return error instanceof ProtocolError && error.code === "unknown_type";
}

/** Truncates to the 123 bytes of reason that a close frame holds. */
function clip(reason: string): string {
  const bytes = Buffer.from(reason);
  return bytes.length <= 123 ? reason : bytes.subarray(0, 120).toString("utf8").replace(/�+$/, "");
}

export function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
