import { z } from "zod";
import { STOP } from "../core/interfaces/action.js";
import { type Rules, rulesOf } from "../core/profiles.js";
import { BaseTask, type EndReason, type EpisodeEnd, type TaskState } from "../core/task/base.js";
import type { TaskConventions } from "../core/task/conventions.js";
import { ActionSpace, type SensorConfig, SensorSuite } from "../core/task/types.js";
import { commonConfig, maxStepsOf } from "./config.js";
import { explainNavigation } from "./explain-navigation.js";
import { loose } from "./rules/benchmark-goals.js";

/** The discrete actions of navigation. A task offers some of them; a simulator may add others. */
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

/** Velocity control. The simulator replaces these limits by those of the base. */
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
    .describe("`hybrid`: forward and turning velocity instead of discrete steps, and `stop`"),
  actions: z
    .array(actionNames)
    .min(1)
    .optional()
    .describe("names of the available actions; default: those of the task type"),
  goals: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("default goals: an episode that gives none, or only a part, gets the rest from here"),
  success_distance: z.number().positive().optional().describe("metres; the profile's if absent"),
});

const point = z.array(z.number()).length(3);

/** Goals in a benchmark, of which episodes may give the rest. */
const goalParts = z.looseObject({
  goals: loose({
    position: point,
    positions: z.array(point),
    view_points: z.array(point),
    node: z.string(),
    nodes: z.array(z.string()),
    radius: z.number().nonnegative().describe("metres").nullable(),
    object_category: z.string(),
  }).optional(),
});

/**
 * Base class of VLN, ObjectNav and ImageNav: actions, sensors, end of an episode, explanation.
 *
 * @example
 * class ExploreTask extends NavigationTask {
 *   readonly taskType = "explore";
 *   readonly taskName = "Exploration";
 * }
 */
export abstract class NavigationTask extends BaseTask {
  override get family(): string {
    return "navigation";
  }

  #rules: Rules | undefined;

  /** Computed once, because it is read at every step. */
  get rules(): Rules {
    this.#rules ??= rulesOf(this.taskType, this.config);
    return this.#rules;
  }

  /** The actions of R2R-CE. */
  protected get defaultActions(): readonly (keyof typeof NAVIGATION_ACTIONS)[] {
    return ["stop", "move_forward", "turn_left", "turn_right"];
  }

  /** The sensor that presents the goal to the policy. */
  protected get goalSensor(): Readonly<Record<string, SensorConfig>> {
    return {};
  }

  override get sensorSuite(): SensorSuite {
    return new SensorSuite({
      sensors: {
        rgb: { width: 640, height: 480, encoding: "base64" },
        depth: { width: 640, height: 480, encoding: "base64" },
        ...this.goalSensor,
        gps: { dim: 3 },
        compass: { dim: 1 },
      },
    });
  }

  override get goalsSchema(): z.ZodType {
    return goalParts;
  }

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
    // Remote simulators may end episodes themselves.
    if (state.done === true) return "done";
    return (state.num_steps ?? 0) >= maxStepsOf(this.config) ? "max_steps" : null;
  }

  override explain(end: EpisodeEnd): string {
    return explainNavigation(end, this.rules) ?? super.explain(end);
  }
}
