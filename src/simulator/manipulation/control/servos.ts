import type { RobotDescriptor } from "../../../robots/descriptor.js";
import {
  controlAt,
  driveOf,
  isMotorDrive,
  type MotorDrive,
  positionAt,
} from "../../../robots/drive.js";
import type { Physics } from "../physics/physics.js";
import { limitDof, modelOf } from "./dofs.js";

/** The targets of a robot's degrees of freedom, and the controls that drive its actuators to them. */
export class Servos {
  readonly #physics: Physics;
  readonly #robot: RobotDescriptor;
  readonly #motors: ReadonlyMap<number, Motor>;

  /** The robot is at its initial position, which becomes the target of motors. */
  constructor(physics: Physics, robot: RobotDescriptor) {
    this.#physics = physics;
    this.#robot = robot;
    const model = modelOf(robot);
    this.#motors = new Map(
      robot.dofs.flatMap((dof, i) => {
        const drive = driveOf(model, dof);
        const [actuator, [joint]] = [model.actuators[i], dof.joints];
        if (!isMotorDrive(drive) || actuator === undefined || joint === undefined) return [];
        return [[i, new Motor(physics, actuator, joint, drive)] as const];
      }),
    );
  }

  target(dof: number): number {
    const motor = this.#motors.get(dof);
    if (motor) return motor.target;
    const { actuator, mapping } = this.#servo(dof);
    const control = this.#physics.control(actuator);
    return mapping ? positionAt(mapping, control) : control;
  }

  /** Clamps the target to the limits of the degree of freedom. */
  setTarget(dof: number, value: number): void {
    const target = limitDof(this.#robot, dof, value);
    const motor = this.#motors.get(dof);
    if (motor) {
      motor.target = target;
      return;
    }
    const { actuator, mapping } = this.#servo(dof);
    this.#physics.setControl(actuator, mapping ? controlAt(mapping, target) : target);
  }

  /** To be called before each physics step; undefined without motors. */
  get beforeStep(): (() => void) | undefined {
    if (this.#motors.size === 0) return undefined;
    return () => {
      for (const motor of this.#motors.values()) motor.drive();
    };
  }

  #servo(dof: number) {
    const model = modelOf(this.#robot);
    const own = this.#robot.dofs[dof];
    const drive = own && driveOf(model, own);
    const mapping = isMotorDrive(drive) ? undefined : drive;
    return { actuator: model.actuators[dof] ?? "", mapping };
  }
}

/** A proportional-derivative controller of one joint over a motor. */
class Motor {
  target: number;
  readonly #physics: Physics;
  readonly #actuator: string;
  readonly #joint: string;
  readonly #drive: MotorDrive;
  /** Force or torque at the joint per unit of control. */
  readonly #gear: number;
  readonly #range: readonly [number, number];

  constructor(physics: Physics, actuator: string, joint: string, drive: MotorDrive) {
    this.#physics = physics;
    this.#actuator = actuator;
    this.#joint = joint;
    this.#drive = drive;
    this.#gear = physics.inspect().actuator(actuator).forcePerControl;
    this.#range = physics.controlRange(actuator) ?? [-Infinity, Infinity];
    this.target = physics.joint(joint);
  }

  drive(): void {
    const { kp, kd, maxForce = Infinity, compensateGravity } = this.#drive;
    const physics = this.#physics;
    const joint = this.#joint;
    const wanted =
      kp * (this.target - physics.joint(joint)) -
      kd * physics.jointVelocity(joint) +
      (compensateGravity ? physics.jointBias(joint) : 0);
    const force = Math.min(maxForce, Math.max(-maxForce, wanted));
    const [low, high] = this.#range;
    physics.setControl(this.#actuator, Math.min(high, Math.max(low, force / this.#gear)));
  }
}
