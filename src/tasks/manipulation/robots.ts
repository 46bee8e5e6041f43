import type { NamedRobot, TaskDeps } from "../../core/task/base.js";
import { BUILT_IN_ROBOTS, findRobot } from "../../robots/catalog.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";

/** The robots that a task may be done with. */
export interface Robots {
  find(robotType: string): RobotDescriptor | undefined;
  list(): readonly string[];
}

/** Those of the house that the task lives in, with the plugins' among them; the shipped ones for a task alone. */
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

/** What stands in the registry was checked when it was registered. */
function isDescriptor(robot: NamedRobot): robot is RobotDescriptor {
  return "dofs" in robot;
}
