import { STOP } from "../../core/interfaces/action.js";
import type { TaskConfig } from "../../core/task/base.js";
import {
  type BaseMoves,
  baseMoves,
  FORWARD_STEP_M,
  maxTurnRadps,
  TURN_ANGLE_DEG,
} from "../../robots/base-moves.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";

/** How a task drives the base of its robot. */
export interface Driving {
  readonly moves: BaseMoves;
  readonly forwardStepM: number;
  readonly turnAngleDeg: number;
  /** Limits of the two numbers that `base_velocity` appends to the action vector; undefined without it. */
  readonly velocity: readonly (readonly [low: number, high: number])[] | undefined;
  readonly maxForwardMps: number;
  readonly maxTurnRadps: number;
}

/** Undefined for a robot that does not drive. */
export function drivingOf(
  robot: RobotDescriptor | undefined,
  config: TaskConfig,
): Driving | undefined {
  const base = robot?.model?.base;
  if (!base) return undefined;
  const { forward_step, turn_angle, base_velocity } = config;
  const forwardStepM = typeof forward_step === "number" ? forward_step : FORWARD_STEP_M;
  const turnAngleDeg = typeof turn_angle === "number" ? turn_angle : TURN_ANGLE_DEG;
  const turn = maxTurnRadps(base);
  return {
    moves: baseMoves(forwardStepM, turnAngleDeg),
    forwardStepM,
    turnAngleDeg,
    velocity:
      base_velocity === true
        ? [
            [-base.wheelMps, base.wheelMps],
            [-turn, turn],
          ]
        : undefined,
    maxForwardMps: base.wheelMps,
    maxTurnRadps: turn,
  };
}

/** Names of hybrid action spaces. */
export function namedActions(driving: Driving | undefined): readonly string[] {
  return [STOP, ...(driving?.moves.keys() ?? [])];
}

/** What the names and the elements of the vector mean; tasks of robots that do not drive describe the vector only. */
export function actionSemantics(
  robot: RobotDescriptor,
  driving: Driving | undefined,
): Readonly<Record<string, string>> {
  const vector = dofSemantics(robot);
  if (!driving) return vector;
  const { forwardStepM, turnAngleDeg, velocity } = driving;
  const until = "or until the robot touches something that cannot move";
  return {
    stop: "end the episode here",
    move_forward: `drive ${forwardStepM} m ahead, ${until}`,
    move_backward: `drive ${forwardStepM} m back, ${until}`,
    turn_left: `turn ${turnAngleDeg} degrees to the left, ${until}`,
    turn_right: `turn ${turnAngleDeg} degrees to the right, ${until}`,
    ...vector,
    ...(velocity ? velocitySemantics(robot.dofs.length, driving) : {}),
  };
}

function velocitySemantics(
  at: number,
  { maxForwardMps, maxTurnRadps }: Driving,
): Readonly<Record<string, string>> {
  return {
    [`action[${at}]`]: `base_forward: m/s ahead, at most ${maxForwardMps}`,
    [`action[${at + 1}]`]: `base_turn: rad/s to the left, at most ${maxTurnRadps.toFixed(2)}; less while driving ahead`,
  };
}

/** The degree of freedom of each element of the action vector. */
function dofSemantics(robot: RobotDescriptor): Readonly<Record<string, string>> {
  return Object.fromEntries(
    robot.dofs.map((dof, i) => [
      `action[${i}]`,
      `${dof.name}: ${dof.joints.join(" + ")}, ${dof.limits[0]} .. ${dof.limits[1]}`,
    ]),
  );
}
