import { type PolicySettings, policySchema } from "../config/policy.js";
import type { Action } from "../core/interfaces/action.js";
import type { AgentEpisode, AgentEpisodeEnd } from "../core/interfaces/agent.js";
import type { Observation } from "../core/interfaces/observation.js";
import { DialledPolicy } from "./session/dialled.js";
import { SessionPool } from "./session/pool.js";
import type { PolicySession } from "./session/session.js";

export interface ProtocolOptions {
  /** As the benchmark's `policy:` section has them; the defaults hold for what is absent. */
  readonly policy?: Partial<PolicySettings>;
  /** For policies that ask for one. */
  readonly token?: string;
  /** Episodes that will run side by side. */
  readonly sessions?: number;
}

/**
 * Speaks with a policy by hand, for programs that have an episode loop of their own: an observation goes out, an
 * action comes back, whatever the task.
 *
 * @example
 * const protocol = await WebSocketProtocol.dial("ws://localhost:8000");
 * const session = await protocol.startEpisode(episode);
 * await protocol.sendObservation(session, observation);
 * const action = await protocol.receiveAction(session);
 * protocol.endEpisode(session, { episodeId, reason: "stop", steps: 1 });
 * await protocol.close();
 */
export class WebSocketProtocol {
  readonly #pool: SessionPool;
  readonly #sessions = new Map<string, Conversation>();

  private constructor(pool: SessionPool) {
    this.#pool = pool;
  }

  static async dial(url: string, options: ProtocolOptions = {}): Promise<WebSocketProtocol> {
    const policy = policySchema.parse(options.policy ?? {});
    const { token, sessions = 1 } = options;
    const connectMs = policy.connect_timeout * 1000;
    const pool = await SessionPool.make(
      [(hooks) => new DialledPolicy(url, { policy, token, sessions, hooks })],
      { openMs: connectMs, connectMs },
    );
    try {
      await pool.open(sessions);
    } catch (error) {
      await pool.close();
      throw error;
    }
    return new WebSocketProtocol(pool);
  }

  /** Resolves with the id of the session when the policy is ready. */
  async startEpisode(episode: AgentEpisode): Promise<string> {
    const session = await this.#pool.take();
    try {
      await session.begin(episode);
    } catch (error) {
      session.close();
      throw error;
    }
    this.#sessions.set(session.id, { session, step: 0, chunk: [] });
    return session.id;
  }

  /** Resolves when it has left. Pictures are encoded as agreed with the policy. */
  async sendObservation(sessionId: string, observation: Observation): Promise<void> {
    const conversation = this.#conversation(sessionId);
    // What was left of a chunk was meant for the observation before.
    conversation.chunk = [];
    await conversation.session.send(observation, conversation.step);
  }

  /** The answer to what was sent last; called again, the next action of the same chunk. */
  async receiveAction(sessionId: string): Promise<Action> {
    const conversation = this.#conversation(sessionId);
    if (conversation.chunk.length === 0)
      conversation.chunk = [...(await conversation.session.receive())];
    const action = conversation.chunk.shift();
    if (action === undefined) throw new Error("a policy's answer without an action");
    conversation.step++;
    return action;
  }

  endEpisode(sessionId: string, end: AgentEpisodeEnd): void {
    this.#conversation(sessionId).session.end(end);
    this.#sessions.delete(sessionId);
  }

  async close(): Promise<void> {
    this.#sessions.clear();
    await this.#pool.close();
  }

  #conversation(sessionId: string): Conversation {
    const found = this.#sessions.get(sessionId);
    if (found) return found;
    throw new Error(`there is no episode under way in the session "${sessionId}"`);
  }
}

interface Conversation {
  readonly session: PolicySession;
  step: number;
  chunk: Action[];
}
