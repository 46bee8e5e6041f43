import { PeerError } from "../websocket/peer-error.js";
import type { PolicyConnection } from "./connection.js";
import type { ConnectOptions, PolicySource } from "./source.js";

/** How long a replica that could not be reached is left out while others serve, in milliseconds. */
const LEFT_OUT_MS = 10_000;

/** One of the places where a policy runs, and what is connected to it. */
export class Replica {
  source: PolicySource | undefined;
  readonly #connections = new Set<PolicyConnection>();
  readonly #leaving = new Set<Promise<void>>();
  #connecting: Promise<void> | undefined;
  #leftOutUntil = 0;
  #full = false;

  /** Those that have not ended; some may be broken for the moment. */
  get alive(): readonly PolicyConnection[] {
    for (const connection of this.#connections) {
      if (!connection.isAlive) this.#leave(connection);
    }
    return [...this.#connections];
  }

  /** It said that it takes no more connections than it has. */
  get isFull(): boolean {
    return this.#full && this.alive.length > 0;
  }

  get isConnecting(): boolean {
    return this.#connecting !== undefined;
  }

  /** A connection broke and is being taken up again: another one would be in its way. */
  get isReviving(): boolean {
    return this.alive.some(({ isUp }) => !isUp);
  }

  get mayTry(): boolean {
    return !this.isConnecting && performance.now() >= this.#leftOutUntil;
  }

  add(connection: PolicyConnection): void {
    this.#connections.add(connection);
  }

  /** Resolves when the last word has been said on every connection. */
  async close(reason: string): Promise<void> {
    await Promise.all(this.alive.map((connection) => connection.close(reason)));
    await Promise.all([...this.#leaving]);
    await this.source?.close();
  }

  #leave(connection: PolicyConnection): void {
    this.#connections.delete(connection);
    this.#full = false;
    const closed = connection.closed.finally(() => this.#leaving.delete(closed));
    this.#leaving.add(closed);
  }

  async connect(options: ConnectOptions): Promise<void> {
    const { source } = this;
    if (!source) throw new Error("a replica without a source");
    try {
      this.#connecting = source.connect(options);
      await this.#connecting;
      this.#leftOutUntil = 0;
    } catch (error) {
      if (error instanceof PeerError && error.code === "busy") this.#full = true;
      this.#leftOutUntil = performance.now() + LEFT_OUT_MS;
      throw error;
    } finally {
      this.#connecting = undefined;
    }
  }
}
