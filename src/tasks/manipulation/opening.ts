import { ManipulationTask } from "./task.js";

/**
 * Open a drawer or a door far enough.
 *
 * @example
 * new OpeningTask().metricNames; // ["manip_success", "success_once", "completion_rate"]
 */
export class OpeningTask extends ManipulationTask {
  override get taskType(): string {
    return "opening";
  }

  override get taskName(): string {
    return "Opening";
  }

  protected override get ownPreset(): string {
    return "opened";
  }

  protected override get defaultActionSpace(): "continuous" | "hybrid" {
    return "hybrid";
  }
}
