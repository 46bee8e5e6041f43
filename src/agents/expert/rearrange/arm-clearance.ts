import type { ViewPlace } from "../../../core/interfaces/manipulation-view.js";
import { add, scale, subtract, type Vec3 } from "../../../core/math/vec3.js";
import { type Arm, type ArmJoints, type FlatPose, inWorld } from "./arm.js";

/** Half the width of the hand, and the room above the arm. */
const ARM_HALF_M = 0.06;
const ARM_ROOM_M = 0.08;
/** Radius around the base that contains the robot while its hand is folded back. */
const ROBOT_M = 0.36;
/** Heights above the working height at which the hand may turn out; the lowest one that is clear is used. */
const RAISES_M = [0, 0.1, 0.2, 0.3, 0.4] as const;
/** Angle of the wrist beyond which the hand is folded back over the base. */
const FOLDED_RAD = 2.2;
/** Distance between points of the arc at which the hand is examined. */
const ARC_RAD = 0.35;
/** Height by which rays start above the bottom of a held object, so that they do not hit its support. */
const BOTTOM_M = 0.01;
/** Half the thickness of the hand, and the share of its length near the grasp that has room wherever an object has. */
const HAND_HALF_M = 0.04;
const FREE_HAND = 0.3;
/** The fingertips are this far beyond the grasp. */
const TIPS_M = 0.06;

/** What the arm has to pass on its way to a point. */
export interface Approach {
  readonly base: FlatPose;
  /** The point, under the hand at `hover`. */
  readonly point: Vec3;
  readonly hover: ArmJoints;
  /** Where the hand grasps or lets go. */
  readonly at: ArmJoints;
  /** Height of the object above the point, where a ray down to the point ends. */
  readonly aboveM: number;
  /** Whether the hand reaches into something, such as a drawer, whose sides it must not touch. */
  readonly isInside?: boolean;
  /** Radius of the object at the point, if the arm moves beside it. */
  readonly besideM?: number;
  /** What hangs below the grasp and how far it reaches around it. */
  readonly held?: { readonly below: number; readonly radiusM: number };
}

/** Finds collision-free motions of the arm with rays. */
export class ArmClearance {
  constructor(
    private readonly place: Pick<ViewPlace, "isClear">,
    private readonly arm: Arm,
  ) {}

  /**
   * The lift at which the hand is turned out and the arm extended, from where it is lowered to `hover` and `at`; undefined
   * if something is in the way at all of them.
   */
  liftFor(approach: Approach): number | undefined {
    const { hover, at } = approach;
    if (!this.#isArmClear(approach, at) || !this.#isWayClear(approach, hover)) return undefined;
    if (approach.isInside && !this.#isHandClear(approach, at)) return undefined;
    for (const raiseM of RAISES_M) {
      const raised = { ...hover, lift: hover.lift + raiseM };
      if (!this.arm.isWithin(raised) || !this.#isOverClear(approach, raised)) return undefined;
      const isClear = raiseM === 0 || this.#isWayClear(approach, raised);
      if (isClear && this.#isTurnClear(approach, raised)) return raised.lift;
    }
    return undefined;
  }

  /** Whether there is room over the point, from the arm at its work to the raised arm. */
  #isOverClear({ base, point, hover, aboveM, besideM }: Approach, raised: ArmJoints): boolean {
    if (besideM !== undefined) return true;
    const [armM, raisedM] = [this.arm.heightM(hover), this.arm.heightM(raised)];
    const topM = Math.max(raisedM, point[2] + aboveM) + ARM_ROOM_M;
    return sides(base, point).every(([x, y]) => this.place.isClear([x, y, topM], [x, y, armM]));
  }

  /** Whether arm, hand and what it holds have room on the way from the base to the point. */
  #isWayClear(approach: Approach, joints: ArmJoints): boolean {
    const handM = this.arm.handAt(joints)[2];
    const heights = bottoms(approach).map((aboveM) => handM + aboveM);
    return (
      this.#isArmClear(approach, joints) &&
      heights.every((heightM) => this.#isLineClear(approach, heightM))
    );
  }

  #isArmClear(approach: Approach, joints: ArmJoints): boolean {
    return this.#isLineClear(approach, this.arm.heightM(joints));
  }

  /** Whether the hand, which slopes from the wrist down to the point, has room below it and on both sides. */
  #isHandClear({ base, point }: Approach, at: ArmJoints): boolean {
    const [wrist, grasp] = [this.arm.wristAt(at), this.arm.handAt(at)].map((own) =>
      inWorld(base, own),
    ) as [Vec3, Vec3];
    const along = subtract(wrist, grasp);
    const lengthM = Math.hypot(...along);
    const levelM = Math.hypot(along[0], along[1]);
    // Across the hand, down and towards the robot.
    const below: Vec3 = [
      (along[0] / levelM) * (along[2] / lengthM) * HAND_HALF_M,
      (along[1] / levelM) * (along[2] / lengthM) * HAND_HALF_M,
      (-levelM / lengthM) * HAND_HALF_M,
    ];
    return sides(base, point).every(([x, y]) => {
      const aside: Vec3 = [x - point[0], y - point[1], 0];
      const from = add(add(add(grasp, scale(along, FREE_HAND)), below), aside);
      return this.place.isClear(add(add(wrist, below), aside), from);
    });
  }

  #isLineClear({ base, point, besideM = 0 }: Approach, heightM: number): boolean {
    const back = Math.hypot(base[0] - point[0], base[1] - point[1]);
    const [from, to] = [besideM / back, Math.max(0, back - ROBOT_M) / back];
    if (to <= from) return true;
    const along = ([x, y]: readonly [number, number], share: number): Vec3 => [
      x + share * (base[0] - point[0]),
      y + share * (base[1] - point[1]),
      heightM,
    ];
    return sides(base, point).every((side) =>
      this.place.isClear(along(side, from), along(side, to)),
    );
  }

  /** Whether the hand, and what it holds, has room while it turns out with the arm retracted. */
  #isTurnClear(approach: Approach, joints: ArmJoints): boolean {
    const { base, held } = approach;
    const aroundM = Math.max(TIPS_M, held?.radiusM ?? 0);
    const parts = Math.max(1, Math.ceil((FOLDED_RAD - joints.yaw) / ARC_RAD));
    const arc = Array.from({ length: parts + 1 }, (_, i) => {
      const yaw = joints.yaw + (i / parts) * (FOLDED_RAD - joints.yaw);
      return inWorld(base, this.arm.handAt({ ...joints, arm: 0, yaw }, aroundM));
    });
    return bottoms(approach).every((aboveM) =>
      arc
        .slice(1)
        .every((to, i) => this.place.isClear(higher(arc[i] ?? to, aboveM), higher(to, aboveM))),
    );
  }
}

/** Heights of the hand and of the bottom of what it holds, above the grasp. */
function bottoms({ held }: Approach): readonly number[] {
  return held ? [0, BOTTOM_M - held.below] : [0];
}

/** Both edges of the hand at a point, across the way from the base. */
function sides(base: FlatPose, [x, y]: Vec3): readonly (readonly [number, number])[] {
  const back = Math.hypot(base[0] - x, base[1] - y);
  return [-ARM_HALF_M, ARM_HALF_M].map((aside): [number, number] => [
    x - (aside * (base[1] - y)) / back,
    y + (aside * (base[0] - x)) / back,
  ]);
}

function higher([x, y, z]: Vec3, byM: number): Vec3 {
  return [x, y, z + byM];
}
