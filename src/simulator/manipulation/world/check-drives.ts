import {
  type DofDescriptor,
  fragmentOf,
  type RobotDescriptor,
} from "../../../robots/descriptor.js";
import { driveOf, isMotorDrive, type MappedDrive } from "../../../robots/drive.js";
import type { ActuatorInfo } from "../physics/model/inspect.js";
import type { Physics } from "../physics/physics.js";
import { jointPositions } from "./place-robot.js";

/** A difference between a robot's descriptor and the model. */
export interface Misfit {
  readonly problem: string;
  readonly hint: string;
}

/** Share of the range by which controls may differ: published descriptors are rounded. */
const TOLERANCE = 0.02;

/** Robots that bring the same model into every world, and whose actuators were compared with it. */
const known = new WeakSet<RobotDescriptor>();

/**
 * Actuators that the robot's descriptor would drive wrongly: motors without gains, gains for something else than a
 * motor, and servos whose control is not the value of their degree of freedom. All joints and actuators must exist.
 */
export function driveMisfits(physics: Physics, robot: RobotDescriptor): readonly Misfit[] {
  const { model } = robot;
  if (!model || known.has(robot)) return [];
  const inspector = physics.inspect();
  const misfits = robot.dofs.flatMap((dof, i): readonly Misfit[] => {
    const actuator = model.actuators[i];
    if (actuator === undefined) return [];
    const what = `the actuator "${actuator}" of ${dof.name} of the robot ${robot.robotType}`;
    const info = inspector.actuator(actuator);
    const drive = driveOf(model, dof);
    if (isMotorDrive(drive)) return motorMisfits(what, dof, info);
    if (!info.isServo) {
      const key = `model.drives.${dof.name}`;
      const hint = info.isMotor
        ? `set ${key} to { kp, kd } for position control over the motor, or make it a <position> actuator`
        : "make it a <position> actuator, or a <motor> with gains in model.drives";
      return [{ problem: `${what} is not a position servo`, hint }];
    }
    const range = physics.controlRange(actuator);
    if (drive) return range ? rangeMisfits(what, dof, drive.controls, range) : [];
    const rest = dof.limits.map((value) => {
      const values = model.home.map((home, at) => (at === i ? value : home));
      const positions = jointPositions(physics, robot, values);
      const scratch = physics.scratch();
      scratch.setJoints([...positions.keys()], [...positions.values()]);
      return info.controlAtRest(scratch.actuatorLength(actuator));
    });
    return servoMisfits(what, dof, rest, range);
  });
  if (misfits.length === 0 && fragmentOf(robot)) known.add(robot);
  return misfits;
}

function motorMisfits(
  what: string,
  { name, joints }: DofDescriptor,
  { isMotor, joint }: ActuatorInfo,
): readonly Misfit[] {
  const key = `model.drives.${name}`;
  if (!isMotor) {
    const problem = `${key} has gains for a motor, but ${what} is not a motor`;
    return [{ problem, hint: `remove ${key}, or make the actuator a <motor>` }];
  }
  if (joints.length === 1 && joint === joints[0]) return [];
  const problem = `${what} does not drive the joint "${joints[0]}" alone`;
  return [{ problem, hint: `gains in ${key} need a <motor> on the only joint of ${name}` }];
}

/** A servo without a mapping: its control must be the value of the degree of freedom, over the whole range. */
function servoMisfits(
  what: string,
  dof: DofDescriptor,
  rest: readonly (number | undefined)[],
  range: readonly [number, number] | undefined,
): readonly Misfit[] {
  const [low, high] = dof.limits;
  const off = TOLERANCE * (high - low);
  const [atLow, atHigh] = rest;
  if (atLow === undefined || atHigh === undefined) return [];
  if (Math.abs(atLow - low) > off || Math.abs(atHigh - high) > off) {
    const controls = `[${round(atLow)}, ${round(atHigh)}]`;
    return [
      {
        problem: `${what} needs the controls ${controls} to rest at the limits [${low}, ${high}], so its control is not the value of ${dof.name}`,
        hint: `set model.drives.${dof.name} to { positions: [${low}, ${high}], controls: ${controls} }`,
      },
    ];
  }
  return range ? rangeMisfits(what, dof, dof.limits, range) : [];
}

function rangeMisfits(
  what: string,
  { name }: DofDescriptor,
  controls: MappedDrive["controls"],
  [low, high]: readonly [number, number],
): readonly Misfit[] {
  const off = TOLERANCE * (high - low);
  if (controls.every((control) => control >= low - off && control <= high + off)) return [];
  return [
    {
      problem: `${what} accepts controls from ${low} to ${high} only, but gets those from ${Math.min(...controls)} to ${Math.max(...controls)}`,
      hint: `narrow the limits of ${name}, or map them with model.drives.${name}`,
    },
  ];
}

function round(x: number): number {
  return Number(x.toPrecision(4));
}
