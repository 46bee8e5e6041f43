import type { BaseTask } from "../../core/task/base.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";

/** A task with a robot, as manipulation tasks are. */
export interface RobotTask extends BaseTask {
  readonly robot: RobotDescriptor | undefined;
}

export function hasRobot(task: BaseTask): task is RobotTask {
  return "robot" in task;
}
