import type { GripperRobot } from "./descriptor.js";
import { STRETCH_JOINTS, stretchLike } from "./stretch.js";

/** Base limits of +-0.3 m, narrower than the hardware allows, for a real RE1 in a small space. */
const CONSERVATIVE: Readonly<Record<string, readonly [number, number]>> = {
  translate_x: [-0.3, 0.3],
  translate_y: [-0.3, 0.3],
};

export const STRETCH_RE1: GripperRobot = stretchLike(
  "stretch_re1",
  "Stretch RE1 with conservative base limits",
  STRETCH_JOINTS.map((joint) => ({ ...joint, limits: CONSERVATIVE[joint.name] ?? joint.limits })),
);
