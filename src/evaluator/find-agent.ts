import type { Agent, AgentFactory } from "../core/interfaces/agent.js";
import type { Registries } from "../registry/registries.js";
import { type AgentRef, parseAgentRef } from "./agent-spec.js";

/**
 * The factory that a SPEC names, with the agents that it stands around looked up as well: a wrong name
 * inside `noisy:0.3:...` is said before anything runs, and whoever wraps a privileged agent is one.
 */
export function findAgent(ref: AgentRef, registries: Registries): AgentFactory {
  const factory = registries.agents.get(ref.name);
  if (!factory.wraps) return factory;
  const inner = findAgent(parseAgentRef(factory.wraps(ref.argument)), registries);
  return {
    description: factory.description,
    privileged: factory.privileged === true || inner.privileged === true,
    threads: inner.threads,
    create: (options) =>
      factory.create({
        ...options,
        agent: async (spec): Promise<Agent> => {
          const wrapped = parseAgentRef(spec);
          return findAgent(wrapped, registries).create({ ...options, argument: wrapped.argument });
        },
      }),
  };
}
