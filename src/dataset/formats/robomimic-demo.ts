import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { BaseEpisode, EpisodeInit } from "../../core/episode/base.js";
import { poseOfAxisAngle, poseOfQuatXyzw } from "../ee-pose.js";
import type { Hdf5File } from "../readers/hdf5.js";

type Trajectory = NonNullable<NonNullable<BaseEpisode["referenceData"]>["trajectory"]>;

/** LIBERO and robomimic name the same observation differently. */
const JOINTS = ["obs/joint_states", "obs/robot0_joint_pos"];

interface Demo {
  readonly length: number;
  readonly startState: NonNullable<EpisodeInit["startState"]>;
  readonly trajectory: Trajectory;
}

/** Reads the arrays of one demonstration. Each must be as long as the actions. */
export function trajectoryOf(file: Hdf5File, group: string): Demo {
  const actions = file.dataset(`${group}/actions`);
  const { length } = actions;
  if (length === 0 || actions.shape.length !== 2) {
    throw badDemo(file, group, `actions have the shape [${actions.shape.join(", ")}]`);
  }
  checkLengths(file, group, length);
  const qpos = JOINTS.map((name) => rowsOf(file, `${group}/${name}`)).find(Boolean);
  const poses = posesOf(file, group);
  const [joints] = qpos ?? [];
  const states = `${group}/states`;
  const [state] = file.kind(states) === "dataset" ? file.dataset(states).rows(0, 1) : [];
  return {
    length,
    startState: {
      ...(joints ? { joint_positions: joints } : {}),
      // Time, positions and velocities, in the order of MuJoCo's flattened state.
      ...(state ? { mujoco_state: state } : {}),
    },
    trajectory: {
      ...(qpos ? { qpos } : {}),
      ...(poses ? { ee_pose: poses } : {}),
      actions: actions.rows(),
    },
  };
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

function posesOf(file: Hdf5File, group: string): number[][] | undefined {
  const libero = pairOf(file, `${group}/obs/ee_pos`, `${group}/obs/ee_ori`);
  if (libero) return libero.map(([position, turn]) => poseOfAxisAngle(position, turn));
  const robomimic = pairOf(file, `${group}/obs/robot0_eef_pos`, `${group}/obs/robot0_eef_quat`);
  return robomimic?.map(([position, quat]) => poseOfQuatXyzw(position, quat));
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

function badDemo(file: Hdf5File, group: string, problem: string) {
  return file.error(
    group,
    "bad_demo",
    problem,
    undefined,
    "record it again or remove it; it is incomplete",
  );
}
