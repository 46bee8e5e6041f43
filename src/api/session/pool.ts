import { PeerError } from "../websocket/peer-error.js";
import type { PolicyConnection } from "./connection.js";
import { Replica } from "./replica.js";
import { PolicySession } from "./session.js";
import type { PolicySource, SourceHooks } from "./source.js";

export interface PoolTimes {
  /** For connections when the pool is opened, in milliseconds. */
  readonly openMs: number;
  /** For those in mid-run. */
  readonly connectMs: number;
}

interface Waiter {
  resolve(session: PolicySession): void;
  reject(error: unknown): void;
}

/**
 * The sessions that can be had of a policy, over as few connections as the policy allows. Replicas share the
 * work; one that is gone is left out until it is back.
 */
export class SessionPool {
  readonly #replicas: readonly Replica[];
  readonly #times: PoolTimes;
  /** When each connection was last chosen, so that those that are alike take turns. */
  readonly #turns = new WeakMap<PolicyConnection, number>();
  #turn = 0;
  #waiters: Waiter[] = [];
  #opening: Promise<void> | undefined;
  #lastError: unknown;
  #closed = false;

  /** @param sources one for each replica, each made with hooks that it hands its connections to */
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
        onChange: () => pool?.changed(),
        ...(onWait ? { onWait } : {}),
      });
      replica.source = source;
      replicas.push(replica);
    }
    pool = new SessionPool(replicas, times);
    return pool;
  }

  private constructor(replicas: readonly Replica[], times: PoolTimes) {
    this.#replicas = replicas;
    this.#times = times;
  }

  /** All that are alive. */
  get connections(): readonly PolicyConnection[] {
    return this.#replicas.flatMap((replica) => replica.alive);
  }

  /** Episodes that can run side by side. */
  get capacity(): number {
    return this.connections.reduce((sum, { ids }) => sum + ids.capacity, 0);
  }

  /** Connects to every replica, and so often that so many sessions can be had. Once; later calls wait for it. */
  open(sessions: number): Promise<void> {
    this.#opening ??= this.#connectAll(sessions);
    return this.#opening;
  }

  /** The session of the least busy connection; waits for one to be free or to come back. */
  take(): Promise<PolicySession> {
    if (this.#closed) return Promise.reject(over());
    this.#mend();
    const session = this.#free();
    if (session) return Promise.resolve(session);
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject });
      this.#grow();
    });
  }

  /** Something may be free, or gone. */
  changed(): void {
    this.#serve();
    if (this.#waiters.length > 0) this.#grow();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#turnAway(over());
    await Promise.all(this.#replicas.map((replica) => replica.close("the run is over")));
  }

  async #connectAll(sessions: number): Promise<void> {
    const timeoutMs = this.#times.openMs;
    // A policy that dials in may be here already.
    const absent = this.#replicas.filter(({ alive }) => alive.length === 0);
    await Promise.all(absent.map((replica) => replica.connect({ timeoutMs })));
    while (this.capacity < sessions) {
      const [next] = this.#replicas
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

  /** Replicas without a connection are tried again now and then, so that one that was restarted gets its share. */
  #mend(): void {
    for (const replica of this.#replicas) {
      if (replica.alive.length === 0 && replica.mayTry) void this.#connect(replica);
    }
  }

  /** More connections for those who wait, wherever there may be some. */
  #grow(): void {
    if (this.#closed) return;
    const nothingLeft = this.connections.length === 0;
    const hopeful = this.#replicas.filter(
      (replica) => !replica.isFull && !replica.isReviving && (replica.mayTry || nothingLeft),
    );
    for (const replica of hopeful) if (!replica.isConnecting) void this.#connect(replica);
    if (nothingLeft && !this.#replicas.some(({ isConnecting }) => isConnecting)) {
      this.#turnAway(this.#lastError);
    }
  }

  async #connect(replica: Replica): Promise<void> {
    if (replica.isConnecting) return;
    try {
      await replica.connect({
        timeoutMs: this.#times.connectMs,
        waitsForTurn: replica.alive.length === 0,
      });
      this.changed();
    } catch (error) {
      this.#lastError = error;
      const others = this.#replicas.some(({ isConnecting }) => isConnecting);
      if (this.connections.length === 0 && !others) this.#turnAway(error);
    }
  }

  #turnAway(error: unknown): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter.reject(error);
  }

  #tooFew(sessions: number): PeerError {
    const { capacity } = this;
    const where = this.#replicas.map((replica) => replica.source?.label).join(" | ");
    return new PeerError(
      "busy",
      `the policy serves ${capacity} ${capacity === 1 ? "session" : "sessions"} at a time, and ${sessions} episodes are to run side by side`,
      {
        where,
        hint: `run with --concurrency ${capacity}, or serve a class that is made anew for each session: serve(MyPolicy) in place of serve(MyPolicy())`,
        cause: this.#lastError,
      },
    );
  }
}

function over(): PeerError {
  return new PeerError("connection_closed", "the run is over");
}

/** The share of its sessions that are at work. */
function load({ ids }: PolicyConnection): number {
  return ids.inUse / ids.capacity;
}
