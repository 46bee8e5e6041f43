import type { AgentFactory } from "../../core/interfaces/agent.js";
import type { Registry } from "../../core/registry.js";
import { createRegistries } from "../../registry/registries.js";
import { type AgentRef, parseAgentRef } from "../agent-spec.js";

/** Whose episodes are over as soon as the simulator is in their initial state. */
export const NOBODY = "audit-nobody";

export const nobodyFactory: AgentFactory = {
  description: "never there",
  create: () => {
    const absent = () => {
      throw new Error("only initial states are looked at");
    };
    return { reset: absent, act: absent };
  },
};

/**
 * Whether an agent does the same whenever it is asked: those of ours that run here draw all their chance
 * from the episode's seed. A policy elsewhere, or one of a plugin, may draw from anywhere.
 */
export function isRepeatable(
  ref: AgentRef | undefined,
  ours: Registry<AgentFactory> = createRegistries().agents,
): boolean {
  if (!ref || !ours.has(ref.name)) return false;
  const { threads, wraps } = ours.get(ref.name);
  // Only those that are elsewhere care about threads.
  if (threads !== undefined) return false;
  return !wraps || isRepeatable(parseAgentRef(wraps(ref.argument)), ours);
}
