import { basename } from "node:path";
import { z } from "zod";
import { BaseEpisode } from "../../core/episode/base.js";
import { vec3Schema } from "../../core/episode/number-lists.js";
import { DataError } from "../../core/errors.js";
import { isRecord } from "../../core/record.js";
import { check, type DataLocation, describe, errorAt, whereOf } from "../check.js";
import type { ContentSample, DatasetFormat, DatasetSource } from "../format.js";
import { readEach } from "../read-each.js";
import { hasKeys } from "../readers/json.js";
import { streamJson } from "../readers/json-stream.js";
import { readSample } from "../source.js";

const joints = z.record(z.string(), z.number());

const quatWxyzSchema = z
  .tuple([z.number(), z.number(), z.number(), z.number()])
  .refine((q) => Math.abs(Math.hypot(...q) - 1) < 1e-2, {
    message: "a rotation quaternion [w, x, y, z] must have length 1",
  });

const bodySchema = z.looseObject({
  pos: vec3Schema,
  rot: quatWxyzSchema,
  dof_pos: joints.nullish(),
});

/** The poses of robot and objects, by name. */
const sceneSchema = z.record(z.string(), bodySchema);

const demoSchema = z.looseObject({
  actions: z
    .array(
      z.looseObject({
        dof_pos_target: joints,
        ee_pose_target: z.looseObject({ pos: vec3Schema, rot: quatWxyzSchema }).nullish(),
      }),
    )
    .min(1)
    .nullish(),
  init_state: sceneSchema,
  states: z.array(sceneSchema).nullish(),
  extra: z.unknown().optional(),
});

type Demo = z.output<typeof demoSchema>;
type Body = z.output<typeof bodySchema>;

/**
 * RoboVerse trajectories, version 2: `{"<robot>": [{init_state, actions?, states?, extra?}, ...]}`, z up,
 * quaternions [w, x, y, z]. A robot's demonstrations become the episodes `<robot>_<i>`; tasks without
 * demonstrations have initial states only, which RoboVerse's own loader accepts too. RoboVerse stores
 * joints by name; here they are a vector in alphabetical order, as in RoboVerse's own tensors.
 * `task_config.joint_names` gives the order.
 */
export const roboverseFormat: DatasetFormat = {
  name: "roboverse",
  description: "RoboVerse v2 trajectories: <robot>_v2.json or .json.gz",
  taskTypes: ["manipulation"],
  profile: "design",

  detect: (sample) => {
    if (isPickle(sample)) return true;
    const [demos] = isRecord(sample.head) ? Object.values(sample.head) : [];
    const first: unknown = Array.isArray(demos) ? demos[0] : undefined;
    if (!isRecord(first)) return false;
    // A long demonstration may not end within the sample, so whatever comes first suffices.
    const [action]: unknown[] = Array.isArray(first.actions) ? first.actions : [];
    return hasKeys(action, "dof_pos_target") || isRecord(first.init_state);
  },

  async *episodes(source) {
    const sample = await readSample(source.path);
    if (isPickle(sample)) throw pickled(source.path);
    yield* readEach(source, demosOf(source, sample), ({ robot, index, raw }) => {
      const id = `${robot}_${index}`;
      const at: DataLocation = {
        file: source.path,
        item: `${robot}[${index}]`,
        subject: `episode ${id}`,
      };
      return episodeOf(check(demoSchema, raw, at), robot, id, source, at);
    });
  },
};

interface RawDemo {
  readonly robot: string;
  readonly index: number;
  readonly raw: unknown;
}

async function* demosOf(source: DatasetSource, { head }: ContentSample): AsyncGenerator<RawDemo> {
  const lists = isRecord(head) ? Object.keys(head) : [];
  for await (const part of streamJson(source.path, { lists })) {
    if (part.kind === "item" && part.key !== null) {
      yield { robot: part.key, index: part.index, raw: part.value };
    } else if (part.kind === "member" && Array.isArray(part.value)) {
      // A robot whose name lies beyond the sample is emitted whole.
      for (const [index, raw] of part.value.entries()) yield { robot: part.key, index, raw };
    } else {
      throw new DataError("bad_dataset", "expected lists of demonstrations by robot", {
        where: source.path,
        hint: `check that the file is of the expected format; got ${describe(part.value)}`,
      });
    }
  }
}

function episodeOf(
  demo: Demo,
  robot: string,
  id: string,
  source: DatasetSource,
  at: DataLocation,
): BaseEpisode {
  const body = demo.init_state[robot];
  const joints = jointsOf(demo, robot);
  const trajectory = {
    ...actionsOf(demo, joints, at),
    ...qposOf(demo, robot, joints, at),
    ...endEffectorTargetsOf(demo),
  };
  const objects = Object.entries(demo.init_state).filter(([name]) => name !== robot);
  return new BaseEpisode(
    {
      episodeId: id,
      taskType: source.taskType ?? "manipulation",
      sceneId: basename(source.path).replace(/\.json(\.gz)?$/, ""),
      startState: {
        ...(body?.dof_pos
          ? { joint_positions: inOrder(joints, body.dof_pos, "init_state", at) }
          : {}),
        ...(body ? { base_position: body.pos, base_rotation_wxyz: body.rot } : {}),
        objects: Object.fromEntries(objects.map(([name, object]) => [name, objectOf(object)])),
      },
      referenceData: Object.keys(trajectory).length > 0 ? { trajectory } : null,
      taskConfig: {
        robot_type: robot,
        joint_names: joints.names,
        frames: (demo.actions ?? demo.states ?? []).length,
        extra: demo.extra ?? undefined,
      },
    },
    whereOf(at),
  );
}

/** The robot's joints in the order of the vectors, and the part of the file that names them. */
interface Joints {
  readonly names: readonly string[];
  readonly namedBy: string;
}

function jointsOf({ actions, init_state }: Demo, robot: string): Joints {
  const [action] = actions ?? [];
  const named = action?.dof_pos_target ?? init_state[robot]?.dof_pos ?? {};
  return {
    names: Object.keys(named).sort(),
    namedBy: action ? "the first action" : "the initial state",
  };
}

function actionsOf({ actions }: Demo, joints: Joints, at: DataLocation): { actions?: number[][] } {
  if (!actions) return {};
  return {
    actions: actions.map(({ dof_pos_target: target }, i) => {
      checkJoints(joints, target, `actions[${i}]`, at);
      return inOrder(joints, target, `actions[${i}]`, at);
    }),
  };
}

/** The targets of the end effector, if every action has one. */
function endEffectorTargetsOf({ actions }: Demo): { ee_pose_target?: number[][] } {
  const poses = actions?.flatMap(({ ee_pose_target: ee }) => (ee ? [poseOf(ee)] : []));
  return poses && poses.length === actions?.length ? { ee_pose_target: poses } : {};
}

/** Joint positions, if every recorded state has them. */
function qposOf(
  demo: Demo,
  robot: string,
  joints: Joints,
  at: DataLocation,
): { qpos?: number[][] } {
  const states = demo.states ?? [];
  const positions = states.map((state) => state[robot]?.dof_pos);
  if (positions.length === 0 || positions.some((position) => !position)) return {};
  return {
    qpos: positions.map((position, i) => inOrder(joints, position ?? {}, `states[${i}]`, at)),
  };
}

/** Converts to [x, y, z, qw, qx, qy, qz], the layout of `ee_pose`. */
function poseOf({ pos, rot }: Pick<Body, "pos" | "rot">): number[] {
  return [...pos, ...rot];
}

function objectOf({ pos, rot, dof_pos }: Body): Readonly<Record<string, unknown>> {
  const pose = { position: pos, rotation_wxyz: rot };
  return dof_pos && Object.keys(dof_pos).length > 0 ? { ...pose, joints: dof_pos } : pose;
}

function inOrder(
  { names, namedBy }: Joints,
  values: Readonly<Record<string, number>>,
  field: string,
  at: DataLocation,
): number[] {
  return names.map((name) => {
    const value = values[name];
    if (value !== undefined) return value;
    const hint = `${namedBy} names ${names.join(", ")}`;
    throw errorAt(at, "bad_episode", `the joint "${name}" is missing`, { field, hint });
  });
}

function checkJoints(
  { names }: Joints,
  values: Readonly<Record<string, number>>,
  field: string,
  at: DataLocation,
): void {
  const unknown = Object.keys(values).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const hint = "name the same joints in every action";
  throw errorAt(at, "bad_episode", `the joint "${unknown}" is not in the first action`, {
    field,
    hint,
  });
}

/** RoboVerse also publishes pickles, recognised by name and first byte. */
function isPickle({ path, bytes }: ContentSample): boolean {
  return /_v2\.pkl(\.gz)?$/.test(path) && bytes[0] === 0x80;
}

function pickled(path: string): DataError {
  return new DataError(
    "pickle_refused",
    "the file is a Python pickle, which can run code when it is read",
    {
      where: path,
      hint: "use the .json.gz that RoboVerse publishes beside it, or convert it in Python: json.dump of the unpickled dict, arrays as lists",
    },
  );
}
