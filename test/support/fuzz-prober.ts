import { WebSocket } from "ws";
import { frameValue } from "../../src/api/codec/frame.js";
import type { MessageType } from "../../src/api/messages/base.js";
import type { FuzzFrame } from "./fuzz.js";

type Wire = Readonly<Record<string, unknown>>;

/** The peer's reaction to a frame. */
export interface Taken {
  /** Messages that the peer sent in response. */
  readonly answers: readonly Wire[];
  /** The close code, if the peer closed the connection. */
  readonly closed: number | undefined;
}

/** The expected reaction to a frame. */
export type Fate =
  /** An `error` message, or a close with a code. */
  | "refused"
  /** One message, possibly an `error`, or a close with a code. */
  | "answered"
  /** No response: the message is valid and has no answer. */
  | "ignored"
  /** A close with a code. */
  | "ended"
  /** Any reaction that leaves the connection alive or closed with a code. */
  | "survived";

/** Longer than any valid reaction takes; after it, the peer counts as hanging. */
const HANG_MS = 20_000;

/**
 * Sends frames one at a time over one socket and observes the reaction to each. Sends a heartbeat after every frame:
 * its answer shows that the frame has been processed.
 */
export class Prober {
  readonly socket: WebSocket;
  /** The last message of each type. */
  readonly heard = new Map<unknown, Wire>();
  readonly #initiative: ReadonlySet<string>;
  #answers: Wire[] = [];
  #marker = 0;
  #beat = -1;
  #closed: number | undefined;
  #wake: () => void = () => {};

  /** @param initiative message types that the peer sends unprompted */
  constructor(socket: WebSocket, initiative: readonly MessageType[]) {
    this.socket = socket;
    this.#initiative = new Set<string>(initiative);
    socket.on("error", () => {});
    socket.on("close", (code) => {
      this.#closed = code;
      this.#wake();
    });
    socket.on("message", (data, isBinary) => this.#hear(frameValue(data as Buffer, isBinary)));
  }

  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  /** Waits for a message of a type; undefined if the connection ends first. */
  async next(type: MessageType): Promise<Wire | undefined> {
    await this.#until(() => this.heard.has(type) || this.isClosed, `waiting for ${type}`);
    const message = this.heard.get(type);
    this.heard.delete(type);
    return message;
  }

  say(message: Wire): void {
    this.socket.send(JSON.stringify(message));
  }

  /** Throws if the reaction to a frame is not the expected one. */
  async probe(frame: FuzzFrame, fate: Fate): Promise<Taken> {
    this.#answers = [];
    this.#marker++;
    this.#send(frame);
    this.say({ type: "heartbeat", session_id: "", t: 1e12 + this.#marker });
    const enough = () => this.#beat === this.#marker && this.#hasMet(fate);
    await this.#until(() => this.isClosed || enough(), `${fate}: ${describeFrame(frame)}`);
    const taken = { answers: this.#answers, closed: this.#closed };
    const wrong = wrongness(taken, fate);
    if (wrong) throw new Error(`${wrong}, but should be ${fate}: ${describeFrame(frame)}`);
    return taken;
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.socket.close(1000);
    await this.#until(() => this.isClosed, "closing");
  }

  #send({ data, isBinary, pieces }: FuzzFrame): void {
    for (let i = 0; i < pieces; i++) {
      const from = Math.floor((data.length * i) / pieces);
      const to = Math.floor((data.length * (i + 1)) / pieces);
      this.socket.send(data.subarray(from, to), { binary: isBinary, fin: i === pieces - 1 });
      if (pieces > 1) this.socket.ping();
    }
  }

  #hasMet(fate: Fate): boolean {
    if (fate === "ended") return false;
    return fate === "ignored" || fate === "survived" || this.#answers.length > 0;
  }

  #hear(value: unknown): void {
    const message = value as Wire;
    this.heard.set(message.type, message);
    const re = message.type === "heartbeat" ? Number(message.re) - 1e12 : Number.NaN;
    if (re === this.#marker) this.#beat = re;
    else if (!this.#initiative.has(String(message.type))) this.#answers.push(message);
    this.#wake();
  }

  async #until(isSo: () => boolean, what: string): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const hung = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`hangs: ${what}`)), HANG_MS);
    });
    try {
      while (!isSo()) {
        const woken = new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        await Promise.race([woken, hung]);
      }
    } finally {
      clearTimeout(timer);
      hung.catch(() => {});
    }
  }
}

/** Describes an unexpected reaction; undefined if it is as expected. */
function wrongness({ answers, closed }: Taken, fate: Fate): string | undefined {
  // 1005 and 1006 are never sent: they mean a close frame without a code, and no close frame.
  if (closed === 1005 || closed === 1006) return `closed without a code (${closed})`;
  const said = answers.map(({ type, code }) => code ?? type).join(", ");
  switch (fate) {
    case "survived":
      return undefined;
    case "ended":
      return closed === undefined ? "not closed" : undefined;
    case "ignored":
      if (closed !== undefined) return `closed with ${closed} (${said})`;
      return answers.length > 0 ? `answered with ${said}` : undefined;
    case "refused":
      if (answers.some(({ type }) => type !== "error")) return `answered with ${said}`;
      break;
  }
  const most = closed === undefined ? 1 : 2;
  return answers.length > most ? `answered with ${said}` : undefined;
}

function describeFrame({ how, data, isBinary, pieces }: FuzzFrame): string {
  const shown = isBinary ? data.toString("hex") : data.toString("latin1");
  const kind = `${isBinary ? "binary" : "text"}, ${data.length} bytes, ${pieces} pieces`;
  return `${how} (${kind}): ${shown.slice(0, 600)}`;
}

/** Connects as a hostile client. */
export async function dialHostile(
  url: string,
  initiative: readonly MessageType[],
): Promise<Prober> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const prober = new Prober(socket, initiative);
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  return prober;
}
