import type { MjcfFragment } from "../core/mjcf/fragment.js";

/** What a joint's numbers mean: metres for sliding joints, radians for turning ones. */
type JointUnit = "m" | "rad";

export interface JointDescriptor {
  readonly name: string;
  readonly unit: JointUnit;
  readonly limits: readonly [low: number, high: number];
}

/** One number of an action. Several joints that one actuator moves together are one degree of freedom. */
export interface DofDescriptor {
  readonly name: string;
  readonly joints: readonly string[];
  readonly limits: readonly [low: number, high: number];
}

/** A robot's body as an MJCF file with its meshes: an absolute path or a `file:` URL. */
export interface RobotFile {
  readonly file: string | URL;
}

/** A robot's body in MuJoCo, and where its parts are in it. Names are those of the MJCF. */
export interface RobotModel {
  /**
   * The robot at the origin of the world, z up, looking along +x; it is put where the episode's base pose says.
   * A fragment's `worldbody` holds one body. Absent for a robot that stands in the scene's own file.
   */
  readonly mjcf?: MjcfFragment | RobotFile | undefined;
  /** Of each degree of freedom its actuator, whose control is the number that the degree should have. */
  readonly actuators: readonly string[];
  /** A number each: how the robot starts where an episode says nothing; the gripper open. */
  readonly home: readonly number[];
  /** The site between the fingers, its x axis along them, away from the hand. */
  readonly endEffectorSite: string;
  readonly gripper: {
    /** Values of the gripper's degree of freedom. */
    readonly open: number;
    readonly closed: number;
    /** Geoms that touch what is held, one list a finger. */
    readonly fingers: readonly [readonly string[], readonly string[]];
    /** Metres between the pads when open. */
    readonly openingM: number;
  };
  /** A robot without one of them gives no pictures of it. */
  readonly cameras: {
    readonly head?: string | undefined;
    readonly wrist?: string | undefined;
  };
}

/** The robot's body where it is made of elements, and not read from a file. */
export function fragmentOf({ model }: RobotDescriptor): MjcfFragment | undefined {
  return model?.mjcf && !("file" in model.mjcf) ? model.mjcf : undefined;
}

/** The file of the robot's body, where it has one. */
export function robotFileOf({ model }: RobotDescriptor): string | URL | undefined {
  return model?.mjcf && "file" in model.mjcf ? model.mjcf.file : undefined;
}

/** A robot as data: adding one is adding one of these. */
export interface RobotDescriptor {
  readonly robotType: string;
  readonly description: string;
  readonly joints: readonly JointDescriptor[];
  /** In the order of the action vector. */
  readonly dofs: readonly DofDescriptor[];
  /** Index of the gripper in `dofs`. */
  readonly gripperDof: number;
  /** Absent for a robot that is known by name only: it can be scored, not simulated. */
  readonly model?: RobotModel;
}

/** The action vector's length. */
export function dofOf(robot: RobotDescriptor): number {
  return robot.dofs.length;
}

/**
 * A degree of freedom over coupled sliding joints reaches as far as their sum; over a single joint,
 * exactly as far as that joint.
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
