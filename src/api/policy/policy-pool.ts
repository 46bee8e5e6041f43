import { setTimeout as delay } from "node:timers/promises";
import type { MaybePromise } from "../../core/interfaces/simulator.js";
import { BatchRunner } from "./batch-runner.js";
import { type Declaration, declarationOf } from "./declare.js";
import type { Policy, PolicySource } from "./policy.js";
import { type PolicyRunner, SingleRunner } from "./policy-runner.js";

/** Default number of sessions of a policy that supports several. */
const MANY = 16;

/** Provides a policy runner for each session. */
export interface PolicyPool {
  readonly declaration: Declaration;
  /** Maximum number of concurrent sessions. */
  readonly capacity: number;
  take(): MaybePromise<PolicyRunner>;
  /** Takes back the runner of an ended session. */
  release(runner: PolicyRunner): void;
  close(): Promise<void>;
}

/** Milliseconds to wait for running computations on close; a policy may hang. */
const CLOSE_WITHIN = 5000;

export function closePolicyPool(pool: PolicyPool): Promise<void> {
  return Promise.race([pool.close(), delay(CLOSE_WITHIN, undefined, { ref: false })]);
}

/** @param isShared true if one object may act in several sessions, although it has no `actBatch` */
export async function createPolicyPool(
  source: PolicySource,
  sessions?: number,
  isShared = false,
): Promise<PolicyPool> {
  if (typeof source !== "function") return new SharedPolicy(source, sessions, isShared);
  const make = isClass(source) ? () => new source() : source;
  return new PolicyPerSession(make, await make(), sessions ?? MANY);
}

/** One policy object for all sessions. */
class SharedPolicy implements PolicyPool {
  readonly declaration: Declaration;
  readonly capacity: number;
  readonly #runner: PolicyRunner;

  constructor(policy: Policy, sessions: number | undefined, isShared: boolean) {
    this.declaration = declarationOf(policy);
    const batches = typeof policy.actBatch === "function";
    this.capacity = batches || isShared ? (sessions ?? MANY) : 1;
    const Kind = batches ? BatchRunner : SingleRunner;
    this.#runner = new Kind(policy, this.declaration);
  }

  take(): PolicyRunner {
    return this.#runner;
  }

  release(): void {}

  close(): Promise<void> {
    return this.#runner.close();
  }
}

/** One policy object per session. Objects of ended sessions are reused, because creating one may load a model. */
class PolicyPerSession implements PolicyPool {
  readonly declaration: Declaration;
  readonly #idle: PolicyRunner[];
  readonly #all = new Set<PolicyRunner>();

  constructor(
    private readonly make: () => MaybePromise<Policy>,
    first: Policy,
    readonly capacity: number,
  ) {
    this.declaration = declarationOf(first);
    this.#idle = [this.#runner(first)];
  }

  async take(): Promise<PolicyRunner> {
    return this.#idle.pop() ?? this.#runner(await this.make());
  }

  release(runner: PolicyRunner): void {
    this.#idle.push(runner);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((runner) => runner.close()));
  }

  #runner(policy: Policy): PolicyRunner {
    const Kind = typeof policy.act === "function" ? SingleRunner : BatchRunner;
    const runner = new Kind(policy, this.declaration);
    this.#all.add(runner);
    return runner;
  }
}

function isClass(source: PolicySource): source is new () => Policy {
  return typeof source === "function" && /^class\b/.test(Function.prototype.toString.call(source));
}
