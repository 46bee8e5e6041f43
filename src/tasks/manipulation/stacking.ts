import { ManipulationTask } from "./task.js";

/**
 * Stack one object onto another and release it.
 *
 * @example
 * new StackingTask({ robot_type: "stretch" }).actionSpace.size; // 7
 */
export class StackingTask extends ManipulationTask {
  override get taskType(): string {
    return "stacking";
  }

  override get taskName(): string {
    return "Stacking";
  }

  protected override get ownPreset(): string {
    return "stacked";
  }

  protected override get defaultActionSpace(): "continuous" | "hybrid" {
    return "hybrid";
  }
}
