import type { ActionSpace } from "../task/types.js";
import type { Action } from "./action.js";
import type { ManipulationView } from "./manipulation-view.js";
import type { Observation } from "./observation.js";
import type { MaybePromise, PrivilegedView } from "./simulator.js";

/** What an agent is told at the start of an episode. Nothing of the answer, unless disclosed. */
export interface AgentEpisode {
  readonly taskType: string;
  readonly episodeId: string;
  readonly sceneId: string;
  readonly episodeKey: string;
  /** The episode as it may be sent: goals and reference are null unless `evaluation.disclose` says so. */
  readonly episode: Readonly<Record<string, unknown>>;
  readonly actionSpace: ActionSpace;
  readonly seed: number;
  /** Only for agents that declare themselves privileged. */
  readonly privileged?: PrivilegedView | undefined;
  /** The same for manipulation. */
  readonly manipulation?: ManipulationView | undefined;
}

/** A policy, wherever it runs. One instance serves one episode at a time. */
export interface Agent {
  reset(episode: AgentEpisode): MaybePromise<void>;
  act(observation: Observation): MaybePromise<Action>;
  close?(): MaybePromise<void>;
}

/** How an agent stands in the registry. */
export interface AgentFactory {
  readonly description: string;
  /** Sees the simulator's true state; its results are an upper bound, not a policy's. */
  readonly privileged?: boolean;
  /** What stands after the colon in `name:argument`, for help texts; absent when there is none. */
  readonly argument?: string;
  /** The SPEC of the agent that this one stands around; it is privileged when that one is. */
  wraps?(argument: string | undefined): string;
  create(options: AgentOptions): MaybePromise<Agent>;
}

export interface AgentOptions {
  /** What stood after the colon. */
  readonly argument?: string | undefined;
  /** Makes another agent by its SPEC, for agents that stand around one. */
  readonly agent?: ((spec: string) => Promise<Agent>) | undefined;
  /** Recorded actions by episode, for replay; the evaluator knows how to read each kind of recording. */
  readonly recording?: ((ref: string) => Promise<ActionRecording>) | undefined;
}

export interface ActionRecording {
  actionsOf(episode: {
    readonly episodeKey: string;
    readonly episodeId: string;
  }): MaybePromise<readonly Action[] | undefined>;
  /** Whether the recorded agent failed where its actions end. */
  brokenOff?(episode: { readonly episodeKey: string; readonly episodeId: string }): boolean;
}
