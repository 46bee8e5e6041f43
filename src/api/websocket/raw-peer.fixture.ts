import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { encodeFrame, frameValue } from "../codec/frame.js";
import type { Message, MessageType } from "../messages/base.js";

/** A message of any form, valid or not. */
export type Wire = Readonly<Record<string, unknown>>;

/** How a scripted policy reacts to a message. */
export type Reaction = (message: Wire, peer: RawConnection) => void;

export interface RawPolicyOptions {
  /** Reactions that replace those of a normal policy, by message type. */
  readonly on?: Partial<Record<MessageType, Reaction>>;
  /** Capabilities in `connected`; `{}` for a policy of the plain form. */
  readonly capabilities?: Wire;
  /** What it says that it is in `connected`. */
  readonly policy?: Wire;
  /** Uses the plain form: no resume token, no request numbers. */
  readonly plain?: boolean;
  /** Action of every step. */
  readonly action?: unknown;
  /** True if its library answers pings; the default. */
  readonly autoPong?: boolean;
}

/** One connection of a scripted policy. */
export class RawConnection {
  readonly socket: WebSocket;
  readonly policy: RawPolicy;

  constructor(socket: WebSocket, policy: RawPolicy) {
    this.socket = socket;
    this.policy = policy;
  }

  send(message: Wire | string | Uint8Array): void {
    const isFrame = typeof message === "string" || message instanceof Uint8Array;
    this.socket.send(isFrame ? message : JSON.stringify(message));
  }

  /** Sends as MessagePack. */
  sendBinary(message: Message): void {
    this.socket.send(encodeFrame(message, "msgpack"));
  }

  /** Sends the reply of a normal policy. */
  answer(message: Wire, more: Wire = {}): void {
    const reply = this.policy.replyTo(message);
    if (reply) this.send({ ...reply, ...more });
  }

  /** Ends without a closing handshake, like a killed process. */
  cut(): void {
    this.socket.terminate();
  }
}

/** A scripted policy on a raw WebSocket. */
export class RawPolicy {
  /** Every received message in order. */
  readonly received: Wire[] = [];
  readonly connections: RawConnection[] = [];
  readonly #options: RawPolicyOptions;
  readonly #known = new Set<string>();
  #server: WebSocketServer | undefined;
  #count = 0;
  port = 0;
  /** Called at the end of each episode. */
  onEnd: (() => Promise<void>) | undefined;

  private constructor(options: RawPolicyOptions) {
    this.#options = options;
  }

  static async listen(options: RawPolicyOptions = {}, port = 0): Promise<RawPolicy> {
    const policy = new RawPolicy(options);
    const { autoPong = true } = options;
    const server = new WebSocketServer({ host: "127.0.0.1", port, autoPong });
    server.on("connection", (socket) => policy.#attend(socket));
    await once(server, "listening");
    policy.#server = server;
    const address = server.address();
    policy.port = typeof address === "object" && address ? address.port : 0;
    onTestFinished(() => policy.stop());
    return policy;
  }

  /** Dials, sends `connect` and answers normally. */
  static async dial(
    url: string,
    options: RawPolicyOptions = {},
    hello: Wire = {},
  ): Promise<RawPolicy> {
    const policy = new RawPolicy(options);
    await policy.dialAgain(url, hello);
    onTestFinished(() => policy.stop());
    return policy;
  }

  async dialAgain(url: string, hello: Wire = {}): Promise<void> {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    socket.on("error", () => {});
    await once(socket, "open");
    this.#attend(socket);
    const { plain, capabilities = {} } = this.#options;
    const extras = plain ? {} : { protocol_version: "1.0", capabilities };
    this.last.send({ type: "connect", role: "agent", ...extras, ...hello });
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}`;
  }

  get last(): RawConnection {
    const last = this.connections.at(-1);
    if (!last) throw new Error("no policy is connected");
    return last;
  }

  of(type: MessageType): Wire[] {
    return this.received.filter((message) => message.type === type);
  }

  /** Stops like a killed process. */
  async stop(): Promise<void> {
    for (const { socket } of this.connections) socket.terminate();
    await new Promise<void>((resolve) =>
      this.#server ? this.#server.close(() => resolve()) : resolve(),
    );
    this.#server = undefined;
  }

  replyTo(message: Wire): Wire | undefined {
    const { session_id } = message;
    const numbered = this.#options.plain ? {} : { seq: message.seq };
    switch (message.type) {
      case "connect":
        return this.#connected(message);
      case "reset_episode":
        return { type: "episode_ready", session_id, ...numbered };
      case "get_action":
        return { type: "action", session_id, action: this.#options.action ?? "stop", ...numbered };
      default:
        return undefined;
    }
  }

  #connected({ resume }: Wire): Wire {
    const { plain, capabilities = {}, policy } = this.#options;
    if (plain) return { type: "connected", session_id: `plain-${this.#count++}` };
    const old =
      typeof resume === "object" && resume && "session_id" in resume ? resume.session_id : "";
    const resumed = typeof old === "string" && this.#known.has(old);
    const id = resumed ? String(old) : `s${this.port}-${this.#count++}`;
    this.#known.add(id);
    return {
      type: "connected",
      session_id: id,
      protocol_version: "1.0",
      capabilities,
      ...(policy ? { policy } : {}),
      resume_token: "token",
      ...(resumed ? { resumed: true } : {}),
    };
  }

  #attend(socket: WebSocket): void {
    const connection = new RawConnection(socket, this);
    this.connections.push(connection);
    socket.on("error", () => {});
    socket.on("message", (data: Buffer, isBinary) => {
      const message = frameValue(data, isBinary) as Wire;
      this.received.push(message);
      if (message.type === "episode_end") void this.onEnd?.();
      const reaction = this.#options.on?.[message.type as MessageType];
      if (reaction) reaction(message, connection);
      else connection.answer(message);
    });
  }
}

/** Waits until the other side has done something. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(2);
}
