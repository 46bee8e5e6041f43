import type { SessionPool } from "../../api/session/pool.js";
import type { PolicySession } from "../../api/session/session.js";
import { PeerError } from "../../api/websocket/peer-error.js";
import type { Action } from "../../core/interfaces/action.js";
import type {
  Agent,
  AgentEpisode,
  AgentEpisodeEnd,
  AgentTask,
} from "../../core/interfaces/agent.js";
import type { Observation } from "../../core/interfaces/observation.js";
import type { PolicyIdentity } from "../../core/policy-identity.js";
import { checkConventions } from "./conventions.js";
import { checkSamePolicy } from "./same-policy.js";

export interface RemoteAgentInit {
  readonly pool: SessionPool;
  /** Number of actions of a chunk to execute before the policy is asked again; all if absent. */
  readonly execute: number | undefined;
  readonly task: AgentTask | undefined;
  /** The policy of the run; undefined if it declares no name. */
  readonly identity: PolicyIdentity | undefined;
  /** Releases the pool. */
  readonly onClose: () => Promise<void>;
}

/**
 * A policy in another process, perhaps on another machine. Holds a session of the pool from the start of an episode
 * to its end; task sessions that wait for their turn hold none.
 */
export class RemoteAgent implements Agent {
  #session: PolicySession | undefined;
  /** The rest of the last chunk. */
  #actions: Action[] = [];
  #step = 0;
  /** Counts episodes, to detect a wait for a session that outlasted its episode. */
  #turn = 0;

  constructor(private readonly init: RemoteAgentInit) {}

  /** What the policy declared; the first replica's if there are several. */
  get peer(): Readonly<Record<string, unknown>> | undefined {
    return this.init.pool.connections[0]?.capabilities;
  }

  get identity(): PolicyIdentity | undefined {
    return this.init.identity;
  }

  get prepared(): boolean {
    return this.#actions.length > 0;
  }

  async reset(episode: AgentEpisode): Promise<void> {
    this.#letGo();
    const turn = this.#turn;
    try {
      await this.#begin(episode, turn);
    } catch (error) {
      // The policy may have been restarted since the last episode; this one has not started yet.
      const lost = error instanceof PeerError && error.code === "policy_lost";
      if (!lost || turn !== this.#turn) throw error;
      this.#session?.close();
      await this.#begin(episode, turn);
    }
  }

  async act(observation: Observation): Promise<Action> {
    if (this.#actions.length === 0) this.#actions = await this.#ask(observation);
    const action = this.#actions.shift();
    if (action === undefined) throw new Error("the policy's reply has no action");
    this.#step++;
    return action;
  }

  end(end: AgentEpisodeEnd): void {
    this.#session?.end(end);
    this.#letGo();
  }

  async close(): Promise<void> {
    this.#letGo();
    await this.init.onClose();
  }

  async #begin(episode: AgentEpisode, turn: number): Promise<void> {
    const session = await this.init.pool.take();
    // The episode's time may have run out while waiting for a session.
    if (turn !== this.#turn) {
      session.close();
      throw new PeerError("abandoned", "the episode ended while waiting for the policy");
    }
    this.#session = session;
    // A policy that connected after the start of the run has not been checked yet.
    checkSamePolicy(session.connection, this.init.identity);
    if (this.init.task) checkConventions(session.connection, this.init.task);
    await session.begin(episode);
  }

  async #ask(observation: Observation): Promise<Action[]> {
    const session = this.#session;
    if (!session) throw new Error("act() before reset()");
    await session.send(observation, this.#step);
    return (await session.receive()).slice(0, this.init.execute);
  }

  #letGo(): void {
    this.#turn++;
    this.#session?.close();
    this.#session = undefined;
    this.#actions = [];
    this.#step = 0;
  }
}
