import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcp, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { WebSocketServer } from "ws";
import type { MessageType } from "../../src/api/messages/base.js";
import { Prober } from "./fuzz-prober.js";
import { RawSocket, upgradeAnswer } from "./fuzz-raw.js";

/** Ways to connect to the component under test. */
export interface FuzzWay {
  /** A new connection before the `connected` message. */
  early(): Promise<Prober>;
  /** A connection after a valid handshake, and its session. */
  open(): Promise<{ readonly prober: Prober; readonly sessionId: string }>;
  /** A raw TCP connection, with or without a valid upgrade. */
  raw(how: { readonly isUpgraded: boolean }): Promise<RawSocket>;
  /** True if frames to it must be masked. */
  readonly isServer: boolean;
}

export const CAPABILITIES = { encodings: ["msgpack", "json"], sessions: 2, action_chunk: 2 };

/** A hostile server that accepts connections. */
export class HostileServer {
  readonly #tcp = createTcp((socket) => this.#arrived(socket));
  readonly #http = createServer();
  readonly #sockets = new Set<Socket>();
  #waiting: Prober[] = [];
  #onRaw: ((raw: RawSocket) => void) | undefined;
  #wake: () => void = () => {};

  private constructor(initiative: readonly MessageType[]) {
    const ws = new WebSocketServer({ server: this.#http, perMessageDeflate: false });
    ws.on("connection", (socket) => {
      const prober = new Prober(socket, initiative);
      // Disconnect a client that connected before raw mode, so that it reconnects.
      if (this.#onRaw) return void prober.close();
      this.#waiting.push(prober);
      this.#wake();
    });
  }

  static async listen(initiative: readonly MessageType[]): Promise<HostileServer> {
    const server = new HostileServer(initiative);
    await new Promise<void>((resolve) => server.#tcp.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => server.close());
    return server;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#tcp.address() as AddressInfo).port}`;
  }

  /** Completes a valid handshake. */
  async welcome(): Promise<{ readonly prober: Prober; readonly sessionId: string }> {
    for (;;) {
      const prober = await this.#next();
      const hello = await prober.next("connect");
      if (!hello) continue;
      const sessionId = `s${Math.floor(performance.now() * 1000)}`;
      const capabilities = { ...CAPABILITIES, encodings: ["json"] };
      const terms = { protocol_version: "1.0", capabilities, resume_token: "r" };
      prober.say({ type: "connected", session_id: sessionId, ...terms });
      return { prober, sessionId };
    }
  }

  way(): FuzzWay {
    return {
      isServer: false,
      early: async () => {
        const prober = await this.#next();
        await prober.next("connect");
        return prober;
      },
      open: () => this.welcome(),
      raw: async ({ isUpgraded }) => {
        const arrived = new Promise<RawSocket>((resolve) => {
          this.#onRaw = resolve;
        });
        for (const prober of this.#waiting.splice(0)) void prober.close();
        const raw = await arrived;
        if (isUpgraded) raw.socket.write(upgradeAnswer(String(raw.said)));
        return raw;
      },
    };
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#tcp.close(resolve));
  }

  async #next(): Promise<Prober> {
    for (;;) {
      const prober = this.#waiting.shift();
      if (prober && !prober.isClosed) return prober;
      if (prober) continue;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #arrived(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => this.#sockets.delete(socket));
    if (!this.#onRaw) {
      this.#http.emit("connection", socket);
      return;
    }
    const raw = new RawSocket(socket);
    socket.once("data", () => {
      this.#onRaw?.(raw);
      this.#onRaw = undefined;
    });
  }
}
