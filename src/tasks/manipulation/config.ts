import { z } from "zod";
import type { TaskDeps } from "../../core/task/base.js";
import { dofOf, type RobotDescriptor } from "../../robots/descriptor.js";
import { commonConfig } from "../config.js";
import { jointLimits, limitProblems } from "./configured-limits.js";
import { type Robots, robotsIn } from "./robots.js";

export const DEFAULT_ROBOT = "stretch";

const CONTROL_MODES = ["joint_position", "joint_delta", "ee_delta_pose"] as const;

/** A preset (`type`) with its settings, or a `rule`. Presets and predicates check the rest. */
const criteria = {
  type: z.string().optional(),
  rule: z.record(z.string(), z.unknown()).optional(),
  stages: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
};

/** Default goals. Episodes give the rest, so `goalsSchema` of the task checks the parts. */
const goals = z.looseObject({
  success_criteria: z
    .looseObject(criteria)
    .refine(({ type, rule }) => (type === undefined) !== (rule === undefined), {
      message: "expected either `type` (the name of a preset) or `rule`",
    })
    .optional(),
});

/**
 * The `config:` section of a manipulation task.
 *
 * @param usualRobot the robot of a config that names none
 */
export function manipulationConfig(deps: TaskDeps, usualRobot = DEFAULT_ROBOT): z.ZodType {
  const robots = robotsIn(deps);
  return commonConfig
    .extend({
      robot_type: z.enum(robots.list()).optional().describe("see `list robots`"),
      dof: z
        .int()
        .positive()
        .optional()
        .describe("length of the action vector; the robot's if absent"),
      action_space: z.enum(["continuous", "hybrid"]).optional(),
      control_mode: z
        .enum(CONTROL_MODES)
        .optional()
        .describe(
          "meaning of the action vector: joint_position (default; target of each dof), joint_delta (change of each target), ee_delta_pose (translation and rotation of the end effector, and gripper)",
        ),
      joint_limits: jointLimits
        .optional()
        .describe("a [low, high] pair for each dof in order, or by name of a dof or joint"),
      base_velocity: z
        .boolean()
        .optional()
        .describe(
          "robots that drive: append the base's speed (m/s) and turning rate (rad/s) to the action vector",
        ),
      forward_step: z
        .number()
        .positive()
        .max(10)
        .optional()
        .describe("robots that drive: metres per move_forward and move_backward (default 0.25)"),
      turn_angle: z
        .number()
        .gt(0)
        .max(180)
        .optional()
        .describe("robots that drive: degrees per turn_left and turn_right (default 30)"),
      goals: goals.optional(),
      success_criteria: z
        .looseObject(criteria)
        .optional()
        .describe("overrides the success_criteria of episodes: settings of a preset, or a rule"),
      terminate_on_success: z
        .boolean()
        .optional()
        .describe("end the episode on success (default true)"),
    })
    .superRefine(limitIssues(robots, usualRobot))
    .superRefine((config, context) => {
      const robot = robotOf(config, robots, usualRobot);
      for (const { path, message } of robot ? drivingProblems(robot, config) : [])
        context.addIssue({ code: "custom", path: [path], message });
      if (robot && config.dof !== undefined && config.dof !== dofOf(robot)) {
        context.addIssue({
          code: "custom",
          path: ["dof"],
          message: `${robot.robotType} has ${dofOf(robot)} degrees of freedom`,
        });
      }
    });
}

/** Only `joint_limits`: the rule that also holds for a task that is not read from a file. */
export function limitsConfig(deps: TaskDeps, usualRobot: string): z.ZodType {
  return z
    .looseObject({ robot_type: z.unknown().optional(), joint_limits: jointLimits.optional() })
    .superRefine(limitIssues(robotsIn(deps), usualRobot));
}

interface Driven {
  readonly control_mode?: string | undefined;
  readonly base_velocity?: boolean | undefined;
  readonly forward_step?: number | undefined;
  readonly turn_angle?: number | undefined;
}

/** Settings that the robot cannot follow. */
function drivingProblems(
  { robotType, model }: RobotDescriptor,
  config: Driven,
): { readonly path: string; readonly message: string }[] {
  if (model?.base) {
    if (config.control_mode !== "ee_delta_pose") return [];
    const message = `${robotType} has no ee_delta_pose: with its base standing, its arm cannot follow a pose in every direction; use joint_position or joint_delta`;
    return [{ path: "control_mode", message }];
  }
  return (["base_velocity", "forward_step", "turn_angle"] as const)
    .filter((key) => config[key] !== undefined && config[key] !== false)
    .map((path) => ({ path, message: `${robotType} does not drive; remove this key` }));
}

interface Limited {
  readonly robot_type?: unknown;
  readonly joint_limits?: z.output<typeof jointLimits> | undefined;
}

function robotOf({ robot_type }: Limited, robots: Robots, usualRobot: string) {
  return robots.find(typeof robot_type === "string" ? robot_type : usualRobot);
}

function limitIssues(robots: Robots, usualRobot: string) {
  return (config: Limited, context: z.RefinementCtx) => {
    const robot = robotOf(config, robots, usualRobot);
    if (!robot || !config.joint_limits) return;
    for (const { path, message } of limitProblems(robot, config.joint_limits)) {
      context.addIssue({ code: "custom", path: ["joint_limits", ...path], message });
    }
  };
}
