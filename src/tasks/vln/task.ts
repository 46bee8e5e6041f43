import { SensorSuite } from "../../core/task/types.js";
import { NavigationTask } from "../navigation.js";
import { VLN_ACTIONS } from "./actions.js";
import { vlnConfig } from "./config.js";

/**
 * Vision-and-language navigation (Anderson et al., CVPR 2018; in continuous environments Krantz et
 * al., ECCV 2020): follow an instruction in words to where it ends.
 *
 * @example
 * const task = new VLNTask({ success_distance: 0.2, max_steps: 500 });
 * task.checkEpisodeComplete({ distance_to_goal: 0.1 }); // true
 */
export class VLNTask extends NavigationTask {
  static readonly configSchema = vlnConfig;

  override get taskType(): string {
    return "vln";
  }

  override get taskName(): string {
    return "Vision-Language Navigation";
  }

  protected override get defaultActions() {
    return VLN_ACTIONS;
  }

  override get sensorSuite(): SensorSuite {
    return new SensorSuite({
      sensors: {
        rgb: { width: 640, height: 480, encoding: "base64" },
        depth: { width: 640, height: 480, encoding: "base64" },
        instruction: { type: "text" },
        gps: { dim: 3 },
        compass: { dim: 1 },
      },
    });
  }
}
