import { ProtocolError, StopRunError } from "../../core/errors.js";
import type { Action } from "../../core/interfaces/action.js";
import type { AgentEpisodeEnd } from "../../core/interfaces/agent.js";
import type { Observation } from "../../core/interfaces/observation.js";
import { encodeObservation } from "../codec/observation.js";
import type { MessageOf } from "../messages/base.js";
import { readActions } from "../parse-action.js";
import { resetMessage } from "../protocol.js";
import type { SentEpisode } from "../sent-episode.js";
import type { PolicyConnection } from "./connection.js";
import type { Answer } from "./requests.js";

/** A sequence of episodes over a connection: sends observations and receives actions, one request at a time. */
export class PolicySession {
  #episode: SentEpisode | undefined;
  #answer: Promise<Answer> | undefined;
  #isOver = false;

  constructor(
    readonly connection: PolicyConnection,
    readonly id: string,
    private readonly release: () => void,
  ) {}

  /** Starts an episode and waits until the policy is ready. */
  async begin(episode: SentEpisode): Promise<void> {
    const sensors = this.#wanted(episode.sensors);
    const message = resetMessage({ ...episode, sensors }, this.id);
    this.#episode = { ...episode, sensors };
    await this.connection.ask(message).answer;
  }

  /** Resolves when the observation has been written. Reads only the sensors that the policy requested. */
  async send(observation: Observation, step: number): Promise<void> {
    const { taskType, sensors } = this.#running();
    const names = sensors ?? this.#wanted(Object.keys(observation)) ?? [];
    const { sent, answer } = this.connection.ask({
      type: "get_action",
      session_id: this.id,
      task_type: taskType,
      observation: await encodeObservation(observation, names, this.connection.encoding),
      step,
    });
    this.#answer = answer;
    await sent;
  }

  /** Resolves with the action, or chunk of actions, for the last observation. */
  async receive(): Promise<readonly [Action, ...Action[]]> {
    const { actionSpace, taskType } = this.#running();
    const answer = this.#answer;
    this.#answer = undefined;
    if (!answer) throw new Error("receive() before send()");
    const message = await answer;
    if (message.type !== "action") throw new Error(`expected an action, received ${message.type}`);
    this.#checkChunk(message);
    return readActions(message, actionSpace ?? taskType);
  }

  /** Sends the end of the episode, which has no reply, and releases the session. */
  end({ episodeId, reason, steps }: AgentEpisodeEnd): void {
    if (this.#isOver) return;
    this.connection.tell({
      type: "episode_end",
      session_id: this.id,
      episode_id: episodeId,
      reason,
      steps,
    });
    this.close();
  }

  /** Releases the session in any state. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.connection.abandon(this.id);
    this.#episode = undefined;
    this.release();
  }

  #running(): SentEpisode {
    if (!this.#episode) throw new Error("the session has no episode");
    return this.#episode;
  }

  /** Offered sensors that are sent; all if the policy requested none. */
  #wanted(offered: readonly string[] | undefined): readonly string[] | undefined {
    const wanted = this.connection.capabilities.sensors;
    if (!wanted || !offered) return offered;
    const missing = wanted.filter((name) => !offered.includes(name));
    if (missing.length === 0) return wanted;
    const error = new StopRunError(
      "missing_sensor",
      `the policy requests ${missing.join(", ")}, which the task does not offer`,
      {
        where: this.connection.label,
        hint: `available sensors: ${offered.join(", ")}; cameras and \`instruction\` are added under simulator.sensors in the benchmark`,
      },
    );
    this.connection.refuse(error);
    throw error;
  }

  #checkChunk({ actions }: MessageOf<"action">): void {
    const most = this.connection.capabilities.action_chunk ?? 1;
    if (!actions || actions.length <= most) return;
    throw new ProtocolError(
      "bad_chunk",
      `the policy sent a chunk of ${actions.length} actions, but declared at most ${most}`,
      { where: this.connection.label, hint: "raise action_chunk in the policy's capabilities" },
    );
  }
}
