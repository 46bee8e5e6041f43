import type { BaseEpisode } from "../../../core/episode/base.js";
import { DataError } from "../../../core/errors.js";
import { TIMESTEP_S } from "../mjcf/compose.js";
import { badWorld } from "./task-config.js";
import type { WorldDocuments } from "./world.js";

/** How physics steps make up an action. */
export interface ControlSteps {
  /** Seconds of one step. */
  readonly timestepS: number;
  /** Steps an action. */
  readonly substeps: number;
}

/** By this share of an action its steps may come out long or short. */
const TOLERANCE = 1e-6;

/** Steps an action: more take minutes, and nothing else runs in that time. */
const MOST_STEPS = 1000;

/**
 * The steps of an action: as long as the episode says, else as the file that the robot stands in, else 2 ms or
 * what is just below and fits. An action that is no whole number of steps would make every duration wrong.
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
  if (whole > MOST_STEPS) {
    const problem = `a step of ${given} s makes ${whole} steps an action, more than ${MOST_STEPS}`;
    throw badWorld(
      episode,
      "sim_params.time_step",
      problem,
      `give a step of at least ${seconds(periodS / MOST_STEPS)} s`,
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
      : `a step of ${given} s does not divide an action, it would take ${seconds(count)} of them: ${rate}`;
  const fits = [...new Set([Math.floor(count), Math.ceil(count)])]
    .filter((steps) => steps >= 1)
    .map((steps) => `${seconds(periodS / steps)} (${steps} ${steps === 1 ? "step" : "steps"})`)
    .join(" or ");
  if (time_step !== undefined) {
    throw badWorld(episode, "sim_params.time_step", problem, `what would fit: ${fits}`);
  }
  throw new DataError("bad_time_step", problem, {
    where: `${scene?.path}, <option timestep>`,
    hint: `change the file, or give the episode sim_params.time_step: ${fits}`,
  });
}

/** To nine digits: enough for a step that fits, without a tail of rounding. */
function seconds(x: number): string {
  return String(Number(x.toPrecision(9)));
}
