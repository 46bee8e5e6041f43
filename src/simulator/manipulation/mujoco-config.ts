import { z } from "zod";
import type { RobotDescriptor, RobotModel } from "../../robots/descriptor.js";
import type { VisibleGroups } from "./physics/drawing/scene.js";

const MAX_PIXELS = 4096;

/** Sensors that are no cameras. */
export const READING_NAMES = [
  "instruction",
  "qpos",
  "qvel",
  "ee_pose",
  "gripper_state",
  "held_object",
  "gps",
  "compass",
  "object_poses",
] as const;

export type ReadingName = (typeof READING_NAMES)[number];

/** The readings of a robot: some need a gripper, others a base that drives. */
export function readingNames({ gripperDof, model }: RobotDescriptor): readonly ReadingName[] {
  return READING_NAMES.filter((name) => {
    if (name === "gripper_state" || name === "held_object") return gripperDof !== undefined;
    return (name !== "gps" && name !== "compass") || model?.base !== undefined;
  });
}

const CAMERA = /^(rgb|depth|semantic)(?:_(head|wrist))?$/;

export interface NamedCamera {
  readonly kind: "rgb" | "depth" | "semantic";
  readonly place: "head" | "wrist";
  /** Its name in the robot's model. */
  readonly camera: string;
}

/** Parses names such as `rgb_head` and `depth_wrist`; `rgb` alone means the head camera. */
export function cameraNamed(name: string, cameras: RobotModel["cameras"]): NamedCamera | undefined {
  const match = CAMERA.exec(name);
  if (!match) return undefined;
  const [, kind, at] = match;
  const place = at === "wrist" ? "wrist" : "head";
  const camera = cameras?.[place];
  if (camera === undefined) return undefined;
  return { kind: kind === "depth" || kind === "semantic" ? kind : "rgb", place, camera };
}

/** MuJoCo sorts geoms, sites and skins into the groups 0 to 5; its own viewers show the first three. */
const groups = z.array(z.int().min(0).max(5));

export const mujocoSensor = z.object({
  width: z.int().min(1).max(MAX_PIXELS).describe("image width in pixels").optional(),
  height: z.int().min(1).max(MAX_PIXELS).describe("image height in pixels").optional(),
  ids: z
    .enum(["category", "instance", "geom"])
    .describe(
      "what the pixel values of a semantic image are; by default categories in apartments, else bodies; geoms only in scenes from MJCF files",
    )
    .optional(),
  geom_groups: groups
    .describe(
      "groups of geoms that this camera sees in scenes from MJCF files and frozen worlds, if other than those of all cameras",
    )
    .optional(),
  site_groups: groups
    .describe(
      "groups of sites that this camera sees in scenes from MJCF files and frozen worlds, if other than those of all cameras",
    )
    .optional(),
  skin_groups: groups
    .describe(
      "groups of skins that this camera sees in scenes from MJCF files and frozen worlds, if other than those of all cameras",
    )
    .optional(),
});

/** The visible groups that a camera sets. */
export function groupsOf({
  geom_groups: geomGroups,
  site_groups: siteGroups,
  skin_groups: skinGroups,
}: z.output<typeof mujocoSensor>): Partial<VisibleGroups> {
  return {
    ...(geomGroups && { geomGroups }),
    ...(siteGroups && { siteGroups }),
    ...(skinGroups && { skinGroups }),
  };
}

/** The keys of `simulator:` that the mujoco backend reads. */
export const mujocoConfig = z.object({
  control_hz: z
    .number()
    .positive()
    .max(500)
    .describe("actions per second of simulated time")
    .default(20),
  sleep: z
    .boolean()
    .describe(
      "skip bodies at rest (MuJoCo sleep); faster, and episodes stay reproducible to the bit",
    )
    .default(true),
  geom_groups: groups
    .describe("groups of geoms that cameras see in scenes from MJCF files")
    .default([0, 1, 2]),
  site_groups: groups
    .describe("groups of sites that cameras see in scenes from MJCF files")
    .default([0, 1, 2]),
  skin_groups: groups
    .describe("groups of skins that cameras see in scenes from MJCF files")
    .default([0, 1, 2]),
  sensors: z.record(z.string(), mujocoSensor).optional(),
});

export type MujocoConfig = z.output<typeof mujocoConfig>;
