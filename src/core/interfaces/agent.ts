import type { PolicyIdentity } from "../policy-identity.js";
import type { TaskConventions } from "../task/conventions.js";
import type { ActionSpace } from "../task/types.js";
import type { Action } from "./action.js";
import type { ManipulationView } from "./manipulation-view.js";
import type { Observation } from "./observation.js";
import type { MaybePromise, PrivilegedView } from "./simulator.js";

/** What an agent receives at the start of an episode. It has no goals or reference unless disclosed. */
export interface AgentEpisode {
  readonly taskType: string;
  readonly episodeId: string;
  readonly sceneId: string;
  readonly episodeKey: string;
  /** The episode as sent to policies: goals and reference are null unless `evaluation.disclose` includes them. */
  readonly episode: Readonly<Record<string, unknown>>;
  readonly actionSpace: ActionSpace;
  /** The meaning of the task's numbers, for remote agents. */
  readonly conventions?: TaskConventions | undefined;
  /** The sensors in its observations. */
  readonly sensors?: readonly string[] | undefined;
  readonly seed: number;
  /** Index of this repeat of the episode, from 0. */
  readonly repeat?: number;
  /** Navigation only, and only for privileged agents. */
  readonly privileged?: PrivilegedView | undefined;
  /** Manipulation only, and only for privileged agents. */
  readonly manipulation?: ManipulationView | undefined;
}

/** A policy, local or remote. One instance runs one episode at a time. */
export interface Agent {
  reset(episode: AgentEpisode): MaybePromise<void>;
  act(observation: Observation): MaybePromise<Action>;
  /** What the policy says that it is, recorded with the run. Foreign text, bounded in length. */
  readonly identity?: PolicyIdentity | undefined;
  /** What a remote policy declared in its handshake: sensors, conventions, ... */
  readonly peer?: Readonly<Record<string, unknown>> | undefined;
  /** Whether the next action is already available, because the last answer was a chunk of several actions. */
  readonly prepared?: boolean;
  /** Called once when the episode is over, whatever its outcome, and after a failed `reset`. */
  end?(end: AgentEpisodeEnd): MaybePromise<void>;
  close?(): MaybePromise<void>;
}

/** What an agent receives at the end of an episode. It does not include the score. */
export interface AgentEpisodeEnd {
  readonly episodeId: string;
  readonly reason: string;
  readonly steps: number;
}

/** The task that an agent is created for, so that an incompatibility is reported before the run starts. */
export interface AgentTask {
  /** Its name in the benchmark. */
  readonly name: string;
  readonly type: string;
  readonly family: string;
  readonly actionSpace: ActionSpace;
  readonly conventions: TaskConventions;
}

/** An agent's entry in the registry. */
export interface AgentFactory {
  readonly description: string;
  /** Reads the simulator's true state. Its results are an upper bound, not those of a policy. */
  readonly privileged?: boolean;
  /**
   * In how many threads a run may use it. `asked`: in several only if the user requests them, not by default;
   * `one`: never in several. Absent: in any number.
   */
  readonly threads?: "asked" | "one" | undefined;
  /** Describes the argument of `name:argument` in help texts; absent when the agent takes none. */
  readonly argument?: string;
  /** The SPEC of the agent that this one wraps. A wrapper is privileged if the wrapped agent is. */
  wraps?(argument: string | undefined): string;
  create(options: AgentOptions): MaybePromise<Agent>;
}

export interface AgentOptions {
  /** The argument of `name:argument`. */
  readonly argument?: string | undefined;
  /** Creates another agent from its SPEC, for wrappers. */
  readonly agent?: ((spec: string) => Promise<Agent>) | undefined;
  /** Opens recorded actions for replay; the evaluator reads each kind of recording. */
  readonly recording?: ((ref: string) => Promise<ActionRecording>) | undefined;
  readonly task?: AgentTask | undefined;
  /** The benchmark's `policy:` section, for remote agents. */
  readonly policy?: Readonly<Record<string, unknown>> | undefined;
  /** Limit for the first connection to a remote policy that is known to be running, in milliseconds. */
  readonly connectWithinMs?: number | undefined;
  /** How many agents of this kind will run concurrently in this thread. */
  readonly siblings?: number | undefined;
}

export interface ActionRecording {
  actionsOf(episode: RecordedEpisode): MaybePromise<readonly Action[] | undefined>;
  /** Whether the recorded agent failed where its actions end. */
  brokenOff?(episode: RecordedEpisode): boolean;
}

type RecordedEpisode = Pick<AgentEpisode, "episodeKey" | "episodeId" | "repeat">;
