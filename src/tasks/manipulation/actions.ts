import type { RobotDescriptor } from "../../robots/descriptor.js";

/** Ends the episode where a manipulation task offers named actions beside the vector. */
export const MANIPULATION_ACTIONS = ["stop"] as const;

/** What each number of the action vector moves. */
export function dofSemantics(robot: RobotDescriptor): Readonly<Record<string, string>> {
  return Object.fromEntries(
    robot.dofs.map((dof, i) => [
      `action[${i}]`,
      `${dof.name}: ${dof.joints.join(" + ")}, ${dof.limits[0]} .. ${dof.limits[1]}`,
    ]),
  );
}
