import { type Action, STOP } from "../../core/interfaces/action.js";
import type { Agent, AgentEpisode, AgentFactory } from "../../core/interfaces/agent.js";
import type { Observation } from "../../core/interfaces/observation.js";
import type { ActionSpace } from "../../core/task/types.js";

/** One action of the policy, with its observation. */
export interface Answer {
  readonly raw: unknown;
  readonly qpos: readonly number[] | undefined;
  readonly ms: number;
}

/** The policy's actions in one episode. */
export interface Watched {
  readonly space: ActionSpace;
  readonly readyMs: number;
  readonly answers: readonly Answer[];
}

/** True if the watch can end an episode by itself, after any number of actions. */
export function hasStop({ actions = [] }: ActionSpace): boolean {
  return actions.includes(STOP);
}

/** Wraps an agent and records its actions without changing them, up to a number of actions in an episode. */
export class Watch {
  readonly episodes: { space: ActionSpace; readyMs: number; answers: Answer[] }[] = [];
  /** The policy's metadata from the handshake. */
  peer: Readonly<Record<string, unknown>> | undefined;

  /** @param limit actions of an episode, after which `stop` ends it; an action may take several control steps */
  constructor(private readonly limit: number) {}

  around(factory: AgentFactory): AgentFactory {
    return {
      ...factory,
      create: async (options) => {
        const agent = await factory.create(options);
        this.peer = agent.peer;
        return this.#watched(agent);
      },
    };
  }

  #watched(agent: Agent): Agent {
    return {
      get prepared() {
        return agent.prepared === true;
      },
      reset: async (episode: AgentEpisode) => {
        const started = performance.now();
        await agent.reset(episode);
        const readyMs = performance.now() - started;
        this.episodes.push({ space: episode.actionSpace, readyMs, answers: [] });
      },
      act: async (observation: Observation): Promise<Action> => {
        const current = this.episodes.at(-1);
        if (current && hasStop(current.space) && current.answers.length >= this.limit) return STOP;
        const started = performance.now();
        const raw = await agent.act(observation);
        const ms = performance.now() - started;
        const { qpos } = observation;
        const known = Array.isArray(qpos) ? (qpos as readonly number[]) : undefined;
        current?.answers.push({ raw, qpos: known, ms });
        return raw;
      },
      end: (end) => agent.end?.(end),
      close: () => agent.close?.(),
    };
  }
}
