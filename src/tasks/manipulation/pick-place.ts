import { ManipulationTask } from "./task.js";

/** Move the target object to the target location. */
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
