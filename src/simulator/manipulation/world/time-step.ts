import type { BaseEpisode } from "../../../core/episode/base.js";
import { DataError } from "../../../core/errors.js";
import { TIMESTEP_S } from "../mjcf/compose.js";
import { episodeError } from "./task-config.js";
import type { WorldDocuments } from "./world.js";

/** The physics steps of one action. */
export interface ControlSteps {
  /** Seconds per physics step. */
  readonly timestepS: number;
  /** Physics steps per action. */
  readonly substeps: number;
}

/** Allowed relative difference between an action and the sum of its steps. */
const TOLERANCE = 1e-6;

/** More steps per action would block the thread for minutes. */
const MAX_SUBSTEPS = 1000;

/**
 * The time step is the episode's, else that of the scene file with the robot, else at most 2 ms. An action must be a
 * whole number of steps; otherwise all durations would be wrong.
 */
export function controlSteps(
  episode: BaseEpisode,
  controlHz: number,
  { scene, robotInScene }: WorldDocuments = {},
): ControlSteps {
  const periodS = 1 / controlHz;
  const { time_step } = episode.simParams;
  const given = time_step ?? (robotInScene ? scene?.timestepS : undefined);
  const timestepS = given ?? TIMESTEP_S;
  const count = periodS / timestepS;
  const whole = Math.max(1, Math.round(count));
  if (whole > MAX_SUBSTEPS) {
    const problem = `a step of ${given} s makes ${whole} steps per action; at most ${MAX_SUBSTEPS} are allowed`;
    throw episodeError(
      episode,
      "sim_params.time_step",
      problem,
      `give a step of at least ${seconds(periodS / MAX_SUBSTEPS)} s`,
    );
  }
  if (Math.abs(count - whole) <= TOLERANCE * whole) return { timestepS, substeps: whole };
  if (given === undefined) {
    const substeps = Math.ceil(count);
    return { timestepS: periodS / substeps, substeps };
  }
  const rate = `an action lasts ${seconds(periodS)} s at control_hz ${controlHz}`;
  const problem =
    count < 1
      ? `a step of ${given} s is longer than an action: ${rate}`
      : `a step of ${given} s does not divide an action into whole steps (${seconds(count)}): ${rate}`;
  const fits = [...new Set([Math.floor(count), Math.ceil(count)])]
    .filter((steps) => steps >= 1)
    .map((steps) => `${seconds(periodS / steps)} (${steps} ${steps === 1 ? "step" : "steps"})`)
    .join(" or ");
  if (time_step !== undefined) {
    throw episodeError(episode, "sim_params.time_step", problem, `use ${fits}`);
  }
  throw new DataError("bad_time_step", problem, {
    where: `${scene?.path}, <option timestep>`,
    hint: `change the file, or set sim_params.time_step of the episode to ${fits}`,
  });
}

/** Nine digits, which hides rounding errors. */
function seconds(x: number): string {
  return String(Number(x.toPrecision(9)));
}
