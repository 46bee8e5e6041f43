import { z } from "zod";
import { BaseEpisode } from "../../core/episode/base.js";
import { quatXyzwSchema, vec3Schema } from "../../core/episode/number-lists.js";
import { rotate } from "../../core/math/quat-wxyz.js";
import type { QuatXyzw } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { check, type DataLocation, errorAt, whereOf } from "../check.js";
import type { DatasetFormat } from "../format.js";
import { partsOf } from "../parts.js";
import { readEach } from "../read-each.js";
import { hasKeys } from "../readers/json.js";
import { streamList } from "../readers/json-stream.js";
import { firstHabitatEpisode, habitatFields, placeOf, startOf } from "./habitat-episode.js";
import { quatOf, stemOf, upright } from "./ovmm-objects.js";

const row = z.array(z.number().finite()).length(4);
/** Row by row; the number of a row in the split's `transformations.npy` in files that store poses there. */
const transformSchema = z.union([z.array(row).min(3).max(4), z.number().int()]);

const viewPointSchema = z.union([
  z.object({ agent_state: z.object({ position: vec3Schema, rotation: quatXyzwSchema }) }),
  // The number of a row in the split's `viewpoints.npy`.
  z.number().int(),
]);

const candidatesSchema = z.array(
  z.looseObject({
    object_name: z.string().nullish(),
    object_id: z.union([z.string(), z.number()]).nullish(),
    object_category: z.string().nullish(),
    position: vec3Schema,
    view_points: z.array(viewPointSchema).nullish(),
  }),
);

const episodeSchema = z.looseObject({
  ...habitatFields,
  object_category: z.string().min(1),
  start_recep_category: z.string().min(1),
  goal_recep_category: z.string().min(1),
  rigid_objs: z.array(z.tuple([z.string().min(1), transformSchema])),
  targets: z.record(z.string(), z.unknown()).nullish(),
  target_receptacles: z.array(z.tuple([z.string(), z.unknown()])).nullish(),
  goal_receptacles: z.array(z.tuple([z.string(), z.unknown()])).nullish(),
  candidate_objects: candidatesSchema.nullish(),
  candidate_objects_hard: candidatesSchema.nullish(),
  candidate_start_receps: candidatesSchema.nullish(),
  candidate_goal_receps: candidatesSchema.nullish(),
});

type Raw = z.output<typeof episodeSchema>;

/** An object or receptacle that an episode may mean, and poses [x, y, theta] from which it is seen. */
export interface Candidate {
  readonly name: string;
  readonly category: string;
  readonly position: Vec3;
  readonly view_points: readonly Vec3[];
}

/**
 * Episodes of HomeRobot's OVMM challenge (Yenamandra et al. 2023, arXiv 2306.11565), as its `OVMMDataset-v0` reads them.
 * Positions are converted to the axes of rearrange episodes: z up.
 */
export const ovmmFormat: DatasetFormat = {
  name: "ovmm",
  description: "HomeRobot OVMM episodes: {split}.json.gz, or an index with content/<scene>.json.gz",
  taskTypes: ["rearrange"],
  profile: "ovmm",

  detect: ({ head }) =>
    hasKeys(head, "recep_category_to_recep_category_id") || isOvmm(firstHabitatEpisode(head)),

  async *episodes(source) {
    const taskType = source.taskType ?? "rearrange";
    for (const file of await partsOf(source.path)) {
      const entries = streamList(file, "episodes", "episodes");
      yield* readEach({ ...source, path: file }, entries, ([i, entry, text]) =>
        episodeOf(entry, taskType, placeOf(file, i, entry, text)),
      );
    }
  },
};

/** Whether an entry in Habitat's layout is an OVMM episode. */
export function isOvmm(first: unknown): boolean {
  return hasKeys(first, "start_recep_category", "goal_recep_category");
}

function episodeOf(entry: unknown, taskType: string, at: DataLocation): BaseEpisode {
  const raw = check(episodeSchema, entry, at);
  const { object_category: category, start_recep_category, goal_recep_category } = raw;
  const { episodeId, sceneId } = startOf(raw);
  const objects = objectsOf(raw, at);
  const target = targetOf(raw, objects, at);
  const words = (name: string) => name.replaceAll("_", " ");
  const said: unknown = raw.info?.instruction;
  return new BaseEpisode(
    {
      episodeId,
      sceneId,
      taskType,
      startState: { base_pose: poseOf(raw.start_position, raw.start_rotation) },
      goals: {
        target_object: { name: target, category },
        start_receptacle: {
          name: raw.target_receptacles?.[0]?.[0] ?? start_recep_category,
          category: start_recep_category,
        },
        target_location: {
          receptacle: raw.goal_receptacles?.[0]?.[0] ?? goal_recep_category,
          category: goal_recep_category,
        },
        candidates: {
          objects: candidatesOf(raw.candidate_objects, category),
          objects_hard: candidatesOf(raw.candidate_objects_hard, category),
          start_receptacles: candidatesOf(raw.candidate_start_receps, start_recep_category),
          goal_receptacles: candidatesOf(raw.candidate_goal_receps, goal_recep_category),
        },
        success_criteria: { type: "rearranged" },
      },
      instruction: {
        // The goal specification that HomeRobot's agents get.
        text:
          typeof said === "string"
            ? said
            : `Move ${words(category)} from the ${words(start_recep_category)} to the ${words(goal_recep_category)}`,
      },
      taskConfig: {
        robot_config: { robot_type: "stretch_mobile" },
        scene_objects: objects.map(({ handle: _, ...object }) => object),
        ...(raw.scene_dataset_config ? { scene_dataset_config: raw.scene_dataset_config } : {}),
      },
    },
    whereOf(at),
  );
}

/** Numbers objects with the same file as Habitat does: `mug_3_:0000` is the first. */
function objectsOf({ rigid_objs }: Raw, at: DataLocation) {
  const counts = new Map<string, number>();
  return rigid_objs.map(([file, transform], i) => {
    if (typeof transform === "number") {
      throw errorAt(at, "separate_poses", `rigid_objs[${i}] has its pose in another file`, {
        hint: "poses must be 4x4 matrices in the episode, not rows of transformations.npy: download the episodes with poses",
      });
    }
    const stem = stemOf(file);
    const number = counts.get(stem) ?? 0;
    counts.set(stem, number + 1);
    const [x = [], y = [], z = []] = transform;
    const model = /^(.+)_(\d+)$/.exec(stem);
    return {
      handle: `${stem}_:${String(number).padStart(4, "0")}`,
      name: `${stem}_${number + 1}`.replaceAll(/[^\w.-]/g, "_"),
      // What this program wrote names a model of its catalogue.
      ...(/\.robot_eval\./.test(file) && model ? { model: `${model[1]}/${model[2]}` } : {}),
      position: fromHabitat([x[3] ?? 0, y[3] ?? 0, z[3] ?? 0]),
      rotation_wxyz: upright(quatOf([x, y, z])),
    };
  });
}

/** The object that `targets` names, else the first. */
function targetOf(
  { targets }: Raw,
  objects: ReturnType<typeof objectsOf>,
  at: DataLocation,
): string {
  const [first] = Object.keys(targets ?? {});
  const found = first === undefined ? objects[0] : objects.find(({ handle }) => handle === first);
  if (found) return found.name;
  throw errorAt(at, "missing_target", `targets names ${first ?? "no object"}, which is not there`, {
    hint: `rigid_objs has ${objects.map(({ handle }) => handle).join(", ") || "no objects"}`,
  });
}

function candidatesOf(
  list: z.output<typeof candidatesSchema> | null | undefined,
  usual: string,
): Candidate[] {
  return (list ?? []).map(({ object_name, object_id, object_category, position, view_points }) => ({
    name: object_name ?? String(object_id ?? usual),
    category: object_category ?? usual,
    position: fromHabitat(position),
    view_points: (view_points ?? []).flatMap((view) =>
      typeof view === "number"
        ? []
        : [poseOf(view.agent_state.position, view.agent_state.rotation)],
    ),
  }));
}

/** x, y and heading; Habitat's articulated robots face +x of their own frame. */
function poseOf(position: Vec3, [qx, qy, qz, qw]: QuatXyzw): [number, number, number] {
  const [x, y] = fromHabitat(position);
  const ahead = rotate([qw, qx, qy, qz], [1, 0, 0]);
  return [x, y, Math.atan2(0 - ahead[2], ahead[0]) + 0];
}

function fromHabitat([x, y, z]: Vec3): Vec3 {
  return [x, 0 - z, y];
}
