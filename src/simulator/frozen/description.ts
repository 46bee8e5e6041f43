import { z } from "zod";
import { CONTROL_ORDERS } from "../manipulation/physics/control-order.js";

/** Format of the description of a frozen world. */
const FROZEN_FORMAT = "robot-eval-frozen/1";

const name = z.string().min(1);
const names = z.array(name);
const numbers = z.array(z.number());
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** A file beside the description. */
const fileName = z.string().regex(/^[A-Za-z0-9][\w.-]*$/, "not a plain file name");
const unit = z.number().int().min(0);
const quaternion = z.tuple([z.number(), z.number(), z.number(), z.number()]);

/** Clips a policy's numbers to their range and scales them to that of the controller. */
const scale = { input_min: numbers, input_max: numbers, output_min: numbers, output_max: numbers };
const place = { start: unit, end: unit, actuators: names };
const inputType = z.enum(["delta", "absolute"]);

const operationalSpace = z.looseObject({
  ...place,
  ...scale,
  type: z.enum(["OSC_POSE", "OSC_POSITION"]),
  joints: names.min(1),
  site: name,
  /** Site whose frame is `input_ref_frame: base`. */
  base_site: name,
  kp: numbers.length(6),
  kd: numbers.length(6),
  input_type: inputType,
  input_ref_frame: z.enum(["base", "world"]),
  uncouple_pos_ori: z.boolean(),
  /** robosuite 1.4 keeps the goal's rotation while the action does not turn; 1.5 starts at the hand's at every action. */
  keeps_rotation: z.boolean().default(false),
  /** The goal's rotation, row by row, where actions do not turn: robosuite 1.4's OSC_POSITION points down. */
  holds_rotation: numbers.length(9).optional(),
});

const jointPosition = z.looseObject({
  ...place,
  ...scale,
  type: z.literal("JOINT_POSITION"),
  joints: names.min(1),
  kp: numbers,
  kd: numbers,
  input_type: inputType,
  torque_compensation: z.boolean(),
});

/** Lowest and highest values. */
const limits = z.tuple([numbers, numbers]);

const jointVelocity = z.looseObject({
  ...place,
  ...scale,
  type: z.literal("JOINT_VELOCITY"),
  joints: names.min(1),
  kp: numbers,
  ki: numbers,
  kd: numbers,
  velocity_limits: limits.optional(),
  torque_limits: limits,
});

const grip = z.looseObject({
  ...place,
  ...scale,
  type: z.literal("GRIP"),
  /** Change of each command, times the sign of the action. */
  steps: numbers.min(1),
  /** How often the commands change: robosuite 1.4 changes them in every physics step. */
  every: z.enum(["control_step", "physics_step"]).default("control_step"),
  initial: numbers,
  control_range: limits,
});

/** Moves a mocap body, to which the hand is welded, by three numbers of the action. */
const mocap = z.looseObject({
  ...place,
  ...scale,
  type: z.literal("MOCAP"),
  body: name,
  /** Body relative to whose pose the mocap body is moved. Default: its own pose. */
  from_body: name.optional(),
  rotation: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("fixed"), quat_wxyz: quaternion }),
    /** Gymnasium-Robotics adds the components of the quaternions. */
    z.strictObject({ type: z.literal("added"), quat_wxyz: quaternion }),
  ]),
  /** Box that the mocap body does not leave. */
  bounds: z.tuple([numbers.length(3), numbers.length(3)]).optional(),
});

/** Sets actuators to numbers of the action, once per control step. */
const direct = z.looseObject({
  ...place,
  type: z.literal("DIRECT"),
  input_min: numbers,
  input_max: numbers,
  /** For each actuator, which of the part's numbers it gets, and the factor. */
  inputs: z.array(unit),
  factors: numbers,
  /** For each actuator, the joint to whose position the number is added. */
  offsets: names.optional(),
});

const part = z.discriminatedUnion("type", [
  operationalSpace,
  jointPosition,
  jointVelocity,
  grip,
  mocap,
  direct,
]);

export type PartDescription = z.output<typeof part>;
export type OperationalSpace = z.output<typeof operationalSpace>;
export type JointPosition = z.output<typeof jointPosition>;
export type JointVelocity = z.output<typeof jointVelocity>;
export type Grip = z.output<typeof grip>;
export type Mocap = z.output<typeof mocap>;
export type Direct = z.output<typeof direct>;
export type Scale = Pick<Grip, "input_min" | "input_max" | "output_min" | "output_max">;

const joints = names.min(1);
const pose = z.tuple([name, name]);
const reading = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(["qpos", "cos_qpos", "sin_qpos", "qvel", "qacc"]), joints }),
  z.strictObject({ kind: z.enum(["site_pos", "site_quat_xyzw"]), site: name }),
  z.strictObject({ kind: z.enum(["site_vel", "site_angular_vel", "site_euler"]), site: name }),
  z.strictObject({ kind: z.enum(["body_pos", "body_quat_xyzw", "body_quat_wxyz"]), body: name }),
  z.strictObject({ kind: z.enum(["geom_pos", "geom_quat_xyzw"]), geom: name }),
  z.strictObject({ kind: z.enum(["difference", "sum", "middle", "distance"]), of: pose }),
  z.strictObject({ kind: z.literal("concat"), of: names }),
  z.strictObject({ kind: z.literal("numbers"), values: numbers }),
  /** Numbers of the episode, such as its goal. */
  z.strictObject({ kind: z.literal("constant"), name }),
  z.strictObject({ kind: z.literal("scaled"), of: name, factor: z.number() }),
  /** The same bounds for all numbers, or one for each. */
  z.strictObject({
    kind: z.literal("clipped"),
    of: name,
    low: numbers.min(1),
    high: numbers.min(1),
  }),
  /** The value of the control step before; at the reset, of the reset itself. */
  z.strictObject({ kind: z.literal("previous"), of: name }),
  /** The sign of a quaternion (xyzw) for which its largest component is positive, as SciPy's. */
  z.strictObject({ kind: z.literal("largest_positive"), of: name }),
  z.strictObject({
    kind: z.enum(["relative_pos", "relative_quat_xyzw"]),
    object: pose,
    frame: pose,
  }),
]);

export type Reading = z.output<typeof reading>;

const group = z.number().int().min(0).max(5);

/** `<world>.world.json`, written by `robot_eval_client.freeze`. */
export const descriptionSchema = z.looseObject({
  format: z.literal(FROZEN_FORMAT),
  world: name,
  engine: z.looseObject({ name: z.literal("mujoco"), version: z.string() }),
  model: z.strictObject({
    file: fileName,
    sha256,
    assets: z.record(fileName, sha256),
    /** The order of the polygons in the original's meshes, on which its contacts depend. */
    polygons: z.strictObject({ file: fileName, sha256 }).optional(),
  }),
  control: z.strictObject({
    hz: z.number().positive(),
    timestep_s: z.number().positive(),
    substeps: z.number().int().min(1).max(10_000),
    order: z.enum(CONTROL_ORDERS),
    /** Joints that the original sets after the last physics step, before it updates all derived quantities. */
    completion: z.strictObject({ joints: z.record(name, z.number()) }).optional(),
  }),
  robot: z.strictObject({
    name,
    joints: names,
    gripper_joints: names,
    site: name,
    hand: name,
    fingers: z.tuple([names, names]),
  }),
  /** Bodies whose poses are recorded. */
  objects: names,
  /** Geoms that can have contacts but that the original's contact tests ignore. */
  unchecked_geoms: names.default([]),
  action: z.strictObject({
    low: numbers.min(1),
    high: numbers.min(1),
    parts: z.array(part).min(1),
  }),
  cameras: z.strictObject({
    names,
    width: z.number().int().min(1).max(4096),
    height: z.number().int().min(1).max(4096),
    origin: z.enum(["top_left", "bottom_left"]),
    /** Left and right are swapped, as in images of LIBERO that its policies rotate by 180 degrees. */
    mirrored: z.boolean().default(false),
    geom_groups: z.array(group),
    site_groups: z.array(group),
  }),
  conventions: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  /** Notes for the user of a run, such as a difference from published results. */
  notes: z.array(z.string()).default([]),
  observations: z.record(name, reading),
  /** Parts of observations and points, which are not observed themselves. */
  values: z.record(name, reading).default({}),
  /** Points that rules name as they do objects, by the value with their position. */
  points: z.record(name, name).default({}),
  parity: z.strictObject({ file: fileName, sha256 }),
  /** What cameras of the original saw at steps of its rollouts, in the orientation of its observations. */
  frames: z
    .array(
      z.strictObject({
        episode_id: z.string(),
        step: unit,
        camera: name,
        mocap_pos: z.array(numbers.length(3)),
        mocap_quat: z.array(quaternion),
        /** A PNG file in the folder `frames`, of the size of the cameras. */
        file: fileName,
        sha256,
      }),
    )
    .default([]),
});

export type FrozenDescription = z.output<typeof descriptionSchema>;
