import type { TaskState } from "../../core/task/base.js";
import { ManipulationTask } from "./task.js";

/** Take the target object and put it at the target location. */
export class PickAndPlaceTask extends ManipulationTask {
  override get taskType(): string {
    return "pick_place";
  }

  override get taskName(): string {
    return "Pick and Place";
  }

  override get stages(): readonly string[] {
    return ["reached", "grasped", "lifted", "placed", "released"];
  }

  /** `stop` beside the vector; `action_space: continuous` in the config takes it away. */
  protected override get defaultActionSpace(): "continuous" | "hybrid" {
    return "hybrid";
  }

  protected override succeeded(state: TaskState): boolean {
    if (super.succeeded(state)) return true;
    return (
      criteriaType(this.config.goals) === "grasp_and_lift" &&
      state.object_grasped === true &&
      state.object_lifted === true &&
      state.object_placed === true
    );
  }
}

function criteriaType(goals: unknown): unknown {
  if (typeof goals !== "object" || goals === null || !("success_criteria" in goals))
    return undefined;
  const criteria = goals.success_criteria;
  return typeof criteria === "object" && criteria !== null && "type" in criteria
    ? criteria.type
    : undefined;
}
