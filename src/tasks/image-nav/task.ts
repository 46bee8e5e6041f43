import { SensorSuite } from "../../core/task/types.js";
import { NavigationTask, navigationConfig } from "../navigation.js";

/**
 * Image-goal navigation (Zhu et al., ICRA 2017): go to where a picture was taken.
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

  protected override get defaultActions() {
    return ["stop", "move_forward", "turn_left", "turn_right"] as const;
  }

  override get sensorSuite(): SensorSuite {
    return new SensorSuite({
      sensors: {
        rgb: { width: 640, height: 480, encoding: "base64" },
        depth: { width: 640, height: 480, encoding: "base64" },
        imagegoal: { width: 640, height: 480, encoding: "base64" },
        gps: { dim: 3 },
        compass: { dim: 1 },
      },
    });
  }

  override get defaultMetrics(): readonly string[] {
    return ["success", "spl", "soft_spl", "distance_to_goal"];
  }
}
