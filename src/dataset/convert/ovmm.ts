import { basename, join } from "node:path";
import { z } from "zod";
import type { BaseEpisode } from "../../core/episode/base.js";
import { vec3ListSchema, vec3Schema } from "../../core/episode/number-lists.js";
import { DataError } from "../../core/errors.js";
import { aboutAxis } from "../../core/math/quat-wxyz.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { type Candidate, ovmmFormat } from "../formats/ovmm.js";
import { lying, matrixOf } from "../formats/ovmm-objects.js";
import type { Drops } from "./drops.js";
import { checkJsonName, infoOf, writePacked } from "./habitat.js";
import type { ConvertTarget } from "./target.js";

const NOT_STORED = "OVMM files cannot store it";

const candidates = z.array(
  z.object({
    name: z.string(),
    category: z.string(),
    position: vec3Schema,
    view_points: vec3ListSchema,
  }),
);

/** What an OVMM episode needs of a rearrange episode. */
const needed = z.looseObject({
  start_state: z.looseObject({ base_pose: z.tuple([z.number(), z.number(), z.number()]) }),
  goals: z.looseObject({
    target_object: z.looseObject({ name: z.string(), category: z.string() }),
    start_receptacle: z.looseObject({ name: z.string(), category: z.string() }),
    target_location: z.looseObject({ receptacle: z.string(), category: z.string() }),
    candidates: z
      .looseObject({
        objects: candidates,
        objects_hard: candidates.optional(),
        start_receptacles: candidates,
        goal_receptacles: candidates,
      })
      .optional(),
  }),
  task_config: z.looseObject({
    scene_objects: z.array(
      z.looseObject({
        name: z.string(),
        model: z.string().optional(),
        position: vec3Schema,
        yaw: z.number().optional(),
        rotation_wxyz: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
      }),
    ),
  }),
});

type Rearrange = z.output<typeof needed>;

/** HomeRobot's OVMM episodes, with all scenes in one file. */
export const ovmmTarget: ConvertTarget = {
  name: ovmmFormat.name,
  description: "HomeRobot OVMM episodes of all scenes in one file",
  kind: "file",

  checkOut: (out) => checkJsonName(out, "an OVMM"),

  paths: (out) => [out],

  async write(episodes, folder, { out, drops, note }) {
    const lines: string[] = [];
    const [objects, receptacles] = [new Set<string>(), new Set<string>()];
    for await (const episode of episodes) {
      const checked = checkedEpisode(episode, out);
      const { target_object, start_receptacle, target_location } = checked.goals;
      objects.add(target_object.category);
      receptacles.add(start_receptacle.category).add(target_location.category);
      lines.push(JSON.stringify(entryOf(episode, checked, drops)));
    }
    note("objects are renamed after their files, as in Habitat: mug_3_:0000");
    const text = [
      `{"episodes": [\n${lines.join(",\n")}\n],`,
      `"obj_category_to_obj_category_id": ${JSON.stringify(numbered(objects))},`,
      `"recep_category_to_recep_category_id": ${JSON.stringify(numbered(receptacles))}}\n`,
    ];
    await writePacked(join(folder, basename(out)), text.join("\n"));
  },
};

/** In alphabetical order, so that the ids do not depend on the order of the episodes. */
function numbered(names: ReadonlySet<string>): Readonly<Record<string, number>> {
  return Object.fromEntries([...names].sort().map((name, i) => [name, i]));
}

function checkedEpisode(episode: BaseEpisode, out: string): Rearrange {
  const result = needed.safeParse(episode.toDict());
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const { episodeId, taskType } = episode;
  throw new DataError(
    "not_convertible",
    `episode ${episodeId} (${taskType}) has no valid ${issue?.path.join(".")}, which OVMM episodes require: ${issue?.message}`,
    {
      where: out,
      hint: "only rearrange episodes can be written as ovmm; convert others to native",
    },
  );
}

function entryOf(episode: BaseEpisode, checked: Rearrange, drops: Drops) {
  const { goals, task_config, start_state } = checked;
  dropOthers(episode, drops);
  const objects = numberedObjects(task_config.scene_objects);
  const target = objects.find(({ name }) => name === goals.target_object.name) ?? objects[0];
  const { receptacle, category: goalCategory } = goals.target_location;
  const { name: start, category: startCategory } = goals.start_receptacle;
  const of = goals.candidates;
  const [x, y, thetaRad] = start_state.base_pose;
  const info = {
    ...infoOf(episode, "geodesic_distance"),
    ...(episode.instruction.text === undefined ? {} : { instruction: episode.instruction.text }),
  };
  return {
    episode_id: episode.episodeId,
    scene_id: episode.sceneId,
    scene_dataset_config: episode.taskConfig.scene_dataset_config ?? "default",
    additional_obj_config_paths: [],
    start_position: toHabitat([x, y, 0]),
    start_rotation: facing(thetaRad),
    info,
    ao_states: {},
    rigid_objs: objects.map(({ file, matrix }) => [file, matrix]),
    targets: target ? { [target.handle]: target.matrix } : {},
    markers: [],
    target_receptacles: [[start, null]],
    goal_receptacles: [[receptacle, null]],
    name_to_receptacle: target ? { [target.handle]: start } : {},
    object_category: goals.target_object.category,
    start_recep_category: startCategory,
    goal_recep_category: goalCategory,
    candidate_objects: (of?.objects ?? []).map(candidateOf),
    candidate_objects_hard: (of?.objects_hard ?? of?.objects ?? []).map(candidateOf),
    candidate_start_receps: (of?.start_receptacles ?? []).map(candidateOf),
    candidate_goal_receps: (of?.goal_receptacles ?? []).map(candidateOf),
  };
}

function dropOthers(episode: BaseEpisode, drops: Drops): void {
  const { startState, goals, instruction, referenceData, taskConfig, simParams } = episode;
  const held = ["target_object", "start_receptacle", "target_location", "candidates"];
  drops.addOthers("start_state", startState, ["base_pose"], NOT_STORED);
  drops.addOthers("goals", goals, [...held, "success_criteria"], NOT_STORED);
  drops.addOthers("instruction", instruction, ["text"], NOT_STORED);
  drops.addOthers("reference_data", referenceData, [], NOT_STORED);
  drops.addOthers(
    "task_config",
    taskConfig,
    ["scene_objects", "robot_config", "geodesic_distance", "scene_dataset_config"],
    NOT_STORED,
  );
  drops.addOthers("sim_params", simParams, [], NOT_STORED);
}

/** With the names that Habitat gives to the objects of an episode. */
function numberedObjects(objects: Rearrange["task_config"]["scene_objects"]) {
  const counts = new Map<string, number>();
  return objects.map(({ name, model, position, yaw = 0, rotation_wxyz }) => {
    const stem = (model ?? name).replaceAll("/", "_");
    const number = counts.get(stem) ?? 0;
    counts.set(stem, number + 1);
    return {
      name,
      file: `${stem}.${model === undefined ? "" : "robot_eval."}object_config.json`,
      handle: `${stem}_:${String(number).padStart(4, "0")}`,
      matrix: matrixOf(
        toHabitat(position),
        rotation_wxyz ? lying(rotation_wxyz) : aboutAxis([0, 1, 0], yaw),
      ),
    };
  });
}

function candidateOf({ name, category, position, view_points }: Candidate) {
  return {
    position: toHabitat(position),
    radius: null,
    object_id: name,
    object_name: name,
    object_name_id: null,
    object_category: category,
    room_id: null,
    room_name: null,
    view_points: view_points.map(([x, y, thetaRad]) => ({
      agent_state: { position: toHabitat([x, y, 0]), rotation: facing(thetaRad) },
      // Habitat's loader requires the key; only tools that choose the best view read the value.
      iou: null,
    })),
  };
}

function toHabitat([x, y, z]: Vec3): Vec3 {
  return [x, z, 0 - y];
}

/** A rotation about y as [x, y, z, w]. */
function facing(thetaRad: number): readonly number[] {
  return [0, Math.sin(thetaRad / 2), 0, Math.cos(thetaRad / 2)];
}
