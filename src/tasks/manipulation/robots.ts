import type { NamedRobot, TaskDeps } from "../../core/task/base.js";
import { BUILT_IN_ROBOTS, findRobot } from "../../robots/catalog.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";

/** The robots that a task may use. */
export interface Robots {
  find(robotType: string): RobotDescriptor | undefined;
  list(): readonly string[];
}

/** The robots of the task's registries, including those of plugins; the built-in ones for a task without registries. */
export function robotsIn({ robots }: TaskDeps): Robots {
  if (!robots) {
    return { find: findRobot, list: () => BUILT_IN_ROBOTS.map(({ robotType }) => robotType) };
  }
  return {
    find: (robotType) => {
      const robot = robots.find(robotType);
      return robot && isDescriptor(robot) ? robot : undefined;
    },
    list: () => robots.list(),
  };
}

/** Robots are checked when they are registered. */
function isDescriptor(robot: NamedRobot): robot is RobotDescriptor {
  return "dofs" in robot;
}
