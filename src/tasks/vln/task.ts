import { NavigationTask, navigationConfig } from "../navigation.js";

/**
 * Vision-and-language navigation (Anderson et al., CVPR 2018; in continuous environments Krantz et
 * al., ECCV 2020): follow a natural-language instruction to its end.
 *
 * @example
 * const task = new VLNTask({ success_distance: 0.2, max_steps: 500 });
 * task.checkEpisodeComplete({ distance_to_goal: 0.1 }); // true
 */
export class VLNTask extends NavigationTask {
  static readonly configSchema = navigationConfig;

  override get taskType(): string {
    return "vln";
  }

  override get taskName(): string {
    return "Vision-Language Navigation";
  }

  protected override get goalSensor() {
    return { instruction: { type: "text" } };
  }
}
