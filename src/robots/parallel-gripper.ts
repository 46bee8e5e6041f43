import { type MjcfElement, mjcf } from "../core/mjcf/element.js";
import type { MjcfFragment } from "../core/mjcf/fragment.js";
import { armatureOf, coupled, dampingOf, type Servo, tendonServo } from "./servo.js";

/**
 * Two fingers that slide towards each other, one number: metres of each finger from closed. The second
 * finger follows the first. The motor pulls at both through a tendon as long as their mean, so each finger
 * presses with half its force.
 */
export interface ParallelGripper {
  readonly actuator: string;
  readonly joints: readonly [string, string];
  readonly range: readonly [closed: number, open: number];
  readonly servo: Servo;
}

/**
 * A finger that opens along +y or -y of the hand, `geoms` in its frame: its origin is in the middle of the
 * gripper when closed. A model starts with its fingers open (`ref`), and so does the one that follows.
 */
export function finger(
  body: string,
  { joints, range, servo }: ParallelGripper,
  side: 0 | 1,
  at: readonly [x: number, z: number],
  geoms: readonly MjcfElement[],
): MjcfElement {
  const outwards = side === 0 ? 1 : -1;
  const [closed, open] = range;
  return mjcf(
    "body",
    { name: body, pos: [at[0], outwards * open, at[1]], gravcomp: 1 },
    mjcf("joint", {
      name: joints[side],
      type: "slide",
      axis: [0, outwards, 0],
      range: [closed, open],
      ref: open,
      // Half the motor's force for each finger.
      damping: dampingOf(servo) / 2,
      armature: armatureOf(dampingOf(servo) / 2),
    }),
    ...geoms,
  );
}

export function gripperDrive(gripper: ParallelGripper): MjcfFragment {
  const { actuator, joints, range, servo } = gripper;
  return {
    equality: [coupled(joints[1], joints[0])],
    tendon: [
      mjcf(
        "fixed",
        { name: actuator },
        ...joints.map((joint) => mjcf("joint", { joint, coef: 0.5 })),
      ),
    ],
    actuator: [tendonServo(actuator, actuator, servo, range)],
  };
}
