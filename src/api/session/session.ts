import { ProtocolError, StopRunError } from "../../core/errors.js";
import type { Action } from "../../core/interfaces/action.js";
import type { AgentEpisode, AgentEpisodeEnd } from "../../core/interfaces/agent.js";
import type { Observation } from "../../core/interfaces/observation.js";
import { encodeObservation } from "../codec/observation.js";
import type { MessageOf } from "../messages/base.js";
import { createResetMessage, parseActionMessage } from "../protocol.js";
import type { PolicyConnection } from "./connection.js";
import type { Answer } from "./requests.js";

/** One line of episodes over a connection: what is asked goes out, actions come back, one at a time. */
export class PolicySession {
  readonly id: string;
  readonly connection: PolicyConnection;
  readonly #release: () => void;
  #episode: AgentEpisode | undefined;
  #answer: Promise<Answer> | undefined;
  #isOver = false;

  constructor(connection: PolicyConnection, id: string, release: () => void) {
    this.connection = connection;
    this.id = id;
    this.#release = release;
  }

  /** Tells the policy of the episode, and waits until it is ready. */
  async begin(episode: AgentEpisode): Promise<void> {
    const sensors = this.#wanted(episode.sensors);
    const message = createResetMessage({ ...episode, sensors }, this.id);
    this.#episode = { ...episode, sensors };
    await this.connection.ask(message).answer;
  }

  /** Resolves when the observation has left. Only what the policy wants to see is looked at. */
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

  /** The action that answers what was sent last, or a chunk of them. */
  async receive(): Promise<readonly [Action, ...Action[]]> {
    const { actionSpace } = this.#running();
    const answer = this.#answer;
    this.#answer = undefined;
    if (!answer) throw new Error("receive() before send()");
    const message = await answer;
    if (message.type !== "action") throw new Error(`an action was awaited, not ${message.type}`);
    this.#checkChunk(message);
    return parseActionMessage(message, actionSpace);
  }

  /** Tells the policy, which does not answer, and gives the session back. */
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

  /** Gives the session back, whatever it is at. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.connection.abandon(this.id);
    this.#episode = undefined;
    this.#release();
  }

  #running(): AgentEpisode {
    if (!this.#episode) throw new Error("the session has no episode");
    return this.#episode;
  }

  /** What of the offer is sent; everything if the policy did not say. */
  #wanted(offered: readonly string[] | undefined): readonly string[] | undefined {
    const wanted = this.connection.capabilities.sensors;
    if (!wanted || !offered) return offered;
    const missing = wanted.filter((name) => !offered.includes(name));
    if (missing.length === 0) return wanted;
    const error = new StopRunError(
      "missing_sensor",
      `the policy wants ${missing.join(", ")}, which the task does not offer`,
      {
        where: this.connection.label,
        hint: `offered are ${offered.join(", ")}; cameras are named under simulator.sensors in the benchmark`,
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
      `the policy sent ${actions.length} actions at once, and declared at most ${most}`,
      { where: this.connection.label, hint: "declare action_chunk in its capabilities" },
    );
  }
}
