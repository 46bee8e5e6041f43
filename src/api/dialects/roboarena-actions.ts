import type { ActionMapping } from "../../config/mapping.js";
import { StopRunError } from "../../core/errors.js";
import type { AgentTask } from "../../core/interfaces/agent.js";
import { PRESETS } from "../mapping/presets.js";

/** Hand motion of a DROID robot for an action of 1 in one step of 1/15 s, in metres and radians. */
const MOVE_STEP = 0.075;
const TURN_STEP = 0.15;

/** DROID robots close the gripper above this value. */
const CLOSES = 0.5;

const NEEDED_MODE: Readonly<Record<string, string>> = {
  joint_position: "joint_position",
  joint_velocity: "joint_delta",
  cartesian_velocity: "ee_delta_pose",
};

/**
 * Maps DROID actions to the task's, by the action space that the policy declares. Stops the run if the task has
 * another one: reading velocities as positions would look like a bad policy.
 */
export function droidActions(space: string, task: AgentTask | undefined): ActionMapping {
  const needed = NEEDED_MODE[space];
  const mode = task?.conventions.control_mode;
  if (needed === undefined) {
    throw mismatch(`the policy's actions are ${space}, which no task supports`, undefined);
  }
  if (task && mode !== needed) {
    throw mismatch(
      `the policy's actions are ${space}, but ${task.name} is controlled by ${mode ?? "named actions"}`,
      `set control_mode: ${needed} in the task's config`,
    );
  }
  const dim = task?.conventions.action_dim;
  const expected = space === "cartesian_velocity" ? 7 : 8;
  if (typeof dim === "number" && dim !== expected) {
    throw mismatch(
      `the policy's actions are ${space} of an arm with seven axes and a gripper, but ${task?.name} takes ${dim} numbers`,
      "use robot_type: panda",
    );
  }
  return partsFor(space, task);
}

function partsFor(space: string, task: AgentTask | undefined): ActionMapping {
  switch (space) {
    case "joint_position": {
      const { gripper_open: open, gripper_closed: closed } = task?.conventions ?? {};
      const below = typeof open === "number" ? open : 1;
      const above = typeof closed === "number" ? closed : 0;
      return { parts: [{ take: [0, 7] }, gripper(7, below, above)] };
    }
    case "joint_velocity":
      return PRESETS.droid[0].action;
    default:
      return {
        parts: [
          { take: [0, 3], scale: MOVE_STEP },
          { take: [3, 6], scale: TURN_STEP },
          gripper(6, 1, 0),
        ],
      };
  }
}

function gripper(at: number, below: number, above: number) {
  return {
    take: [at, at + 1] as [number, number],
    switch: { at: CLOSES, below, above },
  };
}

function mismatch(message: string, hint: string | undefined): StopRunError {
  return new StopRunError("convention_mismatch", message, {
    hint: [hint, "or convert them under policy.mapping.action"]
      .filter((text) => text !== undefined)
      .join(", "),
  });
}
