import type { ZodType } from "zod";
import type { BaseEpisode } from "../episode/base.js";
import type { GraphSource } from "../scene/graph.js";
import type { Place, SceneDistance } from "../scene/place.js";
import type { SceneSource } from "../scene/source.js";
import type { BaseTask } from "../task/base.js";
import type { TaskConventions } from "../task/conventions.js";
import type { ActionSpace } from "../task/types.js";
import type { Action } from "./action.js";
import type { ManipulationView } from "./manipulation-view.js";
import type { Observation } from "./observation.js";
import type { StepState } from "./step.js";

export type MaybePromise<T> = T | Promise<T>;

/** What a simulator gives after reset and after each step. */
export interface SimulatorFrame {
  /** What the policy may see. */
  readonly observation: Observation;
  /** What is recorded and judged. */
  readonly state: StepState;
  /** Seconds of simulated time since reset, where the simulator has a clock. */
  readonly timeS?: number;
}

export interface ResetOptions {
  /** f(benchmark seed, task, episode key): the only source of chance a simulator may use. */
  readonly seed: number;
}

/** A world that one episode at a time happens in. */
export interface BaseSimulator {
  reset(episode: BaseEpisode, options: ResetOptions): MaybePromise<SimulatorFrame>;
  step(action: Action): MaybePromise<SimulatorFrame>;
  close(): MaybePromise<void>;
  /** The episode is over: what it holds may serve others until the next reset. */
  rest?(): void;
  /** The actions this world offers for its task: the task's own, or more. */
  readonly actionSpace: ActionSpace;
  /** Distances in the current episode's scene, for metrics. */
  readonly distance?: SceneDistance;
  /** For experts only; never part of an observation. */
  readonly privileged?: PrivilegedView;
  /** The same for manipulation. */
  readonly manipulation?: ManipulationView | undefined;
  /** Sensors that the benchmark asks for and this world cannot give, said once a run. */
  readonly missingSensors?: readonly string[];
  /** Whether the same episode, seed and actions give the same states, to the bit. True where absent. */
  readonly deterministic?: boolean;
  /** What its numbers mean, beside what the task says of them. */
  readonly conventions?: TaskConventions;
  /**
   * What the current episode's world looks like, where only it can tell; undefined where it does not.
   *
   * @param known SHA-256 of files that need not be given again
   */
  geometry?(known: ReadonlySet<string>): Promise<WorldGeometry | undefined>;
}

/** A world as MuJoCo's models describe one, to be looked at. */
export interface WorldGeometry {
  readonly mjcf: string;
  /** SHA-256 of the files that the model names, by the names that it has for them. */
  readonly files: Readonly<Record<string, string>>;
  /** The content of those that were not known, by its SHA-256. */
  readonly assets: ReadonlyMap<string, Uint8Array>;
  /** MuJoCo's groups of geoms that are looked at; by its custom if absent. */
  readonly groups?: readonly number[] | undefined;
}

/** The true state, for agents that are allowed to cheat (shortest-path, expert). */
export interface PrivilegedView {
  place(): Place;
  /** Radians, 0 along -z, counter-clockwise. */
  heading(): number;
  /** Radians that one turning action turns by. */
  readonly turnRad: number;
  /** Alternatives; reaching any one will do. */
  goals(): readonly Place[];
  distance: SceneDistance;
  /** From here to there, both included; empty when there is no way. */
  shortestPath(to: Place): readonly Place[];
  /**
   * Where `move_forward` would lead from a place when looking along a heading (radians), by the world's
   * own collisions and without its noise; absent in worlds that one moves through by name.
   */
  ahead?(from: Place, headingRad: number): Place;
}

/** How a simulator stands in the registry. */
export interface SimulatorFactory {
  readonly description: string;
  /** Task families it serves, for `backend: abstract`. */
  readonly families: readonly string[];
  readonly sensors: readonly string[];
  /** It is of no use without navigation graphs, so `backend: abstract` passes it over where there are none. */
  readonly needsGraphs?: boolean;
  /** Checks the benchmark's `simulator:` section before anything runs, so that an error can name its line. */
  readonly configSchema?: ZodType;
  create(options: SimulatorOptions): MaybePromise<BaseSimulator>;
}

export interface SimulatorOptions {
  readonly task: BaseTask;
  /** The task's name in the benchmark. */
  readonly taskName?: string | undefined;
  /** The benchmark's `simulator:` section. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Navigation graphs by scene; absent when the benchmark has none. */
  readonly graphs?: GraphSource | undefined;
  /** Where scenes' geometry is to be found; absent when nobody said. */
  readonly scenes?: SceneSource | undefined;
  /** Folder for the logs of programs that it starts. It is known when the run has begun, after simulators are there. */
  readonly logFolder?: Promise<string> | undefined;
}
