import { z } from "zod";
import { ConfigError } from "../../core/errors.js";
import { HABITAT_NAVMESH, type NavMeshSettings } from "../navmesh/settings.js";
import { MAX_TEXTURE_SIDE } from "../scenes/texture-budget.js";

export const CAMERA_KINDS = ["rgb", "depth", "semantic"] as const;
export type CameraKind = (typeof CAMERA_KINDS)[number];

/** The sensors of the navmesh simulator. Cameras may also have other names, with a `type`. */
export const SENSOR_NAMES: readonly string[] = [
  ...CAMERA_KINDS,
  "instruction",
  "objectgoal",
  "imagegoal",
  "gps",
  "compass",
  "heading",
];

/** The simulator axes that it applies, see docs/robustness.md. */
export const NAVMESH_AXES = ["camera_pose", "lighting", "scene_look", "start_pose"] as const;

const above0 = () => z.number().positive();
const MAX_PIXELS = 4096;

const cameraKeys = {
  width: z.int().min(1).max(MAX_PIXELS).describe("image width in pixels").default(640),
  height: z.int().min(1).max(MAX_PIXELS).describe("image height in pixels").default(480),
  hfov: z
    .number()
    .gt(0)
    .lt(180)
    .describe("horizontal field of view in degrees, below 180")
    .default(90),
  camera_height: above0().describe("metres above the floor").default(1.25),
  yaw: z.number().describe("degrees to the left of straight ahead").default(0),
  pitch: z.number().min(-90).max(90).describe("degrees upwards").default(0),
};

const noise = (unit: string) =>
  z.number().nonnegative().describe(`standard deviation of the noise, ${unit}`).default(0);

/** One sensor. Keys that its kind does not use are ignored. */
export const navmeshSensor = z.object({
  // Example suites also use `text` and `category` here.
  type: z
    .string()
    .describe("rgb, depth or semantic: the kind of camera, for a sensor with a custom name")
    .optional(),
  ...cameraKeys,
  ids: z
    .enum(["category", "instance"])
    .describe("what the pixel values of a semantic image are")
    .default("category"),
  max_depth: above0().describe("metres; depths beyond this read 0").optional(),
  noise: noise("in the sensor's unit: levels of 255, a share of the depth, metres, radians"),
});

/** The keys of `simulator:` that the navmesh simulator reads. */
export const navmeshConfig = z.object({
  agent: z
    .strictObject({
      height: above0().describe("metres").default(HABITAT_NAVMESH.agentHeightM),
      radius: above0().describe("metres").default(HABITAT_NAVMESH.agentRadiusM),
      max_climb: z
        .number()
        .nonnegative()
        .describe("metres")
        .default(HABITAT_NAVMESH.agentMaxClimbM),
      max_slope: z
        .number()
        .min(0)
        .lt(90)
        .describe("degrees")
        .default(HABITAT_NAVMESH.agentMaxSlopeDeg),
    })
    .describe("body dimensions that the navmesh is built for; Habitat's defaults")
    .prefault({}),
  forward_step: above0().describe("metres per move_forward action").default(0.25),
  turn_angle: z.number().gt(0).max(180).describe("degrees per turn action").default(15),
  tilt_angle: z
    .number()
    .gt(0)
    .max(90)
    .describe("degrees per look_up or look_down action")
    .default(15),
  sliding: z.boolean().describe("whether a blocked step slides along the wall").default(true),
  geodesic: z
    .literal("detour", {
      error: ({ input }) =>
        input === "exact"
          ? '"exact" was removed in version 0.2: remove this key or write "detour", which measures as Habitat does'
          : undefined,
    })
    .describe("how distances are measured: `detour`, as in Habitat, is the only value since 0.2")
    .default("detour"),
  velocity: z
    .strictObject({
      max_linear: above0().describe("metres per second").default(0.5),
      max_angular: above0().describe("degrees per second").default(90),
      time_step: above0().describe("duration of one action in seconds").default(0.5),
    })
    .describe("limits of continuous control, for tasks with `action_space: hybrid`")
    .prefault({}),
  actuation_noise: z
    .strictObject({
      forward: noise("metres per step"),
      turn: noise("degrees per turn"),
    })
    .describe("random motion errors, drawn from the episode's seed")
    .prefault({}),
  max_texture_size: z
    .int()
    .min(16)
    .max(MAX_TEXTURE_SIDE)
    .describe("largest side of a scene file's textures in pixels; by default as memory allows")
    .optional(),
  sensors: z.record(z.string(), navmeshSensor).optional(),
});

export type NavmeshConfig = z.output<typeof navmeshConfig>;
export type SensorSettings = z.output<typeof navmeshSensor>;

/** Parses the `simulator:` section of a benchmark or of a recorded run. */
export function readNavmeshConfig(config: unknown): NavmeshConfig {
  const parsed = navmeshConfig.safeParse(config);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ConfigError("bad_simulator", `simulator.${issue?.path.join(".")}: ${issue?.message}`);
}

export function navMeshSettings({ agent }: NavmeshConfig): NavMeshSettings {
  return {
    ...HABITAT_NAVMESH,
    agentHeightM: agent.height,
    agentRadiusM: agent.radius,
    agentMaxClimbM: agent.max_climb,
    agentMaxSlopeDeg: agent.max_slope,
  };
}
