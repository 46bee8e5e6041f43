import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { Hdf5File } from "../readers/hdf5.js";
import { actionsOf, badDemo, type Demo, demoOf } from "./hdf5-demo.js";

/** LIBERO and robomimic name the same observation differently. */
const JOINTS = ["obs/joint_states", "obs/robot0_joint_pos"];
const GRIPPER = ["obs/gripper_states", "obs/robot0_gripper_qpos"];

/** Reads the arrays of one demonstration. Each must be as long as the actions. */
export function trajectoryOf(file: Hdf5File, group: string): Demo {
  const actions = actionsOf(file, group);
  checkLengths(file, group, actions.length);
  const qpos = jointsOf(file, group);
  const states = `${group}/states`;
  const [state] = file.kind(states) === "dataset" ? file.dataset(states).rows(0, 1) : [];
  // Time, positions and velocities, in the order of MuJoCo's flattened state.
  const start = state ? { mujoco_state: state } : {};
  return demoOf(actions, { qpos, ee_pose: posesOf(file, group) }, start);
}

/**
 * The arm's joints and, last, the gripper's opening per finger in metres. The two fingers of a parallel
 * gripper mirror each other, so that the first one says it; other grippers are left out.
 */
function jointsOf(file: Hdf5File, group: string): number[][] | undefined {
  const first = (names: readonly string[]) =>
    names.map((name) => rowsOf(file, `${group}/${name}`)).find(Boolean);
  const fingers = first(GRIPPER);
  return first(JOINTS)?.map((arm, i) => {
    const [finger, mirrored, ...others] = fingers?.[i] ?? [];
    const isParallel = mirrored !== undefined && others.length === 0;
    return finger !== undefined && isParallel ? [...arm, finger] : arm;
  });
}

function checkLengths(file: Hdf5File, group: string, length: number): void {
  const announced = file.attribute(group, "num_samples");
  if (announced !== undefined && announced !== length) {
    throw badDemo(file, group, `num_samples is ${announced}, but actions has ${length} rows`);
  }
  for (const folder of [group, `${group}/obs`, `${group}/next_obs`]) {
    if (file.kind(folder) !== "group") continue;
    for (const name of file.keys(folder)) {
      const path = `${folder}/${name}`;
      if (file.kind(path) !== "dataset") continue;
      const rows = file.dataset(path).length;
      if (rows === length) continue;
      const short = path.slice(group.length + 1);
      throw badDemo(file, group, `${short} has ${rows} rows, but actions has ${length}`);
    }
  }
}

/** End-effector poses, `[x, y, z, qw, qx, qy, qz]`. */
function posesOf(file: Hdf5File, group: string): number[][] | undefined {
  const libero = pairOf(file, `${group}/obs/ee_pos`, `${group}/obs/ee_ori`);
  if (libero) return libero.map(([position, turn]) => poseOfAxisAngle(position, turn));
  const robomimic = pairOf(file, `${group}/obs/robot0_eef_pos`, `${group}/obs/robot0_eef_quat`);
  return robomimic?.map(([position, quat]) => poseOfQuatXyzw(position, quat));
}

/** Converts a pose from robosuite's observations, whose quaternions are `[x, y, z, w]`. */
function poseOfQuatXyzw(position: readonly number[], quat: readonly number[]): number[] {
  const [x = 0, y = 0, z = 0, w = 1] = quat;
  return [...position, w, x, y, z];
}

/** Converts a rotation vector: its direction is the axis, its length the angle in radians. */
function poseOfAxisAngle(position: readonly number[], turn: readonly number[]): number[] {
  const [x = 0, y = 0, z = 0] = turn;
  const angle = Math.hypot(x, y, z);
  // sin(a/2)/a tends to 1/2; for smaller angles the division would lose all precision.
  const scale = angle < 1e-12 ? 0.5 : Math.sin(angle / 2) / angle;
  return [...position, Math.cos(angle / 2), x * scale, y * scale, z * scale];
}

function pairOf(
  file: Hdf5File,
  first: string,
  second: string,
): [readonly number[], readonly number[]][] | undefined {
  const a = rowsOf(file, first);
  const b = rowsOf(file, second);
  return a && b ? a.map((row, i) => [row, b[i] ?? []]) : undefined;
}

function rowsOf(file: Hdf5File, path: string): number[][] | undefined {
  return file.kind(path) === "dataset" ? file.dataset(path).rows() : undefined;
}

/**
 * Locates the scene's MJCF and gives its checksum, because the text itself takes tens of kilobytes per
 * demonstration.
 */
export function modelOf(
  file: Hdf5File,
  group: string,
): Readonly<Record<string, unknown>> | undefined {
  const xml = file.attribute(group, "model_file");
  if (typeof xml !== "string") return undefined;
  return {
    file: basename(file.path),
    group: `/${group}`,
    attribute: "model_file",
    sha256: createHash("sha256").update(xml).digest("hex"),
    length: Buffer.byteLength(xml),
  };
}

/**
 * Lists the camera images. LIBERO stores them in OpenGL's order, bottom row first; robomimic flips them
 * before writing.
 */
export function imagesOf(
  file: Hdf5File,
  group: string,
  upsideDown: boolean,
): Readonly<Record<string, unknown>> {
  const folder = `${group}/obs`;
  if (file.kind(folder) !== "group") return {};
  const images: Record<string, unknown> = {};
  for (const name of file.keys(folder)) {
    if (file.kind(`${folder}/${name}`) !== "dataset") continue;
    const { shape } = file.dataset(`${folder}/${name}`);
    if (shape.length === 4) images[name] = { shape, upside_down: upsideDown };
  }
  return images;
}
