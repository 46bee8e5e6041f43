import type { ZodType } from "zod";
import type { BaseEpisode } from "../episode/base.js";
import type { Instruction } from "../episode/schemas.js";
import type { Action } from "../interfaces/action.js";
import type { Observation } from "../interfaces/observation.js";
import type { BaseTask } from "../task/base.js";
import type { Sensors } from "../task/sensors.js";
import type { ActionSpace } from "../task/types.js";

/**
 * One way to perturb episodes, in up to three levels of increasing strength. Level 0 is the unperturbed episode. A
 * perturbed episode differs from its original in this axis alone, so that the two can be compared as a pair.
 *
 * An axis changes the episode before the run (`perturb`), what passes between simulator and policy during it
 * (`channel`), or both. All randomness derives from the given seed, which does not depend on the level: a stronger
 * level pushes further in the same direction.
 *
 * @example
 * const mute: PerturbationAxis = {
 *   description: "no instruction",
 *   kind: "interface",
 *   parameter: "share of words removed",
 *   unit: "",
 *   neutral: 0,
 *   levels: [1],
 *   missing: () => undefined,
 *   channel: () => ({ instruction: () => ({ text: "" }) }),
 * };
 */
export interface PerturbationAxis {
  readonly description: string;
  /** `simulator` axes change the world, `interface` axes what passes between simulator and policy. */
  readonly kind: "simulator" | "interface";
  /** What the values of the levels measure. */
  readonly parameter: string;
  /** Unit of the parameter; empty if it has none. */
  readonly unit: string;
  /** The parameter's value at level 0. */
  readonly neutral: number;
  /** The parameter's values at levels 1, 2 and 3. */
  readonly levels: readonly number[];
  /** Checks `settings` of the perturbation; without it the axis has none. `file` is the path of a file. */
  readonly settings?: ZodType;
  /** Whether a perturbed episode may be impossible to solve; an expert then decides which pairs count. */
  readonly needsExpert?: boolean;
  /** True if it only changes images and other readings, which privileged agents do not use. */
  readonly isObserved?: boolean;
  /** Why the axis cannot perturb a task; undefined if it can. */
  missing(target: AxisTarget): string | undefined;
  /** Called before the run. @throws DataError if this episode cannot be perturbed */
  perturb?(episode: BaseEpisode, draw: EpisodeDraw): PerturbedEpisode;
  /** Opens the channel between simulator and policy for one episode. */
  channel?(draw: ChannelDraw): PolicyChannel;
  /** Control steps by which the policy's actions are delayed. */
  latencySteps?(value: number): number;
}

/** What an axis is to be applied to. */
export interface AxisTarget {
  readonly task: BaseTask;
  readonly simulatorName: string;
  /** Names of the simulator axes that the simulator applies. */
  readonly simulatorAxes: readonly string[];
  /** What the policy observes; null if only the running simulator knows. */
  readonly sensors: Sensors | null;
  /** Whether the benchmark simulates a latency of its own. */
  readonly hasLatency: boolean;
}

/** The strength and the randomness of one episode's perturbation. */
interface Draw {
  /** Value of the axis's parameter. */
  readonly value: number;
  /** f(benchmark seed, axis, episode key), the same at every level. */
  readonly seed: number;
}

export interface EpisodeDraw extends Draw {
  readonly level: number;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly episodeKey: string;
  /** All selected episodes of the task, unperturbed. */
  readonly episodes: readonly BaseEpisode[];
}

interface ChannelDraw extends Draw {
  /** What `perturb` returned. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

interface PerturbedEpisode {
  readonly episode: BaseEpisode;
  /** Drawn values, which are recorded and given to `channel`. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** Changes what passes between simulator and policy in one episode. Methods are called in the order of the steps. */
export interface PolicyChannel {
  instruction?(instruction: Instruction): Instruction;
  observe?(observation: Observation): Observation;
  act?(action: Action, space: ActionSpace): Action;
}
