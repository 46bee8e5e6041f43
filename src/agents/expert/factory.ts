import type { AgentFactory } from "../../core/interfaces/agent.js";

export const expertAgentFactory: AgentFactory = {
  description:
    "solves manipulation tasks with a planner; uses privileged state, so it is an upper bound, not a policy",
  privileged: true,
  async create() {
    const { ExpertAgent } = await import("./expert.js");
    return new ExpertAgent();
  },
};
