import { RegistryError } from "../core/errors.js";
import { Registry } from "../core/registry.js";
import { BUILT_IN_ROBOTS } from "../robots/catalog.js";
import { assertRobot } from "../robots/check.js";
import type { RobotDescriptor } from "../robots/descriptor.js";

/** Robots by type, with the built-in ones. `register` checks the descriptor, so that a mistake is reported before any episode runs. */
export class RobotRegistry extends Registry<RobotDescriptor> {
  constructor() {
    super("robot");
    // Not checked at every start: a test of the check covers them.
    for (const robot of BUILT_IN_ROBOTS) super.register(robot.robotType, robot);
  }

  override register(name: string, robot: RobotDescriptor): void {
    assertRobot(robot);
    if (robot.robotType !== name) {
      throw new RegistryError(
        "wrong_name",
        `the robot "${robot.robotType}" cannot be registered as "${name}"`,
        { hint: "episodes and results name it by its robotType" },
      );
    }
    super.register(name, robot);
  }
}
