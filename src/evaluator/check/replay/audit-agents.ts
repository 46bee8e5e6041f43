import type { AgentFactory } from "../../../core/interfaces/agent.js";
import type { Registry } from "../../../core/registry.js";
import { createRegistries } from "../../../registry/registries.js";
import { type AgentRef, parseAgentRef } from "../../plan/agent-spec.js";

/** An agent that ends each episode at its initial state. */
export const INITIAL_STATE_ONLY = "audit-nobody";

export const nobodyFactory: AgentFactory = {
  description: "never there",
  create: () => {
    const absent = () => {
      throw new Error("only initial states are compared");
    };
    return { reset: absent, act: absent };
  },
};

/**
 * Whether an agent repeats its actions. Built-in agents take all randomness from the episode's seed; a remote
 * policy or a plugin's agent may not.
 */
export function isRepeatable(
  ref: AgentRef | undefined,
  ours: Registry<AgentFactory> = createRegistries().agents,
): boolean {
  if (!ref || !ours.has(ref.name)) return false;
  const { threads, wraps } = ours.get(ref.name);
  // Only remote agents set `threads`.
  if (threads !== undefined) return false;
  return !wraps || isRepeatable(parseAgentRef(wraps(ref.argument)), ours);
}
