import type { EpisodeEnd } from "../../core/task/base.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";

/** Minimum number of steps at a limit for it to be reported. */
const MIN_STEPS = 20;

/** Share of the range within which a limit counts as reached. */
const NEAR = 0.01;

/** A degree of freedom with the task's limits. */
export interface LimitedDof {
  readonly name: string;
  readonly unit: "m" | "rad";
  readonly limits: readonly [low: number, high: number];
}

/** The robot's degrees of freedom; undefined for the gripper, which is at its limit whenever it is open. */
export function limitedDofs(
  robot: RobotDescriptor,
  limitsOf: (dof: number) => readonly [number, number] | undefined,
): readonly (LimitedDof | undefined)[] {
  const units = new Map(robot.joints.map(({ name, unit }) => [name, unit]));
  return robot.dofs.map(({ name, joints, limits }, i) =>
    i === robot.gripperDof
      ? undefined
      : { name, unit: units.get(joints[0] ?? "") ?? "rad", limits: limitsOf(i) ?? limits },
  );
}

/**
 * Describes a joint that was pushed against its limit until the end; undefined if there is none. A joint that was at its
 * limit from the start only counts if actions tried to move it further.
 */
export function jointLimit(
  end: EpisodeEnd,
  dofs: readonly (LimitedDof | undefined)[],
  mode: unknown,
): string | undefined {
  const { handling, lastState, steps } = end;
  const { qpos } = lastState;
  if (!handling || !qpos || qpos.length !== dofs.length) return undefined;
  const action = typeof handling.lastAction === "string" ? null : handling.lastAction;
  for (const [i, dof] of dofs.entries()) {
    const value = qpos[i];
    const still = handling.stillSteps[i] ?? 0;
    if (!dof || value === undefined || still < MIN_STEPS) continue;
    const [low, high] = dof.limits;
    const near = NEAR * (high - low);
    const side = value >= high - near ? 1 : value <= low + near ? -1 : 0;
    if (side === 0) continue;
    const limit = side > 0 ? high : low;
    const asked = beyond(action?.[i], mode, side, limit);
    if (asked === "past" || (asked === "to" && still < steps)) {
      // Adding 0 turns -0 into 0.
      const at = (Math.round(value * 100) / 100 + 0).toFixed(2);
      return `joint limit: ${dof.name} at ${at} ${dof.unit} for the last ${still} steps`;
    }
  }
  return undefined;
}

/** The direction in which an action moves a joint at its limit; actions of `ee_delta_pose` do not address joints. */
function beyond(
  value: number | undefined,
  mode: unknown,
  side: 1 | -1,
  limit: number,
): "past" | "to" | "away" {
  if (mode === "ee_delta_pose" || value === undefined) return "to";
  if (mode === "joint_delta") return value * side > 0 ? "past" : value === 0 ? "to" : "away";
  const over = (value - limit) * side;
  return over > 1e-9 ? "past" : over > -1e-3 ? "to" : "away";
}
