import { z } from "zod";
import { BaseEpisode } from "../../core/episode/base.js";
import { quatXyzwSchema, vec3Schema } from "../../core/episode/schemas.js";
import { DataError } from "../../core/errors.js";
import { check, type DataPlace, idSchema, whereOf } from "../check.js";
import type { DatasetFormat } from "../format.js";
import { hasKeys, isRecord } from "../json.js";
import { streamList } from "../json-stream.js";
import { readEach } from "../read-each.js";
import { type GroundTruth, readGroundTruth } from "./vlnce-ground-truth.js";
import { vlnceSubmission } from "./vlnce-submission.js";

const episodeSchema = z.looseObject({
  episode_id: idSchema,
  trajectory_id: z.union([z.number(), z.string()]).optional(),
  scene_id: z.string().min(1),
  start_position: vec3Schema,
  start_rotation: quatXyzwSchema,
  info: z.looseObject({ geodesic_distance: z.unknown().optional() }).nullish(),
  // The test split keeps goals and path back.
  goals: z
    .array(z.looseObject({ position: vec3Schema, radius: z.number().nonnegative().nullish() }))
    .nullish(),
  instruction: z.looseObject({
    instruction_text: z.string(),
    instruction_tokens: z.array(z.number()).nullish(),
  }),
  reference_path: z.array(vec3Schema).nullish(),
});

type VlnceEpisode = z.output<typeof episodeSchema>;

/**
 * R2R in continuous environments (Krantz et al., ECCV 2020), `R2R_VLNCE_v1-3`. Ids are numbers in the
 * file and strings everywhere else. Version 1-2 has wrong start headings and looks the same.
 */
export const r2rVlnceFormat: DatasetFormat = {
  name: "r2r-vlnce",
  description: "R2R in continuous environments: {split}.json.gz, with {split}_gt.json.gz beside it",
  taskTypes: ["vln"],
  profile: "vlnce",

  detect: ({ head }) => {
    const first = isRecord(head) && Array.isArray(head.episodes) ? head.episodes[0] : undefined;
    return (
      hasKeys(first, "episode_id", "start_position", "start_rotation", "instruction") &&
      hasKeys(first.instruction, "instruction_text") &&
      // RxR's layout is the same but for this, and its instructions are not R2R's.
      !hasKeys(first.instruction, "instruction_id")
    );
  },

  async *episodes(source) {
    const file = source.path;
    const truth = await readGroundTruth(source);
    yield* readEach(source, streamList(file, "episodes", "episodes"), ([i, raw]) => {
      const id = hasKeys(raw, "episode_id") ? `episode ${raw.episode_id}` : undefined;
      const at: DataPlace = { file, item: `episodes[${i}]`, subject: id };
      return episodeOf(check(episodeSchema, raw, at), truth, source.taskType ?? "vln", at);
    });
  },

  submission: vlnceSubmission,
};

/** One entry of such a file, for callers that hold it in memory. */
export function vlnceEpisode(raw: unknown, where: string): BaseEpisode {
  const at: DataPlace = { file: where, item: "episode" };
  return episodeOf(check(episodeSchema, raw, at), undefined, "vln", at);
}

function episodeOf(
  raw: VlnceEpisode,
  truth: GroundTruth | undefined,
  taskType: string,
  at: DataPlace,
): BaseEpisode {
  const episodeId = raw.episode_id;
  const answer = truth?.get(episodeId);
  if (truth && !answer) {
    throw new DataError("missing_ground_truth", `episode ${episodeId} is not in ${truth.file}`, {
      where: whereOf(at),
      hint: "both files must be of the same split and version; without a ground-truth file, the reference path is used",
    });
  }
  const tokens = raw.instruction.instruction_tokens;
  const path = raw.reference_path ?? undefined;
  return new BaseEpisode(
    {
      episodeId,
      taskType,
      sceneId: raw.scene_id.replace(/^data\/scene_datasets\//, ""),
      startState: { position: raw.start_position, rotation: raw.start_rotation },
      goals: goalsOf(raw),
      instruction: { text: raw.instruction.instruction_text, ...(tokens ? { tokens } : {}) },
      referenceData: path || answer ? { path, dense_path: answer?.locations } : null,
      taskConfig: {
        trajectory_id: raw.trajectory_id,
        geodesic_distance: raw.info?.geodesic_distance,
        gt_actions: answer?.actions,
      },
    },
    whereOf(at),
  );
}

function goalsOf({ goals }: VlnceEpisode): BaseEpisode["goals"] {
  const [first, ...others] = goals ?? [];
  if (!first) return {};
  const one = { position: first.position, radius: first.radius };
  if (others.length === 0) return one;
  return { ...one, positions: [first, ...others].map((goal) => goal.position) };
}
