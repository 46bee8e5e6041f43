import { z } from "zod";
import type { TaskDeps } from "../../core/task/base.js";
import { dofOf } from "../../robots/descriptor.js";
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
