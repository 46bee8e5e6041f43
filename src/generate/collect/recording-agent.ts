import type { Action } from "../../core/interfaces/action.js";
import type {
  Agent,
  AgentEpisode,
  AgentEpisodeEnd,
  AgentFactory,
  AgentOptions,
} from "../../core/interfaces/agent.js";
import type { Observation } from "../../core/interfaces/observation.js";
import type { ActionSpace } from "../../core/task/types.js";
import { actionCode } from "../../dataset/lerobot/actions.js";
import type { FeatureOptions } from "./observation-features.js";
import { Recording } from "./recording.js";

/**
 * Wraps an agent and records its observations and actions without changing its behaviour. A run may replace an agent
 * that timed out, so the last started recording counts.
 */
export class Recorder {
  readonly #options: FeatureOptions;
  readonly #signal: AbortSignal | undefined;
  #latest: Recording | undefined;

  constructor(options: FeatureOptions, signal: AbortSignal | undefined) {
    this.#options = options;
    this.#signal = signal;
  }

  /** Returns the recording since the last call; undefined if no agent was called. */
  take(): Recording | undefined {
    const recording = this.#latest;
    this.#latest = undefined;
    return recording;
  }

  /** Wraps a factory with the recorder; the result is privileged if the factory is. */
  around(factory: AgentFactory): AgentFactory {
    return {
      ...factory,
      create: async (options: AgentOptions) => this.#record(await factory.create(options)),
    };
  }

  #record(inner: Agent): Agent {
    let recording: Recording | undefined;
    let space: ActionSpace | undefined;
    return {
      reset: (episode: AgentEpisode) => {
        space = episode.actionSpace;
        recording = new Recording(actionCode(space), this.#options);
        this.#latest = recording;
        return inner.reset(episode);
      },
      act: async (observation: Observation): Promise<Action> => {
        this.#signal?.throwIfAborted();
        const answer = await inner.act(observation);
        if (!space || !recording) throw new Error("act() before reset()");
        // Parse the answer as the simulator does: an action may have several forms.
        const action = space.parse(answer);
        await recording.add(observation, action);
        return action;
      },
      get prepared() {
        return inner.prepared === true;
      },
      end: (end: AgentEpisodeEnd) => inner.end?.(end),
      close: () => inner.close?.(),
    };
  }
}
