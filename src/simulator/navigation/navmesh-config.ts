import { z } from "zod";
import { HABITAT_NAVMESH, type NavMeshSettings } from "./navmesh/settings.js";

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

/** One sensor. What a camera has and a compass has not is simply not read. */
export const navmeshSensor = z.looseObject({
  // The design's suites say `text` and `category` here as well.
  type: z
    .string()
    .describe("rgb, depth or semantic: the kind of camera, for a sensor with a name of its own")
    .optional(),
  ...cameraKeys,
  ids: z
    .enum(["category", "instance"])
    .describe("what a semantic picture's numbers are")
    .default("category"),
  max_depth: above0().describe("metres; what is farther is 0").optional(),
  noise: noise("in the sensor's unit: levels of 255, a share of the depth, metres, radians"),
});

/** The keys of `simulator:` that the navmesh backend reads. */
export const navmeshConfig = z.looseObject({
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
    .describe("the body that the navmesh is made for; Habitat's defaults")
    .prefault({}),
  forward_step: above0().describe("metres that move_forward moves").default(0.25),
  turn_angle: z.number().gt(0).max(180).describe("degrees that a turn turns").default(15),
  tilt_angle: z
    .number()
    .gt(0)
    .max(90)
    .describe("degrees that look_up and look_down tilt")
    .default(15),
  sliding: z.boolean().describe("whether a blocked step slides along the wall").default(true),
  geodesic: z
    .enum(["detour", "exact"])
    .describe("how distances are measured: as Habitat does, or the true shortest way on the mesh")
    .default("detour"),
  velocity: z
    .strictObject({
      max_linear: above0().describe("metres a second").default(0.5),
      max_angular: above0().describe("degrees a second").default(90),
      time_step: above0().describe("seconds that one action lasts").default(0.5),
    })
    .describe("limits of continuous control, for tasks with `action_space: hybrid`")
    .prefault({}),
  actuation_noise: z
    .strictObject({
      forward: noise("metres a step"),
      turn: noise("degrees a turn"),
    })
    .describe("chance in the motion, from the episode's seed")
    .prefault({}),
  sensors: z.record(z.string(), navmeshSensor).optional(),
});

export type NavmeshConfig = z.output<typeof navmeshConfig>;
export type SensorSettings = z.output<typeof navmeshSensor>;

export function navMeshSettings({ agent }: NavmeshConfig): NavMeshSettings {
  return {
    ...HABITAT_NAVMESH,
    agentHeightM: agent.height,
    agentRadiusM: agent.radius,
    agentMaxClimbM: agent.max_climb,
    agentMaxSlopeDeg: agent.max_slope,
  };
}
