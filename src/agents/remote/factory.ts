import type { Agent, AgentFactory } from "../../core/interfaces/agent.js";
import { visible } from "../../core/text.js";
import type { PolicyPools } from "./pools.js";

/**
 * Agents that run as policies in other processes. All agents of one set of registries that name the same policy share
 * its connections; each thread of a run has one set.
 */
export class RemotePolicies {
  #pools: Promise<PolicyPools> | undefined;
  readonly #report: (text: string) => void;

  /** @param report prints what is awaited; to stderr if absent */
  constructor(
    report: (text: string) => void = (text) => void process.stderr.write(`${visible(text)}\n`),
  ) {
    let last: string | undefined;
    this.#report = (text) => {
      // A policy that is gone is awaited at every episode; report it only once.
      if (text !== last) report(text);
      last = text;
    };
  }

  /** `ws://host:port`, `wss://host`; replicas as `ws://a|ws://b`. */
  get dialled(): AgentFactory {
    return {
      description: "a policy that listens at this address; replicas: ws://a|ws://b",
      argument: "//<host>:<port>",
      threads: "asked",
      create: (options) => this.#create(options, "dialled"),
    };
  }

  /** `listen:8000`, `listen:0.0.0.0:8000`. */
  get listening(): AgentFactory {
    return {
      description: "policies that connect to this address",
      argument: "[<host>:]<port>",
      threads: "one",
      create: (options) => this.#create(options, "listening"),
    };
  }

  async #create(...args: Parameters<PolicyPools["create"]>): Promise<Agent> {
    this.#pools ??= import("./pools.js").then((module) => new module.PolicyPools(this.#report));
    return (await this.#pools).create(...args);
  }
}
