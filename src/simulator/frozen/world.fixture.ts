import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { BaseEpisode } from "../../core/episode/base.js";

/** Two sliding joints with motors, a mocap body, and a block that lies on the floor. */
export const MODEL = `<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 0.1"/>
    <camera name="front" pos="0 -2 1" xyaxes="1 0 0 0 0.4 1"/>
    <site name="base"/>
    <body name="carriage" pos="0 0 0.5">
      <joint name="x" type="slide" axis="1 0 0" damping="1"/>
      <geom size="0.05" mass="1"/>
      <body name="hand">
        <joint name="z" type="slide" axis="0 0 1" damping="1"/>
        <geom name="tip" size="0.03" mass="0.5"/>
        <site name="grip"/>
      </body>
    </body>
    <body name="block" pos="0.5 0 0.05"><freejoint/><geom name="block" type="box" size="0.05 0.05 0.05"/></body>
    <body name="target" mocap="true" pos="0 0 1"/>
  </worldbody>
  <actuator>
    <motor name="mx" joint="x" ctrlrange="-80 80"/>
    <motor name="mz" joint="z" ctrlrange="-80 80"/>
  </actuator>
</mujoco>`;

const ROLLOUT = {
  episode_id: "0",
  source: "random",
  actions: [[0, 0]],
  qpos: [[], []],
  ee_pos: [
    [0, 0, 0.5],
    [0, 0, 0.5],
  ],
  success: [false, false],
};

const RANGE = {
  input_min: [-1, -1],
  input_max: [1, 1],
  output_min: [-0.1, -0.1],
  output_max: [0.1, 0.1],
};

export const START = {
  state: {
    qpos: [0.1, 0, 0.5, 0, 0.05, 1, 0, 0, 0],
    qvel: [0, 0, 0, 0, 0, 0, 0, 0],
    act: [],
    ctrl: [0, 0],
    qacc_warmstart: [0, 0, 0, 0, 0, 0, 0, 0],
    mocap_pos: [[0, 0, 1]],
    mocap_quat: [[1, 0, 0, 0]],
  },
  model: {},
  initial_joints: [0, 0],
};

interface Changes {
  readonly model?: string;
  readonly rollouts?: unknown;
  /** Content of the file of polygons. */
  readonly polygons?: unknown;
  readonly describe?: (description: Record<string, unknown>) => Record<string, unknown>;
}

/** Writes a small frozen world into a new folder, and returns the path of its description. */
export function writeFrozenWorld({
  model = MODEL,
  rollouts,
  polygons,
  describe = (same) => same,
}: Changes = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "robot-eval-frozen-"));
  mkdirSync(join(folder, "assets"));
  const packed = gzipSync(
    JSON.stringify(rollouts ?? { format: "robot-eval-parity/1", rollouts: [ROLLOUT] }),
  );
  writeFileSync(join(folder, "small.xml"), model);
  writeFileSync(join(folder, "small.parity.json.gz"), packed);
  const packedPolygons = gzipSync(JSON.stringify(polygons ?? null));
  if (polygons) writeFileSync(join(folder, "small.polygons.json.gz"), packedPolygons);
  const polygonFile = { file: "small.polygons.json.gz", sha256: hash(packedPolygons) };
  const description = describe({
    format: "robot-eval-frozen/1",
    world: "small",
    engine: { name: "mujoco", version: "3.14.0" },
    model: {
      ...{ file: "small.xml", sha256: hash(model), assets: {} },
      ...(polygons ? { polygons: polygonFile } : {}),
    },
    control: { hz: 20, timestep_s: 0.002, substeps: 25, order: "step1_step2" },
    robot: {
      name: "gantry",
      joints: ["x", "z"],
      gripper_joints: [],
      site: "grip",
      hand: "hand",
      fingers: [[], []],
    },
    objects: ["block"],
    action: {
      low: [-1, -1],
      high: [1, 1],
      parts: [
        {
          ...RANGE,
          type: "JOINT_POSITION",
          start: 0,
          end: 2,
          actuators: ["mx", "mz"],
          joints: ["x", "z"],
          kp: [150, 150],
          kd: [24.5, 24.5],
          input_type: "delta",
          torque_compensation: true,
        },
      ],
    },
    cameras: {
      names: ["front"],
      width: 8,
      height: 8,
      origin: "top_left",
      geom_groups: [0],
      site_groups: [],
    },
    conventions: { quaternion_order: "xyzw" },
    observations: {
      joint_pos: { kind: "qpos", joints: ["x", "z"] },
      hand_pos: { kind: "site_pos", site: "grip" },
      block_pos: { kind: "body_pos", body: "block" },
      block_quat: { kind: "body_quat_xyzw", body: "block" },
      hand_to_block_pos: { kind: "difference", of: ["block_pos", "hand_pos"] },
      state: { kind: "concat", of: ["hand_pos", "block_pos"] },
    },
    parity: { file: "small.parity.json.gz", sha256: hash(packed) },
  });
  const path = join(folder, "small.world.json");
  writeFileSync(path, JSON.stringify(description));
  return path;
}

export function frozenEpisode(start: unknown = START): BaseEpisode {
  return BaseEpisode.fromDict({
    episode_id: "0",
    task_type: "external",
    scene_id: "small.world.json",
    goals: { success_criteria: { rule: { lifted: { object: "block" } } } },
    task_config: { frozen: start },
  });
}

function hash(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
