import { SessionPool } from "../../api/session/pool.js";
import {
  connectMs,
  firstDialInMs,
  type PolicySettings,
  policySchema,
} from "../../config/policy.js";
import type { Agent, AgentOptions } from "../../core/interfaces/agent.js";
import { policyToken } from "../policy-token.js";
import { checkConventions } from "./conventions.js";
import { RemoteAgent } from "./remote.js";
import { checkSamePolicy } from "./same-policy.js";
import { dialledSources, listeningSource, type SourceMaker } from "./sources.js";

interface Shared {
  readonly pool: Promise<SessionPool>;
  users: number;
}

/** Differences between dialling and listening. */
interface Direction {
  readonly sources: typeof dialledSources;
  /** Timeout for the first connections, in milliseconds. */
  openMs(policy: PolicySettings): number;
}

const DIALLING: Direction = { sources: dialledSources, openMs: connectMs };
const LISTENING: Direction = { sources: listeningSource, openMs: firstDialInMs };
const DIRECTIONS = { dialled: DIALLING, listening: LISTENING };

/** The connections of `RemotePolicies`, in a separate module that is loaded on first use. */
export class PolicyPools {
  readonly #shared = new Map<string, Shared>();

  constructor(private readonly report: (text: string) => void) {}

  /** Connects to the policy before the run, so that mismatches are reported before anything is written. */
  async create(options: AgentOptions, direction: keyof typeof DIRECTIONS): Promise<Agent> {
    const settings = DIRECTIONS[direction];
    const {
      argument = "",
      task,
      siblings = 1,
      connectWithinMs = Number.POSITIVE_INFINITY,
    } = options;
    const policy = policySchema.parse(options.policy ?? {});
    const token = policyToken();
    const sources = settings.sources(argument, { policy, token, sessions: siblings });
    if (policy.mapping) {
      this.report(
        "policy.mapping is not supported for robot-eval policies, which receive observations unchanged",
      );
    }
    const key = JSON.stringify([argument, policy]);
    const shared = this.#shared.get(key) ?? {
      pool: this.#makePool(sources, Math.min(settings.openMs(policy), connectWithinMs), policy),
      users: 0,
    };
    this.#shared.set(key, shared);
    shared.users++;
    const release = () => this.#release(key, shared);
    try {
      const pool = await shared.pool;
      await pool.open(siblings);
      const identity = pool.connections[0]?.policy;
      for (const connection of pool.connections) {
        checkSamePolicy(connection, identity);
        if (task) checkConventions(connection, task);
      }
      const { execute } = policy;
      return new RemoteAgent({ pool, execute, task, identity, onClose: release });
    } catch (error) {
      await release();
      throw error;
    }
  }

  #makePool(
    sources: readonly SourceMaker[],
    openMs: number,
    policy: PolicySettings,
  ): Promise<SessionPool> {
    const times = { openMs, connectMs: connectMs(policy) };
    return SessionPool.make(sources, times, this.report);
  }

  async #release(key: string, shared: Shared): Promise<void> {
    if (--shared.users > 0) return;
    this.#shared.delete(key);
    const pool = await shared.pool.catch(() => undefined);
    await pool?.close();
  }
}
