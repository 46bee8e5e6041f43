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
import { Recording } from "./recording.js";
import type { SightOptions } from "./sight.js";

/**
 * Lets an agent act as it would alone, and keeps what it saw and did. Agents come and go within a run (one
 * that ran out of time is replaced), so the recording that counts is the one begun last.
 */
export class Recorder {
  readonly #options: SightOptions;
  readonly #signal: AbortSignal | undefined;
  #latest: Recording | undefined;

  constructor(options: SightOptions, signal: AbortSignal | undefined) {
    this.#options = options;
    this.#signal = signal;
  }

  /** What was recorded since the last call; undefined when no agent was asked. */
  take(): Recording | undefined {
    const recording = this.#latest;
    this.#latest = undefined;
    return recording;
  }

  /** The factory with a recorder in front; it is privileged where the other is. */
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
        // As the simulator will take it: an answer may come in more than one guise.
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
