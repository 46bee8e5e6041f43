import { frameValue } from "../../api/codec/frame.js";
import { packMsgpack } from "../../api/codec/msgpack.js";
import { NdArray } from "../../api/codec/ndarray.js";
import { PingMonitor } from "../../api/session/ping-monitor.js";
import { retrying } from "../../api/websocket/client.js";
import { PeerError } from "../../api/websocket/peer-error.js";
import { type PeerNames, PeerSocket } from "../../api/websocket/peer-socket.js";
import { DataError, errorMessage, ProtocolError, show } from "../../core/errors.js";
import {
  SIM_PROTOCOL,
  SIM_VERSION,
  type SimMessage,
  type SimMessageOf,
  simMessageSchema,
} from "./messages.js";

/** Largest frame accepted from a simulator: the images of several cameras. */
const SIMULATOR_FRAME_BYTES = 64 * 2 ** 20;

/** Maximum size of one state, which is kept in memory and on disk for every step: 131,072 numbers. */
const MOST_STATE_BYTES = 2 ** 20;

const NAMES: PeerNames = {
  who: "simulator",
  limits: "simulator.reset_timeout_s and simulator.step_timeout_s set the limits",
  log: "the simulator's own log says why",
};

export type Greeting = Omit<SimMessageOf<"connect">, "type" | "protocol" | "versions">;
/** Requests without their sequence numbers, which `ask` adds. */
type Question =
  | { readonly type: "reset"; readonly [field: string]: unknown }
  | { readonly type: "step"; readonly [field: string]: unknown }
  | { readonly type: "geometry"; readonly known: readonly string[] };

/** A connection to a simulator, which is one world. Each request is answered before the next is sent. */
export class SimulatorSession {
  readonly url: string;
  readonly #pings: PingMonitor;
  #seq = 0;
  #isAsking = false;
  #isOver = false;

  private constructor(
    private readonly socket: PeerSocket,
    readonly hello: SimMessageOf<"connected">,
  ) {
    this.url = socket.url;
    this.#pings = new PingMonitor(() => this.#isAsking);
    this.#pings.attach({
      ping: () => socket.ping(),
      onPong: (handler) => socket.onPong(handler),
      terminate: () => socket.drop(),
    });
  }

  /** Connects and sends `hello`. Retries until the timeout while the simulator is starting. */
  static async open(
    url: string,
    greeting: Greeting,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<SimulatorSession> {
    const deadline = performance.now() + timeoutMs;
    const maxPayload = SIMULATOR_FRAME_BYTES;
    try {
      const socket = await retrying({ timeoutMs, signal }, (leftMs) =>
        PeerSocket.open(url, { timeoutMs: leftMs, maxPayload, signal }, NAMES),
      );
      return await SimulatorSession.#greet(socket, greeting, deadline).catch((error: unknown) => {
        socket.drop();
        throw error;
      });
    } catch (error) {
      throw asPeerError(error, url);
    }
  }

  static async #greet(
    socket: PeerSocket,
    greeting: Greeting,
    deadline: number,
  ): Promise<SimulatorSession> {
    await send(socket, {
      type: "connect",
      protocol: SIM_PROTOCOL,
      versions: [SIM_VERSION],
      ...greeting,
    });
    const waitMs = Math.max(1, deadline - performance.now());
    const answer = await receive(socket, waitMs, "`connected`");
    if (answer.type === "error") throw refusal(answer, socket.url);
    if (answer.type !== "connected") throw unexpected(answer, "connected", socket.url);
    const { protocol_version } = answer;
    if (protocol_version.split(".")[0] === SIM_VERSION) return new SimulatorSession(socket, answer);
    throw new PeerError(
      "version_mismatch",
      `the simulator uses version ${protocol_version} of ${SIM_PROTOCOL.split("/")[0]}; this evaluator supports ${SIM_VERSION}`,
      { where: socket.url, hint: "update the older one" },
    );
  }

  get isAlive(): boolean {
    return !this.#isOver && this.socket.isOpen;
  }

  /**
   * Sends a request and waits for the frame. Any failure ends the session, except errors that the simulator
   * attributes to this request: an unavailable episode or an unusable action.
   */
  async ask(question: Question, waitMs: number): Promise<SimMessageOf<"frame">> {
    const answer = await this.#ask(question, waitMs);
    if (answer.type === "frame") return answer;
    throw this.#fail(unexpected(answer, "frame", this.url));
  }

  /** @param known SHA-256 of files that need not be sent */
  async geometry(known: readonly string[], waitMs: number): Promise<SimMessageOf<"geometry">> {
    const answer = await this.#ask({ type: "geometry", known }, waitMs);
    if (answer.type === "geometry") return answer;
    throw this.#fail(unexpected(answer, "geometry", this.url));
  }

  /** Sends `close`, waits at most `waitMs` for the answer and drops the connection. */
  async close(waitMs: number): Promise<void> {
    this.#pings.detach();
    if (this.isAlive && !this.#isAsking) {
      this.#isOver = true;
      await send(this.socket, { type: "close" })
        .then(() => receive(this.socket, waitMs, "`closed`"))
        .catch(() => {});
      this.socket.close();
    }
    this.#isOver = true;
    this.socket.drop();
  }

  async #ask(question: Question, waitMs: number): Promise<SimMessage> {
    const seq = this.#seq++;
    this.#isAsking = true;
    let answer: SimMessage;
    try {
      await send(this.socket, { ...question, seq });
      answer = await this.#answer(seq, question.type, waitMs);
    } catch (error) {
      throw this.#fail(error);
    } finally {
      this.#isAsking = false;
    }
    if (answer.type !== "error") return answer;
    const error = reported(answer, this.url);
    if (answer.fatal || answer.fault === "platform") this.#fail(error);
    throw error;
  }

  /** Skips answers to earlier requests. */
  async #answer(seq: number, what: string, waitMs: number): Promise<SimMessage> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const left = deadline - performance.now();
      const message = await receive(this.socket, left, `answer to \`${what}\``, waitMs);
      if (!("seq" in message) || typeof message.seq !== "number" || message.seq === seq) {
        return message;
      }
    }
  }

  #fail(error: unknown): Error {
    this.#isOver = true;
    this.#pings.detach();
    this.socket.drop();
    return asPeerError(error, this.url);
  }
}

async function send(socket: PeerSocket, message: object): Promise<void> {
  await socket.send(packMsgpack(message));
}

/** Returns the next message that is not a heartbeat, and answers heartbeats. */
async function receive(
  socket: PeerSocket,
  leftMs: number,
  what: string,
  waitMs = leftMs,
): Promise<SimMessage> {
  const deadline = performance.now() + leftMs;
  for (;;) {
    // Not positive if heartbeats or late answers used up the time: queued frames are then not read.
    const left = deadline - performance.now();
    const frame = await socket.receive(left, what).catch((error: unknown) => {
      if (!(error instanceof PeerError) || error.code !== "simulator_timeout") throw error;
      // Reports the full timeout, because the time left after heartbeats and late answers is meaningless to
      // users.
      const text = `no ${what} from the simulator within ${Number((waitMs / 1000).toFixed(3))} s`;
      throw new PeerError(error.code, text, { where: error.where, hint: error.hint });
    });
    const message = read(frame);
    if (message.type !== "heartbeat") return message;
    if (message.re === undefined) {
      await send(socket, { type: "heartbeat", t: Date.now(), re: message.t });
    }
  }
}

function read(frame: Uint8Array | string): SimMessage {
  const isBinary = typeof frame !== "string";
  const value = frameValue(isBinary ? frame : Buffer.from(frame), isBinary);
  const result = simMessageSchema.safeParse(value);
  if (result.success) return checkSize(result.data);
  const [issue] = result.error.issues;
  const field = issue?.path.join(".") || "message";
  throw new ProtocolError("bad_message", `${show(value)}: ${field}: ${issue?.message ?? ""}`);
}

function checkSize(message: SimMessage): SimMessage {
  if (message.type !== "frame") return message;
  const bytes = sizeOf(message.state);
  if (bytes <= MOST_STATE_BYTES) return message;
  throw new ProtocolError(
    "state_too_large",
    `the state has about ${Math.round(bytes / 2 ** 20)} MiB; at most ${MOST_STATE_BYTES / 2 ** 20} MiB per step are recorded`,
    { hint: "send images and other large arrays as observations, which are not recorded" },
  );
}

/** Approximate size of a value in memory, in bytes. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (value instanceof NdArray) return value.data.byteLength;
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value !== "object" || value === null) return 8;
  return Object.entries(value).reduce((sum, [key, held]) => sum + key.length + sizeOf(held), 0);
}

/** The error that the simulator reports for a request. */
function reported({ code, message, fault }: SimMessageOf<"error">, where: string): Error {
  const text = `the simulator reports: ${message}`;
  if (fault === "data") return new DataError(code, text, { where });
  // The evaluator attributes errors of this type to the policy.
  if (fault === "agent") return new ProtocolError(code, text, { where });
  return new PeerError(code, text, { where });
}

function refusal({ code, message }: SimMessageOf<"error">, where: string): PeerError {
  return new PeerError(code, `the simulator rejects the connection: ${message}`, {
    where,
    hint:
      code === "busy"
        ? "it accepts fewer sessions than there are workers: set `simulator.command` to start one per worker, or run one task with --workers 1"
        : undefined,
  });
}

function unexpected(answer: SimMessage, expected: string, where: string): PeerError {
  return new PeerError(
    "wrong_answer",
    `the simulator answered with \`${answer.type}\`; \`${expected}\` was expected`,
    { where },
  );
}

/**
 * Attributes an unreadable frame or a failed connection to the simulator: the codec's and the client's own
 * errors would be attributed to the policy.
 */
function asPeerError(error: unknown, where: string): Error {
  const isBadArray = error instanceof DataError && error.code === "bad_array";
  if (error instanceof ProtocolError || isBadArray) {
    const text = `the simulator's message cannot be read: ${error.message}`;
    return new PeerError("bad_frame", text, { where, hint: error.hint, cause: error });
  }
  if (error instanceof PeerError && error.code === "connection_refused") {
    const hint = "start the simulator first, and check host and port";
    return new PeerError(error.code, error.message, { where, hint, transient: true });
  }
  return error instanceof Error ? error : new Error(errorMessage(error));
}
