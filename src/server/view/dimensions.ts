import type { EpisodeLine, RunInfo } from "../../core/interfaces/result.js";
import { mergedTaskConfig } from "../../runs/recorded/recorded-config.js";
import { ManipulationTask } from "../../tasks/manipulation/task.js";
import type { EpisodeDocument } from "./documents.js";
import { builtInTask } from "./names.js";

type Named = Pick<EpisodeDocument, "dimensions" | "control_mode">;

const UNNAMED: Named = { dimensions: { action: [], qpos: [] }, control_mode: null };

/** Components of `ee_delta_pose`, in world axes. */
const END_EFFECTOR = ["Δx", "Δy", "Δz", "Δrx", "Δry", "Δrz", "gripper"];
/** Components of a velocity action: m/s forward and rad/s to the left. */
const VELOCITY = ["v", "ω"];

/** Names of the components of an episode's actions and joints, from the robot's descriptor. */
export function dimensionsOf(info: RunInfo, line: EpisodeLine): Named {
  const task = builtInTask(line.task_type, mergedTaskConfig(info, line.task));
  if (!task) return UNNAMED;
  if (!(task instanceof ManipulationTask)) {
    if (task.actionSpace.name === "discrete") return UNNAMED;
    return { dimensions: { action: VELOCITY, qpos: [] }, control_mode: "velocity" };
  }
  const joints = task.robot?.dofs.map(({ name }) => name) ?? [];
  const { control_mode } = task.conventions;
  // The meaning of an external simulator's actions is unknown.
  const mode = typeof control_mode === "string" ? control_mode : null;
  const action = {
    ee_delta_pose: END_EFFECTOR,
    joint_delta: joints.map((name) => `Δ${name}`),
  }[mode ?? ""];
  return { dimensions: { action: action ?? joints, qpos: joints }, control_mode: mode };
}
