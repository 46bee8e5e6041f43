import type { Agent, AgentEpisode, AgentFactory } from "../core/interfaces/agent.js";
import type { Observation } from "../core/interfaces/observation.js";
import { Random } from "../core/math/random.js";

/** Takes any action with equal probability, seeded by the episode. A lower bound for every benchmark. */
export class RandomAgent implements Agent {
  #random = new Random(0);
  #episode: AgentEpisode | undefined;

  reset(episode: AgentEpisode): void {
    this.#episode = episode;
    this.#random = new Random(episode.seed);
  }

  act(observation: Observation) {
    if (!this.#episode) throw new Error("act() before reset()");
    const action = this.#episode.actionSpace.sample(this.#random);
    if (action !== "goto") return action;
    const candidates = viewpoints(observation.candidates);
    return candidates.length > 0 ? `goto:${this.#random.pick(candidates)}` : "stop";
  }
}

function viewpoints(candidates: unknown): string[] {
  if (!Array.isArray(candidates)) return [];
  return candidates.map((candidate: { readonly viewpoint: string }) => candidate.viewpoint);
}

export const randomAgentFactory: AgentFactory = {
  description: "any action with equal probability, seeded by the episode",
  create: () => new RandomAgent(),
};
