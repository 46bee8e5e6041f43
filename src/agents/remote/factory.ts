import { SessionPool } from "../../api/session/pool.js";
import { type PolicySettings, policySchema } from "../../config/policy.js";
import type { Agent, AgentFactory, AgentOptions } from "../../core/interfaces/agent.js";
import { policyToken } from "../policy-token.js";
import { checkConventions } from "./conventions.js";
import { RemoteAgent } from "./remote.js";
import { dialledSources, listeningSource, type SourceMaker } from "./sources.js";

interface Shared {
  readonly pool: Promise<SessionPool>;
  users: number;
}

/** What differs between dialling and being dialled. */
interface Way {
  readonly sources: typeof dialledSources;
  /** For the first connections, in milliseconds. */
  openMs(policy: PolicySettings): number;
}

const DIALLING: Way = {
  sources: dialledSources,
  openMs: ({ connect_timeout }) => connect_timeout * 1000,
};

/** A policy that dials in is often started by hand, after the run, and loads its weights before it dials. */
const LISTENING: Way = {
  sources: listeningSource,
  openMs: ({ connect_timeout, cold_start_timeout }) =>
    Math.max(connect_timeout, cold_start_timeout) * 1000,
};

/**
 * Agents that are policies elsewhere. All agents of one set of registries that name the same policy share its
 * connections: that is, once for each thread of a run.
 */
export class RemotePolicies {
  readonly #shared = new Map<string, Shared>();
  readonly #say: (text: string) => void;

  /** @param say tells people what is waited for; on stderr if absent */
  constructor(say: (text: string) => void = (text) => void process.stderr.write(`${text}\n`)) {
    let last: string | undefined;
    this.#say = (text) => {
      // A policy that is gone for good is waited for at every episode; once told is enough.
      if (text !== last) say(text);
      last = text;
    };
  }

  /** `ws://host:port`, `wss://host`; replicas as `ws://a|ws://b`. */
  get dialled(): AgentFactory {
    return {
      description: "a policy that listens there; replicas of one: ws://a|ws://b",
      argument: "//<host>:<port>",
      threads: "asked",
      create: (options) => this.#create(options, DIALLING),
    };
  }

  /** `listen:8000`, `listen:0.0.0.0:8000`. */
  get listening(): AgentFactory {
    return {
      description: "policies that dial in here",
      argument: "[<host>:]<port>",
      threads: "one",
      create: (options) => this.#create(options, LISTENING),
    };
  }

  /** Speaks with the policy before the run begins: what does not fit together is said while nothing is written. */
  async #create(options: AgentOptions, way: Way): Promise<Agent> {
    const { argument = "", task, siblings = 1 } = options;
    const policy = policySchema.parse(options.policy ?? {});
    const token = policyToken();
    const sources = way.sources(argument, { policy, token, sessions: siblings });
    if (policy.mapping) {
      this.#say(
        "policy.mapping is for policies of other systems; this one gets its observations as they are",
      );
    }
    const key = JSON.stringify([argument, policy]);
    const shared = this.#shared.get(key) ?? {
      pool: this.#makePool(sources, way.openMs(policy), policy),
      users: 0,
    };
    this.#shared.set(key, shared);
    shared.users++;
    const letGo = () => this.#letGo(key, shared);
    try {
      const pool = await shared.pool;
      await pool.open(siblings);
      if (task) for (const connection of pool.connections) checkConventions(connection, task);
      return new RemoteAgent({ pool, execute: policy.execute, task, onClose: letGo });
    } catch (error) {
      await letGo();
      throw error;
    }
  }

  #makePool(
    sources: readonly SourceMaker[],
    openMs: number,
    { connect_timeout }: PolicySettings,
  ): Promise<SessionPool> {
    return SessionPool.make(sources, { openMs, connectMs: connect_timeout * 1000 }, this.#say);
  }

  async #letGo(key: string, shared: Shared): Promise<void> {
    if (--shared.users > 0) return;
    this.#shared.delete(key);
    const pool = await shared.pool.catch(() => undefined);
    await pool?.close();
  }
}
