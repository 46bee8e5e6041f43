import { ConfigError, DataError, ProtocolError } from "../core/errors.js";
import { type Action, STOP } from "../core/interfaces/action.js";
import type {
  ActionRecording,
  Agent,
  AgentEpisode,
  AgentFactory,
} from "../core/interfaces/agent.js";

/** Does again what was recorded: a run's actions, or a submission's path. */
export class ReplayAgent implements Agent {
  readonly #recording: ActionRecording;
  #actions: readonly Action[] = [];
  #at = 0;
  #brokenOff = false;

  constructor(recording: ActionRecording) {
    this.#recording = recording;
  }

  async reset(episode: AgentEpisode): Promise<void> {
    const actions = await this.#recording.actionsOf(episode);
    if (!actions) {
      throw new DataError("not_recorded", `nothing is recorded for episode ${episode.episodeKey}`);
    }
    this.#actions = actions;
    this.#at = 0;
    this.#brokenOff = this.#recording.brokenOff?.(episode) ?? false;
  }

  act(): Action {
    if (this.#brokenOff && this.#at >= this.#actions.length) throw this.#failure();
    // A recording that ends without stopping stands still from there on.
    return this.#actions[this.#at++] ?? STOP;
  }

  /** An agent that failed before its first step counts only where it gave an action, and one that was none. */
  #failure(): Error {
    const message = "the recorded agent failed here";
    return this.#actions.length > 0 ? new Error(message) : new ProtocolError("bad_action", message);
  }
}

export const replayAgentFactory: AgentFactory = {
  description: "does again what a run or a submission file recorded",
  argument: "<run directory or submission file>",
  async create({ argument, recording }) {
    if (!argument || !recording) {
      throw new ConfigError("bad_agent", "the replay agent needs something to replay", {
        hint: "write replay:<run directory> or replay:<submission file>",
      });
    }
    return new ReplayAgent(await recording(argument));
  },
};
