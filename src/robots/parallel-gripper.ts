import { type MjcfElement, mjcf } from "../core/mjcf/element.js";
import type { MjcfFragment } from "../core/mjcf/fragment.js";
import { armatureOf, coupled, dampingOf, type Servo, tendonServo } from "./servo.js";

/**
 * Two sliding fingers controlled by one value: the distance of each finger from closed, in metres. The second
 * finger is coupled to the first. The motor drives both through a tendon whose length is their mean, so each finger
 * presses with half the motor force.
 */
export interface ParallelGripper {
  readonly actuator: string;
  readonly joints: readonly [string, string];
  readonly range: readonly [closed: number, open: number];
  readonly servo: Servo;
}

/**
 * A finger that opens along +y or -y of the hand. `geoms` are in its frame, whose origin is at the centre of the
 * gripper when closed. Both fingers start open (`ref`).
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
      // Each finger gets half the motor force.
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
