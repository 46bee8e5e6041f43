import type { BaseTask } from "../../core/task/base.js";
import { ActionSpace } from "../../core/task/types.js";
import type { ActionCode } from "../../dataset/lerobot/actions.js";
import type { WrittenFeature } from "../../dataset/lerobot/written.js";
import { ManipulationTask } from "../../tasks/manipulation/task.js";
import { sectionOf, taskConfigOf } from "../recorded/recorded-config.js";
import type { ExportSource } from "./format.js";
import type { FrameShape, FrameSurvey } from "./lerobot-frames.js";

export const STATE = "observation.state";
export const EE_POSE = "observation.ee_pose";

/** The benchmark's tasks by name; undefined for plugin tasks, because an export loads no plugins. */
export type Tasks = ReadonlyMap<string, BaseTask | undefined>;

export async function tasksOf(source: ExportSource): Promise<Tasks> {
  const tasks = new Map<string, BaseTask | undefined>();
  for await (const { task } of source.lines()) {
    if (!tasks.has(task)) tasks.set(task, taskOf(source, task));
  }
  return tasks;
}

function taskOf({ info, registries }: ExportSource, name: string): BaseTask | undefined {
  const { type } = sectionOf(info.config[`${name}_task`]);
  if (typeof type !== "string" || !registries.tasks.has(type)) return undefined;
  return registries.tasks.get(type, taskConfigOf(info, name));
}

/**
 * The actions that the tasks declare, in their order, then other recorded actions, which simulators may add. The
 * length of action vectors depends on the controller and is taken from the recording.
 */
export function spaceOf(
  tasks: Tasks,
  { names: done }: FrameSurvey,
  { vectorWidth }: FrameShape,
): ActionSpace {
  const offered = [...tasks.values()].flatMap((task) => task?.actionSpace.actions ?? []);
  const actions = [...new Set([...offered, ...done])];
  if (vectorWidth === 0) return new ActionSpace({ name: "discrete", actions });
  const name = actions.length > 0 ? "hybrid" : "continuous";
  return new ActionSpace({ name, actions, shape: [vectorWidth] });
}

export function featuresOf(
  tasks: Tasks,
  { stateNames, stateWidth, eeWidth }: FrameShape,
  code: ActionCode,
): Readonly<Record<string, WrittenFeature>> {
  const robot = [...tasks.values()].find((task) => task instanceof ManipulationTask)?.robot;
  const joints = robot?.dofs.map(({ name }) => name);
  const names = stateNames ?? (joints?.length === stateWidth ? joints : null);
  const state: WrittenFeature = { dtype: "float32", shape: [stateWidth], names };
  const pose = ["x", "y", "z", "qw", "qx", "qy", "qz"];
  const ee: WrittenFeature = {
    dtype: "float32",
    shape: [eeWidth],
    names: eeWidth === pose.length ? pose : null,
  };
  return { [STATE]: state, ...(eeWidth > 0 ? { [EE_POSE]: ee } : {}), ...code.features };
}

export function robotTypeOf({ info }: ExportSource, tasks: Tasks): string {
  for (const [name, task] of tasks) {
    if (task instanceof ManipulationTask && task.robot) return task.robot.robotType;
    const { robot_type } = taskConfigOf(info, name);
    if (typeof robot_type === "string") return robot_type;
  }
  return "robot-eval agent";
}
