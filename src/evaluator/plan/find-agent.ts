import type { Agent, AgentFactory } from "../../core/interfaces/agent.js";
import type { Registries } from "../../registry/registries.js";
import { type AgentRef, parseAgentRef } from "./agent-spec.js";

/**
 * Finds the factory of an agent SPEC and of the agents it wraps, so that a wrong name inside `noisy:0.3:...`
 * is reported before the run. An agent that wraps a privileged one is privileged.
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
