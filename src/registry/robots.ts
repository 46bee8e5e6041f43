import type { Registry } from "../core/registry.js";
import { BUILT_IN_ROBOTS } from "../robots/catalog.js";
import type { RobotDescriptor } from "../robots/descriptor.js";

export function registerRobots(robots: Registry<RobotDescriptor>): void {
  for (const robot of BUILT_IN_ROBOTS) robots.register(robot.robotType, robot);
}
