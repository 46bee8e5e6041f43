import { NavigationTask, navigationConfig } from "../navigation.js";

/**
 * Object-goal navigation (Batra et al., "ObjectNav Revisited", 2020): find any object of a category,
 * evaluated by the distance to the nearest point from which one can be seen.
 *
 * @example
 * new ObjectNavTask({ profile: "habitat" }).rules.successDistanceM; // 0.1
 */
export class ObjectNavTask extends NavigationTask {
  static readonly configSchema = navigationConfig;

  override get taskType(): string {
    return "objectnav";
  }

  override get taskName(): string {
    return "Object-Goal Navigation";
  }

  protected override get defaultActions() {
    return ["stop", "move_forward", "turn_left", "turn_right", "look_up", "look_down"] as const;
  }

  protected override get goalSensor() {
    return { objectgoal: { type: "category" } };
  }

  override get defaultMetrics(): readonly string[] {
    return ["success", "spl", "soft_spl", "distance_to_goal"];
  }
}
