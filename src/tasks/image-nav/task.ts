import { NavigationTask, navigationConfig } from "../navigation.js";

/**
 * Image-goal navigation (Zhu et al., ICRA 2017): go to the place where an image was taken.
 *
 * @example
 * new ImageNavTask().sensorSuite.names(); // ["rgb", "depth", "imagegoal", "gps", "compass"]
 */
export class ImageNavTask extends NavigationTask {
  static readonly configSchema = navigationConfig;

  override get taskType(): string {
    return "image_nav";
  }

  override get taskName(): string {
    return "Image-Goal Navigation";
  }

  protected override get goalSensor() {
    return { imagegoal: { width: 640, height: 480, encoding: "base64" } };
  }

  override get defaultMetrics(): readonly string[] {
    return ["success", "spl", "soft_spl", "distance_to_goal"];
  }
}
