import type { Hdf5File } from "../readers/hdf5.js";
import { actionsOf, badDemo, type Demo, demoOf } from "./hdf5-demo.js";

interface Recording extends Demo {
  /** Success at the end; null if not recorded. */
  readonly success: boolean | null;
}

/** Reads one recording: n actions with n + 1 states and observations around them. */
export function recordingOf(file: Hdf5File, group: string): Recording {
  const actions = actionsOf(file, group);
  const { length } = actions;
  for (const name of ["terminated", "truncated", "success", "fail"]) {
    checkLength(file, group, name, length, length);
  }
  const qpos = rowsOf(file, group, "obs/agent/qpos", length);
  // SAPIEN's poses are already [x, y, z, qw, qx, qy, qz].
  const ee_pose = rowsOf(file, group, "obs/extra/tcp_pose", length);
  const success = successOf(file, group, length);
  return { success, ...demoOf(actions, { qpos, ee_pose }, firstState(file, group, length)) };
}

/** Older files have one table of numbers; newer ones have one table per actor and articulation. */
function firstState(file: Hdf5File, group: string, length: number): Record<string, unknown> {
  const path = `${group}/env_states`;
  const kind = file.kind(path);
  if (kind === undefined) return {};
  if (kind === "dataset") {
    checkLength(file, group, "env_states", length + 1, length);
    return { env_state: file.dataset(path).rows(0, 1)[0] };
  }
  const states: Record<string, Record<string, unknown>> = {};
  for (const sort of file.keys(path)) {
    const own: Record<string, unknown> = {};
    for (const name of file.kind(`${path}/${sort}`) === "group"
      ? file.keys(`${path}/${sort}`)
      : []) {
      checkLength(file, group, `env_states/${sort}/${name}`, length + 1, length);
      own[name] = file.dataset(`${path}/${sort}/${name}`).rows(0, 1)[0];
    }
    states[sort] = own;
  }
  return { env_states: states };
}

function successOf(file: Hdf5File, group: string, length: number): boolean | null {
  const path = `${group}/success`;
  if (file.kind(path) !== "dataset") return null;
  const [last] = file.dataset(path).values(length - 1, length);
  return last === true || last === 1;
}

function rowsOf(
  file: Hdf5File,
  group: string,
  name: string,
  length: number,
): number[][] | undefined {
  if (file.kind(`${group}/${name}`) !== "dataset") return undefined;
  checkLength(file, group, name, length + 1, length);
  return file.dataset(`${group}/${name}`).rows();
}

function checkLength(
  file: Hdf5File,
  group: string,
  name: string,
  expected: number,
  actions: number,
): void {
  const path = `${group}/${name}`;
  if (file.kind(path) !== "dataset") return;
  const rows = file.dataset(path).length;
  if (rows === expected) return;
  const problem = `${name} has ${rows} rows, expected ${expected} for ${actions} actions`;
  throw badDemo(file, group, problem);
}
