import { goneBecause, PeerError } from "../websocket/peer-error.js";
import type { PolicyConnection } from "./connection.js";
import { Replica } from "./replica.js";
import { PolicySession } from "./session.js";
import type { PolicySource, SourceHooks } from "./source.js";

export interface PoolTimes {
  /** Connect timeout when the pool opens, in milliseconds. */
  readonly openMs: number;
  /** Connect timeout during a run, in milliseconds. */
  readonly connectMs: number;
}

/** Timeout for dialling a policy that did not return in time, in milliseconds. */
const GONE_MS = 1000;

interface Waiter {
  resolve(session: PolicySession): void;
  reject(error: unknown): void;
}

/**
 * Sessions with one policy, over as few connections as the policy allows. Replicas share the work; an unreachable one
 * is skipped until it is back.
 */
export class SessionPool {
  /** When each connection was last chosen, so that equally busy ones take turns. */
  readonly #turns = new WeakMap<PolicyConnection, number>();
  #turn = 0;
  #waiters: Waiter[] = [];
  #opening: Promise<void> | undefined;
  #lastError: unknown;
  #closed = false;
  /** True after the policy did not return in time, until it is back: the next attempts are short. */
  #isGone = false;

  /** @param sources one per replica; each reports its connections through the given hooks */
  static async make(
    sources: readonly ((hooks: SourceHooks) => PolicySource | Promise<PolicySource>)[],
    times: PoolTimes,
    onWait?: (text: string) => void,
  ): Promise<SessionPool> {
    let pool: SessionPool | undefined;
    const replicas: Replica[] = [];
    for (const make of sources) {
      const replica = new Replica();
      const source = await make({
        onConnection: (connection) => {
          replica.add(connection);
          pool?.changed();
        },
        onChange: (connection) => {
          if (connection.isExpired) pool?.expired();
          pool?.changed();
        },
        ...(onWait ? { onWait } : {}),
      });
      replica.source = source;
      replicas.push(replica);
    }
    pool = new SessionPool(replicas, times);
    return pool;
  }

  private constructor(
    private readonly replicas: readonly Replica[],
    private readonly times: PoolTimes,
  ) {}

  /** All connections that have not ended. */
  get connections(): readonly PolicyConnection[] {
    return this.replicas.flatMap((replica) => replica.alive);
  }

  /** Number of episodes that can run concurrently. */
  get capacity(): number {
    return this.connections.reduce((sum, { ids }) => sum + ids.capacity, 0);
  }

  /** Connects to every replica until `sessions` sessions are available. Runs once; later calls wait for the first. */
  open(sessions: number): Promise<void> {
    this.#opening ??= this.#connectAll(sessions);
    return this.#opening;
  }

  /** Takes a session of the least busy connection; waits until one is free or reconnected. */
  take(): Promise<PolicySession> {
    if (this.#closed) return Promise.reject(runEnded());
    this.#retryReplicas();
    const session = this.#free();
    if (session) return Promise.resolve(session);
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject });
      this.#addConnections();
    });
  }

  /** Called when the policy did not return in time. */
  expired(): void {
    this.#isGone = true;
  }

  /** Serves waiting callers after a session became free or a connection ended. */
  changed(): void {
    this.#serve();
    if (this.#waiters.length > 0) this.#addConnections();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#rejectWaiters(runEnded());
    await Promise.all(this.replicas.map((replica) => replica.close("the run has ended")));
  }

  async #connectAll(sessions: number): Promise<void> {
    const timeoutMs = this.times.openMs;
    // A policy that dials in may already be connected.
    const absent = this.replicas.filter(({ alive }) => alive.length === 0);
    await Promise.all(absent.map((replica) => replica.connect({ timeoutMs })));
    while (this.capacity < sessions) {
      const [next] = this.replicas
        .filter((replica) => !replica.isFull)
        .sort((a, b) => a.alive.length - b.alive.length);
      if (!next) throw this.#tooFew(sessions);
      try {
        await next.connect({ timeoutMs });
      } catch (error) {
        this.#lastError = error;
        if (!next.isFull) throw this.capacity > 0 ? this.#tooFew(sessions) : error;
      }
    }
  }

  #free(): PolicySession | undefined {
    const [connection] = this.connections
      .filter(({ isUp, ids }) => isUp && ids.free > 0)
      .sort((a, b) => load(a) - load(b) || this.#turnOf(a) - this.#turnOf(b));
    const taken = connection?.ids.take();
    if (!connection || !taken) return undefined;
    this.#turns.set(connection, ++this.#turn);
    return new PolicySession(connection, taken.id, () => {
      taken.release();
      this.changed();
    });
  }

  #turnOf(connection: PolicyConnection): number {
    return this.#turns.get(connection) ?? 0;
  }

  #serve(): void {
    while (this.#waiters.length > 0) {
      const session = this.#free();
      if (!session) return;
      this.#waiters.shift()?.resolve(session);
    }
  }

  /** Retries replicas without a connection from time to time, so that a restarted one gets its share. */
  #retryReplicas(): void {
    for (const replica of this.replicas) {
      if (replica.alive.length === 0 && replica.canConnect) void this.#connect(replica);
    }
  }

  /** Opens more connections for waiting callers where replicas allow it. */
  #addConnections(): void {
    if (this.#closed) return;
    const isEmpty = this.connections.length === 0;
    const candidates = this.replicas.filter(
      (replica) => !replica.isFull && !replica.isResuming && (replica.canConnect || isEmpty),
    );
    for (const replica of candidates) if (!replica.isConnecting) void this.#connect(replica);
    if (isEmpty && !this.replicas.some(({ isConnecting }) => isConnecting)) {
      this.#rejectWaiters(this.#lastError);
    }
  }

  async #connect(replica: Replica): Promise<void> {
    if (replica.isConnecting) return;
    const { connectMs } = this.times;
    const timeoutMs = this.#isGone ? Math.min(GONE_MS, connectMs) : connectMs;
    try {
      await replica.connect({ timeoutMs, waitsForTurn: replica.alive.length === 0 });
      this.#isGone = false;
      this.changed();
    } catch (reason) {
      const error = goneBecause(reason);
      this.#isGone ||= error !== reason;
      this.#lastError = error;
      const others = this.replicas.some(({ isConnecting }) => isConnecting);
      if (this.connections.length === 0 && !others) this.#rejectWaiters(error);
    }
  }

  #rejectWaiters(error: unknown): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter.reject(error);
  }

  #tooFew(sessions: number): PeerError {
    const { capacity } = this;
    const where = this.replicas.map((replica) => replica.source?.label).join(" | ");
    return new PeerError(
      "busy",
      `the policy serves ${capacity} ${capacity === 1 ? "session" : "sessions"} at a time, but ${sessions} episodes run concurrently`,
      {
        where,
        hint: `run with --concurrency ${capacity}, or serve a class, which creates one policy per session: serve(MyPolicy) instead of serve(MyPolicy())`,
        cause: this.#lastError,
      },
    );
  }
}

function runEnded(): PeerError {
  return new PeerError("connection_closed", "the run has ended");
}

/** Share of the connection's sessions in use. */
function load({ ids }: PolicyConnection): number {
  return ids.inUse / ids.capacity;
}
