import { ManipulationTask } from "./task.js";

/**
 * Move the target object to the target location.
 *
 * @example
 * const { name, actions, shape } = new PickAndPlaceTask({ dof: 7 }).actionSpace;
 * // "hybrid", ["stop"], [7]
 */
export class PickAndPlaceTask extends ManipulationTask {
  override get taskType(): string {
    return "pick_place";
  }

  override get taskName(): string {
    return "Pick and Place";
  }

  protected override get ownPreset(): string {
    return "grasp_and_lift";
  }

  protected override get defaultActionSpace(): "continuous" | "hybrid" {
    return "hybrid";
  }
}
