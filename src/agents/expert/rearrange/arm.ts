import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import type { Vec3 } from "../../../core/math/vec3.js";

/** Indices of Stretch's degrees of freedom in the action vector. */
export interface ArmDofs {
  readonly lift: number;
  readonly arm: number;
  readonly yaw: number;
  readonly pitch: number;
}

export interface ArmJoints {
  readonly lift: number;
  readonly arm: number;
  readonly yaw: number;
  readonly pitch: number;
}

/** Where the hand is, in the frame of the base: x ahead, y to the left. */
interface Reach {
  /** The vertical axis of the wrist at arm 0. */
  readonly wrist: readonly [x: number, y: number];
  /** Horizontal distance of the grasp from that axis. */
  readonly radiusM: number;
  /** Height of the grasp at lift 0. */
  readonly heightM: number;
}

/** Height of the arm above level fingers. */
const ARM_ABOVE_M = 0.05;
/** Values of the wrist at which two poses of the hand are opposite to each other. */
const OPPOSITE = [0, Math.PI] as const;

/**
 * Closed-form inverse kinematics of Stretch's arm on a base that stands still. The lift raises the hand, the arm moves
 * it to the robot's right (-y), and the wrist turns it about a vertical axis; the fingers have a fixed pitch. Each
 * target has at most one solution with the fingers away from the robot.
 */
export class Arm {
  readonly #kinematics: (joints: ArmJoints) => Pose3;
  readonly #limits: (joint: keyof ArmJoints) => readonly [number, number];
  readonly #reaches = new Map<number, Reach>();

  /** @param kinematics forward, in the frame of the base */
  constructor(
    kinematics: (joints: ArmJoints) => Pose3,
    limits: (joint: keyof ArmJoints) => readonly [number, number],
  ) {
    this.#kinematics = kinematics;
    this.#limits = limits;
  }

  /** The joints that bring the grasp to a point in the frame of the base; undefined if it is out of reach. */
  solve([x, y, z]: Vec3, pitch: number): ArmJoints | undefined {
    const { wrist, radiusM, heightM } = this.#reach(pitch);
    const sine = (x - wrist[0]) / radiusM;
    if (Math.abs(sine) >= 1) return undefined;
    const yaw = Math.asin(sine);
    const joints = {
      lift: z - heightM,
      arm: wrist[1] - radiusM * Math.cos(yaw) - y,
      yaw,
      pitch,
    };
    return this.isWithin(joints) ? joints : undefined;
  }

  isWithin(joints: ArmJoints): boolean {
    return (["lift", "arm", "yaw", "pitch"] as const).every((joint) => {
      const [low, high] = this.#limits(joint);
      return joints[joint] >= low && joints[joint] <= high;
    });
  }

  /** The highest lift that is at most so much higher. */
  raised({ lift }: ArmJoints, byM: number): number {
    return Math.min(lift + byM, this.#limits("lift")[1]);
  }

  /** The grasp in the frame of the base, or a point farther along the hand. */
  handAt({ lift, arm, yaw, pitch }: ArmJoints, beyondM = 0): Vec3 {
    const { wrist, radiusM, heightM } = this.#reach(pitch);
    const out = radiusM + beyondM;
    return [wrist[0] + out * Math.sin(yaw), wrist[1] - arm - out * Math.cos(yaw), lift + heightM];
  }

  /** The axis about which the hand is pitched, at the end of the arm. */
  wristAt({ lift, arm, pitch }: ArmJoints): Vec3 {
    const { wrist } = this.#reach(pitch);
    return [wrist[0], wrist[1] - arm, lift + this.#reach(0).heightM];
  }

  /** Height of the arm itself, which is above the fingers if they point down. */
  heightM({ lift }: ArmJoints): number {
    return this.#reach(0).heightM + lift + ARM_ABOVE_M;
  }

  #reach(pitch: number): Reach {
    const known = this.#reaches.get(pitch);
    if (known) return known;
    const [a, b] = OPPOSITE.map(
      (yaw) => this.#kinematics({ lift: 0, arm: 0, yaw, pitch }).position,
    ) as [Vec3, Vec3];
    const reach: Reach = {
      wrist: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2],
      radiusM: Math.hypot(a[0] - b[0], a[1] - b[1]) / 2,
      heightM: a[2],
    };
    this.#reaches.set(pitch, reach);
    return reach;
  }
}

export type FlatPose = readonly [x: number, y: number, theta: number];

/** A point of the world in the frame of a base. */
export function inBase([x, y, theta]: FlatPose, [px, py, pz]: Vec3): Vec3 {
  const [c, s] = [Math.cos(theta), Math.sin(theta)];
  return [c * (px - x) + s * (py - y), c * (py - y) - s * (px - x), pz];
}

/** The inverse of `inBase`. */
export function inWorld([x, y, theta]: FlatPose, [px, py, pz]: Vec3): Vec3 {
  const [c, s] = [Math.cos(theta), Math.sin(theta)];
  return [x + c * px - s * py, y + s * px + c * py, pz];
}
