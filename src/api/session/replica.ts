import { PeerError } from "../websocket/peer-error.js";
import type { PolicyConnection } from "./connection.js";
import type { ConnectOptions, PolicySource } from "./source.js";

/** How long an unreachable replica is skipped while others serve, in milliseconds. */
const RETRY_AFTER_MS = 10_000;

/** One instance of a policy, and its connections. */
export class Replica {
  source: PolicySource | undefined;
  readonly #connections = new Set<PolicyConnection>();
  readonly #closing = new Set<Promise<void>>();
  #connecting: Promise<void> | undefined;
  #retryAt = 0;
  #full = false;

  /** Connections that have not ended; some links may be broken for the moment. */
  get alive(): readonly PolicyConnection[] {
    for (const connection of this.#connections) {
      if (!connection.isAlive) this.#remove(connection);
    }
    return [...this.#connections];
  }

  /** True if the policy accepts no more connections. */
  get isFull(): boolean {
    return this.#full && this.alive.length > 0;
  }

  get isConnecting(): boolean {
    return this.#connecting !== undefined;
  }

  /** True while a broken connection is being resumed: another connection would compete with it. */
  get isResuming(): boolean {
    return this.alive.some(({ isUp }) => !isUp);
  }

  get canConnect(): boolean {
    return !this.isConnecting && performance.now() >= this.#retryAt;
  }

  add(connection: PolicyConnection): void {
    this.#connections.add(connection);
  }

  /** Resolves when every connection is closed. */
  async close(reason: string): Promise<void> {
    await Promise.all(this.alive.map((connection) => connection.close(reason)));
    await Promise.all([...this.#closing]);
    await this.source?.close();
  }

  #remove(connection: PolicyConnection): void {
    this.#connections.delete(connection);
    this.#full = false;
    const closed = connection.closed.finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }

  async connect(options: ConnectOptions): Promise<void> {
    const { source } = this;
    if (!source) throw new Error("the replica has no source");
    try {
      this.#connecting = source.connect(options);
      await this.#connecting;
      this.#retryAt = 0;
    } catch (error) {
      if (error instanceof PeerError && error.code === "busy") this.#full = true;
      this.#retryAt = performance.now() + RETRY_AFTER_MS;
      throw error;
    } finally {
      this.#connecting = undefined;
    }
  }
}
