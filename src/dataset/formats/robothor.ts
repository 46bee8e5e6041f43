import { z } from "zod";
import { BaseEpisode } from "../../core/episode/base.js";
import { headingToQuatXyzw, type QuatXyzw, wrapAngle } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { check, type DataLocation, idSchema, subjectOf, whereOf } from "../check.js";
import type { DatasetFormat } from "../format.js";
import { partsOf } from "../parts.js";
import { readEach } from "../read-each.js";
import { hasKeys } from "../readers/json.js";
import { streamList } from "../readers/json-stream.js";

const unityPoint = z.object({ x: z.number(), y: z.number(), z: z.number() });

const episodeSchema = z.looseObject({
  id: idSchema,
  scene: z.string().min(1),
  object_type: z.string().min(1),
  initial_position: unityPoint,
  /** Degrees about the vertical axis, clockwise seen from above; 0 faces +z. */
  initial_orientation: z.number(),
  /** Downward pitch of the camera in degrees. */
  initial_horizon: z.number().nullish(),
  // The test split withholds these two.
  shortest_path: z.array(unityPoint).nullish(),
  shortest_path_length: z.number().nullish(),
});

type UnityPoint = z.output<typeof unityPoint>;

/**
 * Object-goal navigation in RoboTHOR (Deitke et al., CVPR 2020): a list of episodes per scene, or a folder
 * of such lists.
 *
 * Unity's axes are left-handed with +z forward, ours right-handed with -z forward, so z changes sign.
 * `initial_position` is the centre of the agent's body, 0.9 m up; ours is at its feet, at the height of the
 * path. The file does not give the object's position, so the goal is the end of the shortest path, where
 * the object is visible. RoboTHOR itself requires the object to be visible within 1 m, so its published
 * success rates are not comparable with a distance to that point.
 */
export const robothorFormat: DatasetFormat = {
  name: "robothor",
  description: "RoboTHOR ObjectNav: FloorPlan_*.json.gz, or a folder of them",
  taskTypes: ["objectnav"],
  profile: "habitat",

  detect: ({ head }) =>
    Array.isArray(head) &&
    hasKeys(head[0], "id", "scene", "object_type", "initial_position", "initial_orientation"),

  async *episodes(source) {
    const taskType = source.taskType ?? "objectnav";
    for (const file of await partsOf(source.path)) {
      const entries = streamList(file, "episodes");
      yield* readEach({ ...source, path: file }, entries, ([i, raw, text]) => {
        const subject = subjectOf(raw, "id", text);
        const at: DataLocation = { file, item: `[${i}]`, subject, text };
        return episodeOf(check(episodeSchema, raw, at), taskType, at);
      });
    }
  },
};

function episodeOf(
  raw: z.output<typeof episodeSchema>,
  taskType: string,
  at: DataLocation,
): BaseEpisode {
  const path = raw.shortest_path?.map(fromUnity) ?? [];
  const [x, middle, z] = fromUnity(raw.initial_position);
  const end = path.at(-1);
  return new BaseEpisode(
    {
      episodeId: raw.id,
      taskType,
      sceneId: raw.scene,
      startState: {
        position: [x, path[0]?.[1] ?? middle, z],
        rotation: fromUnityYaw(raw.initial_orientation),
      },
      goals: { object_category: raw.object_type, ...(end ? { position: end } : {}) },
      referenceData: end ? { path } : null,
      taskConfig: {
        initial_horizon: raw.initial_horizon ?? undefined,
        initial_position_y: middle,
        shortest_path_length: raw.shortest_path_length ?? undefined,
      },
    },
    whereOf(at),
  );
}

export function fromUnity({ x, y, z }: UnityPoint): Vec3 {
  // `0 - z` instead of `-z`: a coordinate of 0 must stay 0, since -0 hashes and prints differently.
  return [x, y, 0 - z];
}

/** Both conventions face forward at 0 and are seen from above; only the direction of rotation differs. */
export function fromUnityYaw(degrees: number): QuatXyzw {
  return headingToQuatXyzw(wrapAngle((-degrees * Math.PI) / 180));
}
