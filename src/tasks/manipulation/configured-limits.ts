import { z } from "zod";
import { suggestion } from "../../core/registry.js";
import type { DofDescriptor, RobotDescriptor } from "../../robots/descriptor.js";

const pair = z.tuple([z.number(), z.number()]).refine(([low, high]) => low < high, {
  message: "expected [low, high] with low < high",
});

type Limits = readonly [low: number, high: number];

/** `joint_limits` of a task: a pair for each degree of freedom in order, or pairs by name. */
export const jointLimits = z.union([z.array(pair), z.record(z.string(), pair)]);

type JointLimits = z.output<typeof jointLimits>;

interface LimitProblem {
  /** Below `joint_limits`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What is wrong with limits for a robot. */
export function limitProblems(robot: RobotDescriptor, given: JointLimits): LimitProblem[] {
  const { robotType, dofs, joints } = robot;
  if (Array.isArray(given)) {
    if (given.length !== dofs.length) {
      const message = `${robotType} has ${dofs.length} degrees of freedom, got ${given.length} pairs`;
      return [{ path: [], message }];
    }
    return dofs.flatMap((dof, i) => outOfReach(dof, given[i], [i]));
  }
  const names = [...new Set([...dofs, ...joints].map(({ name }) => name))];
  return Object.entries(given).flatMap(([name, limits]): LimitProblem[] => {
    const limited = [...dofs, ...joints].find((one) => one.name === name);
    if (!limited) {
      const message = `${robotType} has no joint or degree of freedom "${name}" (${suggestion(name, names)})`;
      return [{ path: [name], message }];
    }
    const dof = dofs.find((one) => one.name !== name && one.joints.includes(name));
    if (dof && Object.hasOwn(given, dof.name)) {
      const message = `${name} is a joint of ${dof.name}, which has limits too: give one of them`;
      return [{ path: [name], message }];
    }
    return outOfReach(limited, limits, [name]);
  });
}

function outOfReach(
  { name, limits: [low, high] }: Pick<DofDescriptor, "name" | "limits">,
  given: Limits | undefined,
  path: LimitProblem["path"],
): LimitProblem[] {
  if (!given || (given[0] < high && given[1] > low)) return [];
  return [{ path, message: `${name} moves between ${low} and ${high}` }];
}

/**
 * The limits of each degree of freedom. Limits of joints only narrow the robot's: those of coupled joints, such as the
 * segments of a telescope, add up.
 */
export function limitedRange(
  { dofs, joints }: RobotDescriptor,
  given: Readonly<Record<string, Limits>>,
): Limits[] {
  return dofs.map((dof) => {
    const own = given[dof.name];
    if (own) return own;
    if (!dof.joints.some((name) => given[name])) return dof.limits;
    const parts = dof.joints.map((name): Limits => {
      const [low, high] = joints.find((joint) => joint.name === name)?.limits ?? dof.limits;
      const [from, to] = given[name] ?? [low, high];
      return [Math.max(low, from), Math.min(high, to)];
    });
    const sum = (side: 0 | 1) => parts.reduce((total, part) => total + part[side], 0);
    return [sum(0), sum(1)];
  });
}
