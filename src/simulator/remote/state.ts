import { NdArray } from "../../api/codec/ndarray.js";
import type { Observation } from "../../core/interfaces/observation.js";
import type { StepState } from "../../core/interfaces/step.js";
import { ActionSpace } from "../../core/task/types.js";
import type { SimCapabilities, SimState } from "./messages.js";

/** Rotation of an object whose simulator reports none. */
const UPRIGHT = [1, 0, 0, 0];

/**
 * The state of a simulator as recorded: known fields under the platform's names, all others unchanged, arrays
 * as lists.
 */
export function stepState(state: SimState, done: boolean): StepState {
  const { success, subtasks, ee_pos, ee_quat_wxyz, gripper, objects, ...rest } = state;
  return {
    success,
    ...(subtasks ? { stages: subtasks } : {}),
    ...(ee_pos === undefined ? {} : { ee_pose: pose(ee_pos, ee_quat_wxyz) }),
    ...(gripper === undefined ? {} : { gripper_state: gripper }),
    ...(objects === undefined ? {} : { objects: places(objects) }),
    ...plainEntries(rest),
    done: done || state.done,
  };
}

/** The observation of the policy: images as images, other arrays as lists. */
export function observationOf(
  observation: Readonly<Record<string, unknown>>,
  sensors: SimCapabilities["sensors"],
): Observation {
  const entries = Object.entries(observation).map(([name, value]) => [
    name,
    value instanceof NdArray
      ? (pictureOf(value, sensors[name]?.kind) ?? listOf(value))
      : plain(value),
  ]);
  return Object.fromEntries(entries);
}

/** Sets limits only if all are finite, because unbounded ranges cannot be sampled. */
export function actionSpaceOf(space: SimCapabilities["action_space"]): ActionSpace {
  if (space.type === "discrete") {
    return new ActionSpace({ name: "discrete", actions: space.actions });
  }
  const range = space.low.map((low, i) => [low, space.high[i] ?? Number.NaN] as const);
  const isLimited = range.every((pair) => pair.every((limit) => Number.isFinite(limit)));
  return new ActionSpace({
    name: "continuous",
    shape: [space.low.length],
    ...(isLimited ? { range } : {}),
    ...(space.names
      ? {
          semantics: Object.fromEntries(space.names.map((name, i) => [`action[${i}]`, name])),
        }
      : {}),
  });
}

function pose(position: unknown, rotation: unknown): number[] {
  return [...vectorOf(position), ...(rotation === undefined ? UPRIGHT : vectorOf(rotation))];
}

function places(objects: NonNullable<SimState["objects"]>): NonNullable<StepState["objects"]> {
  return Object.fromEntries(
    Object.entries(objects).map(([name, { pos, quat_wxyz, ...rest }]) => {
      const [x = 0, y = 0, z = 0] = vectorOf(pos);
      const [qw = 1, qx = 0, qy = 0, qz = 0] =
        quat_wxyz === undefined ? UPRIGHT : vectorOf(quat_wxyz);
      return [
        name,
        { position: [x, y, z], rotation_wxyz: [qw, qx, qy, qz], ...plainEntries(rest) },
      ];
    }),
  );
}

function vectorOf(value: unknown): number[] {
  const list = plain(value);
  return Array.isArray(list) ? list.filter((n) => typeof n === "number") : [];
}

function pictureOf(array: NdArray, kind: string | undefined): unknown {
  const [height = 0, width = 0, channels = 1] = array.shape;
  if (kind === "rgb" && array.data instanceof Uint8Array && channels === 3) {
    return { kind: "rgb", width, height, data: array.data };
  }
  const isDepth = kind === "depth" && channels === 1 && array.shape.length >= 2;
  if (!isDepth) return undefined;
  const { data } = array;
  const metres = data instanceof Float32Array ? data : Float32Array.from(array.numbers());
  return { kind: "depth", width, height, data: metres };
}

function plainEntries(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, plain(value)]));
}

function plain(value: unknown): unknown {
  if (value instanceof NdArray) return listOf(value);
  if (Array.isArray(value)) {
    return value.some((item) => typeof item === "object") ? value.map(plain) : value;
  }
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  return plainEntries({ ...value });
}

/** A number, a list, or nested lists. */
function listOf(array: NdArray): unknown {
  const nested = (shape: readonly number[], numbers: readonly number[]): unknown => {
    const [count = 0, ...inner] = shape;
    if (shape.length === 0) return numbers[0];
    if (inner.length === 0) return numbers;
    const size = inner.reduce((product, n) => product * n, 1);
    return Array.from({ length: count }, (_, i) =>
      nested(inner, numbers.slice(i * size, (i + 1) * size)),
    );
  };
  return nested(array.shape, array.numbers());
}
