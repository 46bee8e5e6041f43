import { setTimeout as delay } from "node:timers/promises";
import type { MaybePromise } from "../../core/interfaces/simulator.js";
import { BatchPlayer } from "./batch.js";
import { type Declaration, declarationOf } from "./declare.js";
import { type Player, SoloPlayer } from "./player.js";
import type { Policy, PolicySource } from "./policy.js";

/** Sessions of a source that can play many, where nothing else is said. */
const MANY = 16;

/** Gives each session something to play with. */
export interface Cast {
  readonly declaration: Declaration;
  /** Sessions that may be there at the same time. */
  readonly capacity: number;
  take(): MaybePromise<Player>;
  /** Back from a session that is over. */
  release(player: Player): void;
  close(): Promise<void>;
}

/** Waits for what is being computed, but not for ever: a policy may hang. In milliseconds. */
const CLOSE_WITHIN = 5000;

export function closeCast(cast: Cast): Promise<void> {
  return Promise.race([cast.close(), delay(CLOSE_WITHIN, undefined, { ref: false })]);
}

export async function castOf(source: PolicySource, sessions?: number): Promise<Cast> {
  if (typeof source !== "function") return new SharedCast(source, sessions);
  const make = isClass(source) ? () => new source() : source;
  return new MadeCast(make, await make(), sessions ?? MANY);
}

/** One object for everybody. */
class SharedCast implements Cast {
  readonly declaration: Declaration;
  readonly capacity: number;
  readonly #player: Player;

  constructor(policy: Policy, sessions: number | undefined) {
    this.declaration = declarationOf(policy);
    const batches = typeof policy.actBatch === "function";
    this.capacity = batches ? (sessions ?? MANY) : 1;
    const Kind = batches ? BatchPlayer : SoloPlayer;
    this.#player = new Kind(policy, this.declaration);
  }

  take(): Player {
    return this.#player;
  }

  release(): void {}

  close(): Promise<void> {
    return this.#player.close();
  }
}

/**
 * An object for each session. Those of sessions that are over wait for the next ones: making a policy may mean
 * to load a model.
 */
class MadeCast implements Cast {
  readonly declaration: Declaration;
  readonly capacity: number;
  readonly #make: () => MaybePromise<Policy>;
  readonly #idle: Player[];
  readonly #all = new Set<Player>();

  constructor(make: () => MaybePromise<Policy>, first: Policy, capacity: number) {
    this.#make = make;
    this.capacity = capacity;
    this.declaration = declarationOf(first);
    this.#idle = [this.#player(first)];
  }

  async take(): Promise<Player> {
    return this.#idle.pop() ?? this.#player(await this.#make());
  }

  release(player: Player): void {
    this.#idle.push(player);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((player) => player.close()));
  }

  #player(policy: Policy): Player {
    const Kind = typeof policy.act === "function" ? SoloPlayer : BatchPlayer;
    const player = new Kind(policy, this.declaration);
    this.#all.add(player);
    return player;
  }
}

function isClass(source: PolicySource): source is new () => Policy {
  return typeof source === "function" && /^class\b/.test(Function.prototype.toString.call(source));
}
