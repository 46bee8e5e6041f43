import { z } from "zod";
import { suggestion } from "../../core/registry.js";
import type { TaskDeps } from "../../core/task/base.js";
import { type DofDescriptor, dofOf, type RobotDescriptor } from "../../robots/descriptor.js";
import { commonConfig } from "../config.js";
import { robotsIn } from "./robots.js";

const limits = z.tuple([z.number(), z.number()]).refine(([low, high]) => low < high, {
  message: "expected [low, high] with low < high",
});

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

/** The `config:` section of a manipulation task. */
export function manipulationConfig(deps: TaskDeps): z.ZodType {
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
      joint_limits: z
        .union([z.array(limits), z.record(z.string(), limits)])
        .optional()
        .describe("a [low, high] pair for each dof, in order or by name"),
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
    .superRefine((config, context) => {
      const robot = robots.find(config.robot_type ?? DEFAULT_ROBOT);
      const limits = config.joint_limits;
      if (robot && Array.isArray(limits) && limits.length !== dofOf(robot)) {
        context.addIssue({
          code: "custom",
          path: ["joint_limits"],
          message: `${robot.robotType} has ${dofOf(robot)} degrees of freedom, got ${limits.length} pairs`,
        });
      }
      if (robot && limits && !Array.isArray(limits)) {
        const names = robot.dofs.map((dof) => dof.name);
        for (const name of Object.keys(limits).filter((key) => !names.includes(key))) {
          context.addIssue({
            code: "custom",
            path: ["joint_limits", name],
            message: `${robot.robotType} has no degree of freedom "${name}"; ${suggestion(name, names)}`,
          });
        }
      }
      for (const [dof, pair] of limitsByDof(robot, limits)) {
        const [low, high] = dof.limits;
        if (pair[0] < high && pair[1] > low) continue;
        context.addIssue({
          code: "custom",
          path: ["joint_limits"],
          message: `${dof.name} moves between ${low} and ${high}, got [${pair.join(", ")}]`,
        });
      }
      if (robot && config.dof !== undefined && config.dof !== dofOf(robot)) {
        context.addIssue({
          code: "custom",
          path: ["dof"],
          message: `${robot.robotType} has ${dofOf(robot)} degrees of freedom`,
        });
      }
    });
}

type Limits = z.output<typeof limits>;

/** The configured limits with their degrees of freedom. */
function limitsByDof(
  robot: RobotDescriptor | undefined,
  given: readonly Limits[] | Readonly<Record<string, Limits>> | undefined,
): [DofDescriptor, Limits][] {
  return (robot?.dofs ?? []).flatMap((dof, i): [DofDescriptor, Limits][] => {
    const pair = isList(given) ? given[i] : given?.[dof.name];
    return pair ? [[dof, pair]] : [];
  });
}

function isList<T>(value: T | readonly Limits[]): value is readonly Limits[] {
  return Array.isArray(value);
}
