import { NavigationTask, navigationConfig } from "../navigation.js";

/**
 * Vision-and-language navigation (Anderson et al., CVPR 2018; in continuous environments Krantz et
 * al., ECCV 2020): follow a natural-language instruction to its end.
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
