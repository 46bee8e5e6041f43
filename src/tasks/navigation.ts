import { z } from "zod";
import { STOP } from "../core/interfaces/action.js";
import { type Rules, rulesOf } from "../core/profiles.js";
import { BaseTask, type EndReason, type EpisodeEnd, type TaskState } from "../core/task/base.js";
import type { TaskConventions } from "../core/task/conventions.js";
import { ActionSpace } from "../core/task/types.js";
import { commonConfig, maxStepsOf } from "./config.js";
import { explainNavigation } from "./explain-navigation.js";

/** What the discrete actions of navigation mean. A task offers some of them, a simulator may add. */
export const NAVIGATION_ACTIONS = {
  stop: "end the episode here",
  move_forward: "move 0.25 m ahead (on a graph: to the viewpoint ahead)",
  turn_left: "turn 15 degrees to the left",
  turn_right: "turn 15 degrees to the right",
  look_up: "tilt the camera 15 degrees up",
  look_down: "tilt the camera 15 degrees down",
  goto: "goto:<viewpoint>, on a graph: move to that neighbouring viewpoint",
} as const;

const actionNames = z.enum(Object.keys(NAVIGATION_ACTIONS) as (keyof typeof NAVIGATION_ACTIONS)[]);

/** Continuous control. The simulator knows the base's limits and replaces these. */
const VELOCITY = new ActionSpace({
  name: "hybrid",
  actions: [STOP],
  shape: [2],
  range: [
    [-1, 1],
    [-Math.PI, Math.PI],
  ],
  semantics: { stop: NAVIGATION_ACTIONS.stop, "0": "m/s ahead", "1": "rad/s to the left" },
});

export const navigationConfig = commonConfig.extend({
  action_space: z
    .enum(["discrete", "hybrid"])
    .optional()
    .describe("`hybrid`: forward and turning speed in place of steps, and `stop`"),
  actions: z
    .array(actionNames)
    .min(1)
    .optional()
    .describe("the actions offered, if not the default"),
  goals: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("goals for episodes that have none of their own"),
  success_distance: z.number().positive().optional().describe("metres; the profile's if absent"),
});

/**
 * What VLN, ObjectNav and ImageNav share: actions, when an episode is over, and why.
 *
 * @example
 * class ExploreTask extends NavigationTask {
 *   readonly taskType = "explore";
 *   readonly taskName = "Exploration";
 *   readonly defaultActions = ["stop", "move_forward", "turn_left", "turn_right"] as const;
 *   readonly sensorSuite = new SensorSuite({ sensors: { rgb: { width: 640, height: 480 } } });
 * }
 */
export abstract class NavigationTask extends BaseTask {
  override get family(): string {
    return "navigation";
  }

  #rules: Rules | undefined;

  /** Asked for at every step, so worked out once. */
  get rules(): Rules {
    this.#rules ??= rulesOf(this.taskType, this.config);
    return this.#rules;
  }

  protected abstract get defaultActions(): readonly (keyof typeof NAVIGATION_ACTIONS)[];

  override get actionSpace(): ActionSpace {
    if (this.config.action_space === "hybrid") return VELOCITY;
    const configured = actionNames.array().safeParse(this.config.actions);
    const actions = configured.success ? configured.data : this.defaultActions;
    return new ActionSpace({
      name: "discrete",
      actions,
      semantics: Object.fromEntries(actions.map((name) => [name, NAVIGATION_ACTIONS[name]])),
    });
  }

  override get conventions(): TaskConventions {
    return { ...super.conventions, quaternion_order: "xyzw" };
  }

  override get primaryMetric(): string {
    return "success";
  }

  override get defaultMetrics(): readonly string[] {
    return this.rules.metrics;
  }

  override checkEpisodeComplete(state: TaskState): boolean {
    return this.endReason(state) !== null;
  }

  override endReason(state: TaskState): EndReason | null {
    if (state.last_action === STOP) return "stop";
    const { arrivalEnds, successDistanceM } = this.rules;
    const distance = state.distance_to_goal ?? Number.POSITIVE_INFINITY;
    if (arrivalEnds && distance < successDistanceM) return "arrived";
    // Simulators elsewhere may have a horizon, or ends, of their own.
    if (state.done === true) return "done";
    return (state.num_steps ?? 0) >= maxStepsOf(this.config) ? "max_steps" : null;
  }

  override explain(end: EpisodeEnd): string {
    return explainNavigation(end, this.rules) ?? super.explain(end);
  }
}
