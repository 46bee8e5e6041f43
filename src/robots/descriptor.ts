import type { MjcfElement } from "../core/mjcf/element.js";
import type { MjcfFragment } from "../core/mjcf/fragment.js";
import type { Drive } from "./drive.js";

/** Unit of a joint's values: metres for sliding joints, radians for rotating ones. */
type JointUnit = "m" | "rad";

export interface JointDescriptor {
  readonly name: string;
  readonly unit: JointUnit;
  readonly limits: readonly [low: number, high: number];
}

/** One component of the action vector. Joints that one actuator moves together are one degree of freedom. */
export interface DofDescriptor {
  readonly name: string;
  readonly joints: readonly string[];
  readonly limits: readonly [low: number, high: number];
}

/** A robot model as an MJCF file with its meshes: an absolute path or a `file:` URL. */
interface RobotFile {
  readonly file: string | URL;
}

/**
 * A base on two driven wheels, as velocity-level kinematics: actuators move the base along its x axis and turn it, and a
 * third one keeps it from sliding sideways. All are limited in force, so that what the robot hits stops it.
 */
export interface WheeledBase {
  /**
   * The base's pose in the world: x, y in metres and rotation about z in radians, without limits. They are not degrees
   * of freedom of the action vector.
   */
  readonly joints: readonly [x: string, y: string, yaw: string];
  /** Velocity servos in the base's frame: m/s ahead, m/s to the left (always 0), rad/s to the left. */
  readonly actuators: readonly [forward: string, sideways: string, turn: string];
  /** Distance between the wheels. */
  readonly trackM: number;
  /** Limits of each wheel's speed over the ground and of its change. */
  readonly wheelMps: number;
  readonly wheelMps2: number;
}

/** A robot's MuJoCo model and the names of its parts in the MJCF. */
export interface RobotModel {
  /**
   * The robot at the world origin, z up, facing +x; it is placed at the episode's base pose. The `worldbody` of a
   * fragment contains one body. Absent for a robot that is part of the scene file.
   */
  readonly mjcf?: MjcfFragment | RobotFile | undefined;
  /**
   * Elements added to bodies of a model file, by the body's name: a site for the end effector or a camera that a
   * published model lacks.
   */
  readonly additions?: Readonly<Record<string, readonly MjcfElement[]>> | undefined;
  /** The actuator of each degree of freedom: a position servo whose control is the target value. */
  readonly actuators: readonly string[];
  /** Actuators other than such a servo, keyed by the name of the degree of freedom. */
  readonly drives?: Readonly<Record<string, Drive>> | undefined;
  /** Default initial value of each degree of freedom, with the gripper open. */
  readonly home: readonly number[];
  /** The site between the fingers, with its x axis along them, away from the hand. */
  readonly endEffectorSite: string;
  /** Only for a robot that drives: placed by these joints at the episode's base pose. */
  readonly base?: WheeledBase | undefined;
  /** Absent for a robot without a gripper. */
  readonly gripper?: RobotGripper | undefined;
  /** Each camera is optional. */
  readonly cameras?: {
    readonly head?: string | undefined;
    readonly wrist?: string | undefined;
  };
}

interface RobotGripper {
  /** Value of the gripper's degree of freedom when open. */
  readonly open: number;
  readonly closed: number;
  /** Geoms that touch a held object, or bodies for all their geoms, one list per finger. */
  readonly fingers: readonly [readonly string[], readonly string[]];
  /** Distance between the pads when open, in metres. */
  readonly openingM: number;
}

/** The robot's model if it is built from MJCF elements and not read from a file. */
export function fragmentOf({ model }: RobotDescriptor): MjcfFragment | undefined {
  return model?.mjcf && !("file" in model.mjcf) ? model.mjcf : undefined;
}

/** The robot's model file, if it has one. */
export function robotFileOf({ model }: RobotDescriptor): string | URL | undefined {
  return model?.mjcf && "file" in model.mjcf ? model.mjcf.file : undefined;
}

/** Describes a robot. To add a robot, add a descriptor. */
export interface RobotDescriptor {
  readonly robotType: string;
  readonly description: string;
  readonly joints: readonly JointDescriptor[];
  /** In the order of the action vector. */
  readonly dofs: readonly DofDescriptor[];
  /** Index of the gripper in `dofs`; absent for a robot without a gripper. */
  readonly gripperDof?: number | undefined;
  /** Absent for a robot that can be scored but not simulated. */
  readonly model?: RobotModel;
}

/** A robot that can be simulated and has a gripper, as all built-in ones. */
export interface GripperRobot extends RobotDescriptor {
  readonly gripperDof: number;
  readonly model: RobotModel & { readonly gripper: RobotGripper };
}

/** Length of the action vector. */
export function dofOf(robot: RobotDescriptor): number {
  return robot.dofs.length;
}

/**
 * The range of a degree of freedom over coupled sliding joints is the sum of theirs; over a single joint, it is
 * that of the joint.
 */
export function dofFrom(name: string, joints: readonly JointDescriptor[]): DofDescriptor {
  return {
    name,
    joints: joints.map((joint) => joint.name),
    limits: [
      joints.reduce((sum, joint) => sum + joint.limits[0], 0),
      joints.reduce((sum, joint) => sum + joint.limits[1], 0),
    ],
  };
}
