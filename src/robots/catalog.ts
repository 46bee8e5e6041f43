import type { GripperRobot } from "./descriptor.js";
import { PANDA } from "./panda.js";
import { STRETCH } from "./stretch.js";
import { STRETCH_MOBILE } from "./stretch-mobile.js";
import { STRETCH_RE1 } from "./stretch-re1.js";

/** The built-in robots. */
export const BUILT_IN_ROBOTS: readonly GripperRobot[] = [
  STRETCH,
  STRETCH_RE1,
  STRETCH_MOBILE,
  PANDA,
];

export function findRobot(robotType: string): GripperRobot | undefined {
  return BUILT_IN_ROBOTS.find((robot) => robot.robotType === robotType);
}
