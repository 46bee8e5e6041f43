import { ManipulationTask } from "./task.js";

/**
 * Take the target object and put it at the target location.
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

  /** `stop` beside the vector; `action_space: continuous` in the config takes it away. */
  protected override get defaultActionSpace(): "continuous" | "hybrid" {
    return "hybrid";
  }
}
