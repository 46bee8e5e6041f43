import type { AgentFactory } from "../../core/interfaces/agent.js";

export const expertAgentFactory: AgentFactory = {
  description: "solves manipulation by plan; knows the truth, so it is a ceiling, not a policy",
  privileged: true,
  async create() {
    const { ExpertAgent } = await import("./expert.js");
    return new ExpertAgent();
  },
};
