import { ConfigError, DataError, ProtocolError } from "../core/errors.js";
import { type Action, STOP } from "../core/interfaces/action.js";
import type {
  ActionRecording,
  Agent,
  AgentEpisode,
  AgentFactory,
} from "../core/interfaces/agent.js";

/** Repeats recorded actions: those of a run, or the path of a submission. */
export class ReplayAgent implements Agent {
  #actions: readonly Action[] = [];
  #at = 0;
  #brokenOff = false;

  constructor(private readonly recording: ActionRecording) {}

  async reset(episode: AgentEpisode): Promise<void> {
    const actions = await this.recording.actionsOf(episode);
    if (!actions) {
      throw new DataError("not_recorded", `no recording of the episode ${episode.episodeKey}`);
    }
    this.#actions = actions;
    this.#at = 0;
    this.#brokenOff = this.recording.brokenOff?.(episode) ?? false;
  }

  act(): Action {
    if (this.#brokenOff && this.#at >= this.#actions.length) throw this.#failure();
    // Stop if the recording ends without a stop.
    return this.#actions[this.#at++] ?? STOP;
  }

  /**
   * The error of a recorded agent failure. A failure before the first step counts against the agent only if it
   * returned an invalid action.
   */
  #failure(): Error {
    const message = "the recorded agent failed here";
    return this.#actions.length > 0 ? new Error(message) : new ProtocolError("bad_action", message);
  }
}

export const replayAgentFactory: AgentFactory = {
  description: "repeats the actions of a run or a submission file",
  argument: "<run directory or submission file>",
  async create({ argument, recording }) {
    if (!argument || !recording) {
      throw new ConfigError(
        "bad_agent",
        "the replay agent needs a run directory or submission file",
        {
          hint: "write replay:<run directory> or replay:<submission file>",
        },
      );
    }
    return new ReplayAgent(await recording(argument));
  },
};
