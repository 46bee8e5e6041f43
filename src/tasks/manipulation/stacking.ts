import { ManipulationTask } from "./task.js";

/**
 * Put one object onto another so that it stays there by itself.
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
