import { once } from "node:events";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import { encodeFrame } from "../codec/frame.js";
import { unpackMsgpack } from "../codec/msgpack.js";
import type { Encoding, Message } from "../messages/base.js";

type Fields = Record<string, unknown>;

/** The other end of a connection, scripted message by message. */
export class Peer {
  encoding: Encoding = "json";
  readonly socket: WebSocket;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly #heard: Fields[] = [];
  #wake: (() => void) | undefined;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("error", () => {});
    socket.on("message", (data, isBinary) => {
      this.#heard.push(read(data, isBinary));
      this.#wake?.();
    });
    this.closed = new Promise((resolve) => {
      socket.on("close", (code, reason) => resolve({ code, reason: reason.toString() }));
    });
  }

  static async dial(url: string): Promise<Peer> {
    const peer = new Peer(new WebSocket(url, { perMessageDeflate: false }));
    await once(peer.socket, "open");
    return peer;
  }

  say(message: Fields): void {
    this.socket.send(encodeFrame(message as Message, this.encoding));
  }

  /** Resolves with the next message of any type. */
  async hear(): Promise<Fields> {
    while (this.#heard.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#heard.shift() ?? {};
  }

  ask(message: Fields): Promise<Fields> {
    this.say(message);
    return this.hear();
  }

  /** Number of received messages that were not read. */
  get unread(): number {
    return this.#heard.length;
  }
}

/** Dials a policy as an evaluator does and completes the handshake. */
export async function evaluator(url: string, hello: Fields = {}) {
  const peer = await Peer.dial(url);
  const connected = await peer.ask({ type: "connect", role: "evaluator", ...hello });
  return { peer, connected, id: String(connected.session_id) };
}

/** An evaluator that listens: each policy that dials in is a Peer. */
export async function listeningEvaluator() {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  await once(server, "listening");
  const waiting: Peer[] = [];
  let wake: (() => void) | undefined;
  server.on("connection", (socket) => {
    waiting.push(new Peer(socket));
    wake?.();
  });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `ws://127.0.0.1:${port}`,
    async next(): Promise<Peer> {
      while (waiting.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return waiting.shift() as Peer;
    },
    async close() {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function reset(sessionId: string, seq?: number, episode: Fields = {}): Fields {
  return {
    type: "reset_episode",
    session_id: sessionId,
    episode: { episode_id: "e1", task_type: "vln", scene_id: "s", ...episode },
    ...(seq === undefined ? {} : { seq }),
  };
}

export function look(
  sessionId: string,
  seq?: number,
  observation: Fields = { gps: [1, 2] },
): Fields {
  return {
    type: "get_action",
    session_id: sessionId,
    task_type: "vln",
    observation,
    ...(seq === undefined ? {} : { seq }),
  };
}

function read(data: RawData, isBinary: boolean): Fields {
  const bytes = data as Buffer;
  return (isBinary ? unpackMsgpack(bytes) : JSON.parse(bytes.toString("utf8"))) as Fields;
}
