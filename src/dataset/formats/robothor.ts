import { z } from "zod";
import { BaseEpisode } from "../../core/episode/base.js";
import { headingToQuatXyzw, type QuatXyzw, wrapAngle } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { check, type DataPlace, idSchema, whereOf } from "../check.js";
import type { DatasetFormat } from "../format.js";
import { hasKeys } from "../json.js";
import { streamList } from "../json-stream.js";
import { partsOf } from "../parts.js";
import { readEach } from "../read-each.js";

const unityPoint = z.object({ x: z.number(), y: z.number(), z: z.number() });

const episodeSchema = z.looseObject({
  id: idSchema,
  scene: z.string().min(1),
  object_type: z.string().min(1),
  initial_position: unityPoint,
  /** Degrees about the vertical, clockwise seen from above; 0 looks along +z. */
  initial_orientation: z.number(),
  /** Degrees that the camera looks down. */
  initial_horizon: z.number().nullish(),
  // The test split keeps these two back.
  shortest_path: z.array(unityPoint).nullish(),
  shortest_path_length: z.number().nullish(),
});

type UnityPoint = z.output<typeof unityPoint>;

/**
 * Object-goal navigation in RoboTHOR (Deitke et al., CVPR 2020): a list of episodes per scene, or a
 * folder of such lists.
 *
 * Unity's axes are left-handed with +z ahead, ours right-handed with -z ahead, so z changes its sign.
 * `initial_position` is the middle of the agent's body, 0.9 m up; ours is its feet, at the height of the
 * path. The file does not say where the object is: the goal is the end of the shortest path, from where
 * it is seen. RoboTHOR itself asks that the object be visible within 1 m, so its published success rates
 * are not comparable with a distance to that point.
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
      yield* readEach(source, streamList(file, "episodes"), ([i, raw]) => {
        const subject = hasKeys(raw, "id") ? `episode ${raw.id}` : undefined;
        const at: DataPlace = { file, item: `[${i}]`, subject };
        return episodeOf(check(episodeSchema, raw, at), taskType, at);
      });
    }
  },
};

function episodeOf(
  raw: z.output<typeof episodeSchema>,
  taskType: string,
  at: DataPlace,
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
  // `0 - z` and not `-z`: a coordinate of 0 must stay 0, since -0 hashes and prints differently.
  return [x, y, 0 - z];
}

/** Ahead is 0 in both, and both see it from above: only the sense of turning differs. */
export function fromUnityYaw(degrees: number): QuatXyzw {
  return headingToQuatXyzw(wrapAngle((-degrees * Math.PI) / 180));
}
