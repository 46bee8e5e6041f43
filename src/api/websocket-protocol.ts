import { checkArgument } from "../config/argument.js";
import { connectMs, type PolicySettings, policySchema } from "../config/policy.js";
import type { BaseEpisode } from "../core/episode/base.js";
import { ConfigError, ProtocolError, show } from "../core/errors.js";
import type { Action } from "../core/interfaces/action.js";
import type { AgentEpisode, AgentEpisodeEnd } from "../core/interfaces/agent.js";
import type { Observation } from "../core/interfaces/observation.js";
import { isRecord } from "../core/record.js";
import { type EpisodeOptions, sentEpisode } from "./sent-episode.js";
import { DialledPolicy } from "./session/dialled.js";
import { SessionPool } from "./session/pool.js";
import type { PolicySession } from "./session/session.js";

export interface ProtocolOptions {
  /** The benchmark's `policy:` section; missing fields have their defaults. */
  readonly policy?: Partial<PolicySettings>;
  /** Token for policies that require one. */
  readonly token?: string;
  /** Number of concurrent episodes. */
  readonly sessions?: number;
}

/**
 * Low-level access to a policy, for programs with their own episode loop: sends observations and receives actions for
 * any task.
 *
 * @example
 * import type { AgentEpisode, Observation } from "robot-eval";
 * async function firstAction(episode: AgentEpisode, observation: Observation) {
 *   const protocol = await WebSocketProtocol.dial("ws://localhost:8000");
 *   const session = await protocol.startEpisode(episode);
 *   await protocol.sendObservation(session, observation);
 *   const action = await protocol.receiveAction(session);
 *   protocol.endEpisode(session, { episodeId: episode.episodeId, reason: "stop", steps: 1 });
 *   await protocol.close();
 *   return action;
 * }
 */
export class WebSocketProtocol {
  readonly #sessions = new Map<string, Conversation>();

  private constructor(private readonly pool: SessionPool) {}

  static async dial(url: string, options: ProtocolOptions = {}): Promise<WebSocketProtocol> {
    const policy = checkArgument(
      policySchema,
      options.policy ?? {},
      "WebSocketProtocol.dial: policy",
    );
    const { token, sessions = 1 } = options;
    const timeoutMs = connectMs(policy);
    const pool = await SessionPool.make(
      [(hooks) => new DialledPolicy(url, { policy, token, sessions, hooks })],
      { openMs: timeoutMs, connectMs: timeoutMs },
    );
    try {
      await pool.open(sessions);
    } catch (error) {
      await pool.close();
      throw error;
    }
    return new WebSocketProtocol(pool);
  }

  /** Resolves with the session id when the policy is ready. `options` complete a `BaseEpisode`. */
  async startEpisode(
    episode: AgentEpisode | BaseEpisode,
    options: EpisodeOptions = {},
  ): Promise<string> {
    const sent = sentEpisode(episode, options, "WebSocketProtocol.startEpisode");
    const session = await this.pool.take();
    try {
      await session.begin(sent);
    } catch (error) {
      session.close();
      throw error;
    }
    this.#sessions.set(session.id, { session, step: 0, chunk: [] });
    return session.id;
  }

  /** Resolves when the observation has been written. Images use the negotiated encoding. */
  async sendObservation(sessionId: string, observation: Observation): Promise<void> {
    const conversation = this.#conversation(sessionId);
    checkRecord(observation, "sendObservation", "the observation", "one entry per sensor");
    // The rest of the chunk was planned for the previous observation.
    conversation.chunk = [];
    await conversation.session.send(observation, conversation.step);
  }

  /** Resolves with the reply to the last observation; later calls return the next actions of the same chunk. */
  async receiveAction(sessionId: string): Promise<Action> {
    const conversation = this.#conversation(sessionId);
    if (conversation.chunk.length === 0)
      conversation.chunk = [...(await conversation.session.receive())];
    const action = conversation.chunk.shift();
    if (action === undefined) throw new Error("the policy's reply has no action");
    conversation.step++;
    return action;
  }

  endEpisode(sessionId: string, end: AgentEpisodeEnd): void {
    const { session } = this.#conversation(sessionId);
    checkRecord(end, "endEpisode", "the episode's end", "episodeId, reason and steps");
    session.end(end);
    this.#sessions.delete(sessionId);
  }

  async close(): Promise<void> {
    this.#sessions.clear();
    await this.pool.close();
  }

  #conversation(sessionId: string): Conversation {
    const found = this.#sessions.get(sessionId);
    if (found) return found;
    const problem = `the session ${show(sessionId)} has no running episode`;
    throw new ProtocolError("no_episode", problem, {
      where: "WebSocketProtocol",
      hint: "pass the id that startEpisode returned",
    });
  }
}

function checkRecord(value: unknown, method: string, what: string, content: string): void {
  if (isRecord(value)) return;
  throw new ConfigError("bad_argument", `${what} is ${show(value)}`, {
    where: `WebSocketProtocol.${method}`,
    hint: `pass an object with ${content}`,
  });
}

interface Conversation {
  readonly session: PolicySession;
  step: number;
  chunk: Action[];
}
