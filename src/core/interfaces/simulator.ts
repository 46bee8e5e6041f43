import type { ZodType } from "zod";
import type { BaseEpisode } from "../episode/base.js";
import type { StartState } from "../episode/schemas.js";
import type { StateNeed } from "../metric/base.js";
import type { Facts } from "../rules/facts.js";
import type { FactNeeds } from "../rules/needs.js";
import type { GraphSource } from "../scene/graph.js";
import type { SceneDistance, ScenePoint } from "../scene/scene-point.js";
import type { SceneSource } from "../scene/source.js";
import type { BaseTask } from "../task/base.js";
import type { TaskConventions } from "../task/conventions.js";
import type { ActionSpace, SensorConfig } from "../task/types.js";
import type { Action } from "./action.js";
import type { ManipulationView } from "./manipulation-view.js";
import type { Observation } from "./observation.js";
import type { StepState } from "./step.js";

export type MaybePromise<T> = T | Promise<T>;

/** What a simulator returns after reset and after each step. */
export interface SimulatorFrame {
  /** Sent to the policy. */
  readonly observation: Observation;
  /** Recorded and scored; not sent to the policy. */
  readonly state: StepState;
  /** The facts requested with `ResetOptions.facts`. A simulator without facts sets `success` in the state. */
  readonly facts?: Facts | undefined;
  /** Seconds of simulated time since reset, if the simulator has a clock. */
  readonly timeS?: number;
  /** The action takes further steps: `step` with the same action continues it, before the agent is asked again. */
  readonly inProgress?: true;
}

export interface ResetOptions {
  /** f(benchmark seed, task, episode key): the only source of randomness a simulator may use. */
  readonly seed: number;
  /** Facts that the success rule needs, recorded after reset and after each step; only with `recordsFacts`. */
  readonly facts?: FactNeeds | undefined;
}

/** A simulator, which runs one episode at a time. */
export interface BaseSimulator {
  reset(episode: BaseEpisode, options: ResetOptions): MaybePromise<SimulatorFrame>;
  step(action: Action): MaybePromise<SimulatorFrame>;
  close(): MaybePromise<void>;
  /**
   * The action that keeps everything as it is, for simulators with actions of several steps: a robot whose policy is
   * still computing must not begin its last one again.
   */
  hold?(): Action | undefined;
  /** Called when the episode is over: resources may be lent to other simulators until the next reset. */
  rest?(): void;
  /** The actions available in this simulator: those of the task, or more. */
  readonly actionSpace: ActionSpace;
  /** Distances in the current episode's scene, for metrics. */
  readonly distance?: SceneDistance | undefined;
  /** Navigation: the true state for privileged agents; never part of an observation. */
  readonly privileged?: PrivilegedView;
  /** Manipulation: the true state for privileged agents. */
  readonly manipulation?: ManipulationView | undefined;
  /** True if it records the facts in `ResetOptions.facts`; otherwise it decides success itself. */
  readonly recordsFacts?: boolean;
  /** Sensors that the benchmark requests and this simulator does not have; reported once per run. */
  readonly missingSensors?: readonly string[];
  /** Whether the same episode, seed and actions give bit-identical states. True if absent. */
  readonly deterministic?: boolean;
  /** What a perturbation of the current world changed; policies receive it instead of what the episode says. */
  readonly perturbed?: PerturbedWorld | undefined;
  /** The meaning of its numbers, in addition to the task's conventions. */
  readonly conventions?: TaskConventions;
  /**
   * The geometry of the current episode's scene, if only the simulator has it; otherwise undefined.
   *
   * @param known SHA-256 of files that need not be sent again
   */
  geometry?(known: ReadonlySet<string>): Promise<WorldGeometry | undefined>;
}

/** Parts of an episode that the world has otherwise. */
export interface PerturbedWorld {
  readonly start_state?: StartState;
  /** In the form of `task_config.scene_objects`. */
  readonly scene_objects?: readonly Readonly<Record<string, unknown>>[];
}

/** A scene as a MuJoCo model, for the viewer. */
export interface WorldGeometry {
  readonly mjcf: string;
  /** SHA-256 of the files that the model references, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** The content of the files that were not known, by SHA-256. */
  readonly assets: ReadonlyMap<string, Uint8Array>;
  /** The visible geom groups; MuJoCo's default if absent. */
  readonly groups?: readonly number[] | undefined;
}

/** The true state of a navigation simulator, for privileged agents (shortest-path). */
export interface PrivilegedView {
  place(): ScenePoint;
  /** Radians, 0 along -z, counter-clockwise. */
  heading(): number;
  /** The angle of one turn action, in radians. */
  readonly turnRad: number;
  /** Alternatives; reaching any one is enough. */
  goals(): readonly ScenePoint[];
  distance: SceneDistance;
  /** The shortest path from the current point to `to`, both included; empty when there is none. */
  shortestPath(to: ScenePoint): readonly ScenePoint[];
  /**
   * Where `move_forward` would lead from a place and heading (radians), with collisions and without actuation
   * noise; absent in simulators whose actions name the next node.
   */
  ahead?(from: ScenePoint, headingRad: number): ScenePoint;
}

/** A simulator's entry in the registry. */
export interface SimulatorFactory {
  readonly description: string;
  /** Task families it supports, for `backend: abstract`. */
  readonly families: readonly string[];
  readonly sensors: readonly string[];
  /** It always observes all its sensors, not only those of the task; a benchmark can switch them off. */
  readonly observesAll?: boolean;
  /** Colour cameras for films of benchmarks that configure no sensors. Default: the usual names among `sensors`. */
  readonly filmCameras?: readonly string[];
  /** Whether it has a sensor of this name and settings for a task. Default: whether `sensors` names it. */
  hasSensor?(name: string, settings: SensorConfig, task: BaseTask): boolean;
  /** The fields of the step state that metrics may need and that it records; any if absent. */
  readonly states?: readonly StateNeed[];
  /** The simulator axes that it applies, by the names in an episode's `task_config.randomization.axes`. */
  readonly axes?: readonly string[];
  /** True if its simulators record the facts that rules need and leave success to the rules. */
  readonly recordsFacts?: boolean;
  /** Throws a DataError if an episode lacks something that its rules name. */
  checkFacts?(needs: FactNeeds, episode: BaseEpisode, task: BaseTask): void;
  /**
   * Checks what the episodes need of this machine and of the robot's model, without running them. Slow checks may look
   * at a sample.
   */
  checkWorlds?(
    options: SimulatorOptions,
    episodes: readonly BaseEpisode[],
  ): Promise<readonly WorldProblem[]>;
  /** It requires navigation graphs, so `backend: abstract` skips it when there are none. */
  readonly needsGraphs?: boolean;
  /** Its worlds run in other processes, so that one of several simulators may fail to start. */
  readonly isRemote?: boolean;
  /** Checks the benchmark's `simulator:` section when it is loaded, so that an error can name its line. */
  readonly configSchema?: ZodType;
  create(options: SimulatorOptions): MaybePromise<BaseSimulator>;
}

/** Something that would make episodes invalid, or leave a requested sensor out. */
export interface WorldProblem {
  /** A warning does not keep episodes from running. */
  readonly level: "error" | "warning";
  readonly code: string;
  readonly message: string;
  readonly where?: string | undefined;
  readonly hint?: string | undefined;
}

export interface SimulatorOptions {
  readonly task: BaseTask;
  /** The task's name in the benchmark. */
  readonly taskName?: string | undefined;
  /** The benchmark's `simulator:` section; its `sensors`, if given, are exactly those to observe. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Navigation graphs by scene; absent when the benchmark has none. */
  readonly graphs?: GraphSource | undefined;
  /** Locates scene files; absent when the benchmark names no folder of scenes. */
  readonly scenes?: SceneSource | undefined;
  /** Folder for the logs of child processes. It resolves when the run starts, after simulators are created. */
  readonly logFolder?: Promise<string> | undefined;
}
