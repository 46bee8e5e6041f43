import { join } from "node:path";
import { File, type Group, ready } from "h5wasm/node";

/** What a demonstration's file says beyond its task. */
export interface LiberoDemos {
  readonly demos?: number;
  readonly robots?: string | readonly string[];
  /** The arm's joints, in each of the demonstration's three steps. */
  readonly joints?: readonly number[];
  readonly fingers?: readonly number[];
}

/** LIBERO's initial pose of the Panda arm. */
export const LIBERO_JOINTS = [0, -0.161, 0, -2.444, 0, 2.226, 0.785] as const;

const STEPS = 3;

/** Writes `<task>_demo.hdf5` as LIBERO's datasets have it, without images. Returns its path. */
export async function writeLiberoDemos(
  folder: string,
  task: string,
  options: LiberoDemos = {},
): Promise<string> {
  await ready;
  const { demos = 2, robots = ["Panda"], joints = LIBERO_JOINTS } = options;
  const { fingers = [0.0388, -0.0388] } = options;
  const path = join(folder, `${task}_demo.hdf5`);
  const file = new File(path, "w");
  const data = file.create_group("data");
  const env = { type: 1, env_name: "Libero_Tabletop_Manipulation", env_kwargs: { robots } };
  const problem = { language_instruction: task.replaceAll("_", " ") };
  data.create_attribute("env_args", JSON.stringify(env));
  data.create_attribute("problem_info", JSON.stringify(problem));
  data.create_attribute("bddl_file_name", `libero/bddl_files/libero_goal/${task}.bddl`);
  for (let i = 0; i < demos; i++) {
    const demo = data.create_group(`demo_${i}`);
    table(demo, "actions", [0, 0, 0, 0, 0, 0, -1]);
    const observations = demo.create_group("obs");
    table(observations, "joint_states", joints);
    if (fingers.length > 0) table(observations, "gripper_states", fingers);
    table(observations, "ee_pos", [0.4, 0, 1.1]);
    table(observations, "ee_ori", [Math.PI, 0, 0]);
  }
  file.close();
  return path;
}

function table(group: Group, name: string, row: readonly number[]): void {
  const data = new Float64Array(Array.from({ length: STEPS }, () => row).flat());
  group.create_dataset({ name, data, shape: [STEPS, row.length] });
}
