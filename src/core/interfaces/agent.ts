import type { TaskConventions } from "../task/conventions.js";
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
  /** What the task's numbers mean, for agents that are elsewhere. */
  readonly conventions?: TaskConventions | undefined;
  /** What its observations will hold. */
  readonly sensors?: readonly string[] | undefined;
  readonly seed: number;
  /** Which run of this episode it is, from 0, where a benchmark has several. */
  readonly repeat?: number;
  /** Only for agents that declare themselves privileged. */
  readonly privileged?: PrivilegedView | undefined;
  /** The same for manipulation. */
  readonly manipulation?: ManipulationView | undefined;
}

/** A policy, wherever it runs. One instance serves one episode at a time. */
export interface Agent {
  reset(episode: AgentEpisode): MaybePromise<void>;
  act(observation: Observation): MaybePromise<Action>;
  /** What a policy elsewhere said of itself when it was connected: name, sensors, conventions, ... */
  readonly peer?: Readonly<Record<string, unknown>> | undefined;
  /** Whether the next action needs no thought: it is the rest of what the last answer held. */
  readonly prepared?: boolean;
  /** Told once the episode is over, however it came out; also after a `reset` that failed. */
  end?(end: AgentEpisodeEnd): MaybePromise<void>;
  close?(): MaybePromise<void>;
}

/** What an agent is told at the end of an episode: not how well it did. */
export interface AgentEpisodeEnd {
  readonly episodeId: string;
  readonly reason: string;
  readonly steps: number;
}

/** The task that an agent is made for, so that what does not fit together is said before anything runs. */
export interface AgentTask {
  /** Its name in the benchmark. */
  readonly name: string;
  readonly type: string;
  readonly family: string;
  readonly actionSpace: ActionSpace;
  readonly conventions: TaskConventions;
}

/** How an agent stands in the registry. */
export interface AgentFactory {
  readonly description: string;
  /** Sees the simulator's true state; its results are an upper bound, not a policy's. */
  readonly privileged?: boolean;
  /**
   * In how many threads a run may have it: `asked`, in several only where they were asked for and not merely
   * because there are cores; `one`, never in several. Absent: in any number.
   */
  readonly threads?: "asked" | "one" | undefined;
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
  readonly task?: AgentTask | undefined;
  /** The benchmark's `policy:` section, for agents that are elsewhere. */
  readonly policy?: Readonly<Record<string, unknown>> | undefined;
  /** Agents of this kind that will be at work side by side in this thread. */
  readonly siblings?: number | undefined;
}

export interface ActionRecording {
  actionsOf(episode: RecordedEpisode): MaybePromise<readonly Action[] | undefined>;
  /** Whether the recorded agent failed where its actions end. */
  brokenOff?(episode: RecordedEpisode): boolean;
}

type RecordedEpisode = Pick<AgentEpisode, "episodeKey" | "episodeId" | "repeat">;
