import type { RobotDescriptor } from "../../robots/descriptor.js";

/** Named actions of hybrid action spaces. */
export const MANIPULATION_ACTIONS = ["stop"] as const;

/** The degree of freedom of each element of the action vector. */
export function dofSemantics(robot: RobotDescriptor): Readonly<Record<string, string>> {
  return Object.fromEntries(
    robot.dofs.map((dof, i) => [
      `action[${i}]`,
      `${dof.name}: ${dof.joints.join(" + ")}, ${dof.limits[0]} .. ${dof.limits[1]}`,
    ]),
  );
}
