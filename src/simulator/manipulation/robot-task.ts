import type { BaseTask } from "../../core/task/base.js";
import type { BaseMoves } from "../../robots/base-moves.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";

/** A task with a robot, as manipulation tasks are. */
export interface RobotTask extends BaseTask {
  readonly robot: RobotDescriptor | undefined;
  /** How a robot with a wheeled base drives. */
  readonly driving?: TaskDriving | undefined;
}

export interface TaskDriving {
  readonly moves: BaseMoves;
  /** Limits of the base's velocity at the end of the action vector; undefined if the vector has none. */
  readonly velocity: readonly (readonly [low: number, high: number])[] | undefined;
}

export function hasRobot(task: BaseTask): task is RobotTask {
  return "robot" in task;
}
