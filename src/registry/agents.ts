import { dialectAgentFactories } from "../agents/dialects/factories.js";
import { expertAgentFactory } from "../agents/expert/factory.js";
import { forwardAgentFactory } from "../agents/forward.js";
import { noisyAgentFactory } from "../agents/noisy.js";
import { randomAgentFactory } from "../agents/random.js";
import { RemotePolicies } from "../agents/remote/factory.js";
import { replayAgentFactory } from "../agents/replay.js";
import { shortestPathAgentFactory } from "../agents/shortest-path.js";
import type { AgentFactory } from "../core/interfaces/agent.js";
import type { Registry } from "../core/registry.js";

export function registerAgents(agents: Registry<AgentFactory>): void {
  agents.register("random", randomAgentFactory);
  agents.register("forward", forwardAgentFactory);
  agents.register("shortest-path", shortestPathAgentFactory);
  agents.register("expert", expertAgentFactory);
  agents.register("noisy", noisyAgentFactory);
  agents.register("replay", replayAgentFactory);
  const policies = new RemotePolicies();
  agents.register("ws", policies.dialled);
  agents.register("wss", policies.dialled);
  agents.register("listen", policies.listening);
  for (const [scheme, factory] of dialectAgentFactories) agents.register(scheme, factory);
}
