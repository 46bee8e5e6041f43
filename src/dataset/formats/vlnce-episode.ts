import { z } from "zod";
import { BaseEpisode, type EpisodeInit } from "../../core/episode/base.js";
import { numberListSchema, vec3ListSchema } from "../../core/episode/number-lists.js";
import { DataError } from "../../core/errors.js";
import { check, type DataLocation, whereOf } from "../check.js";
import type { DatasetSource } from "../format.js";
import { readEach } from "../read-each.js";
import { streamList } from "../readers/json-stream.js";
import {
  habitatFields,
  infoOf,
  placeOf,
  pointGoal,
  pointGoals,
  startOf,
} from "./habitat-episode.js";
import { type GroundTruth, readGroundTruth } from "./vlnce-ground-truth.js";

/** The episode fields that R2R-CE and RxR-CE share. */
export const vlnceSchema = z.looseObject({
  ...habitatFields,
  trajectory_id: z.union([z.number(), z.string()]).optional(),
  instruction: z.looseObject({
    instruction_text: z.string(),
    instruction_tokens: numberListSchema.nullish(),
  }),
  // The test splits withhold goals and path.
  goals: z.array(pointGoal).nullish(),
  reference_path: vec3ListSchema.nullish(),
});

type VlnceEpisode = z.output<typeof vlnceSchema>;

/** Fields that one dataset adds to the shared ones. */
interface Additions {
  readonly instruction?: Readonly<Record<string, unknown>>;
  readonly taskConfig?: EpisodeInit["taskConfig"];
}

/** Yields the episodes of a file, each with its ground truth if a ground-truth file exists. */
export async function* vlnceEpisodes<Raw extends VlnceEpisode>(
  source: DatasetSource,
  schema: z.ZodType<Raw>,
  additions: (raw: Raw) => Additions = () => ({}),
): AsyncGenerator<BaseEpisode> {
  const file = source.path;
  const truth = await readGroundTruth(source);
  yield* readEach(source, streamList(file, "episodes", "episodes"), ([i, entry, text]) => {
    const at = placeOf(file, i, entry, text);
    const raw = check(schema, entry, at);
    return episodeOf(raw, at, {
      taskType: source.taskType ?? "vln",
      truth,
      additions: additions(raw),
    });
  });
}

interface Context {
  readonly taskType: string;
  readonly truth?: GroundTruth | undefined;
  readonly additions?: Additions;
}

export function episodeOf(raw: VlnceEpisode, at: DataLocation, context: Context): BaseEpisode {
  const { taskType, truth, additions } = context;
  const answer = truth?.get(raw.episode_id);
  if (truth && !answer) {
    const problem = `episode ${raw.episode_id} is not in ${truth.file}`;
    throw new DataError("missing_ground_truth", problem, {
      where: whereOf(at),
      hint: "use files of the same split and version, or remove the ground-truth file to use the reference path",
    });
  }
  const { instruction_text: text, instruction_tokens: tokens } = raw.instruction;
  const path = raw.reference_path ?? undefined;
  return new BaseEpisode(
    {
      ...startOf(raw),
      taskType,
      goals: pointGoals(raw.goals),
      instruction: { text, ...(tokens ? { tokens } : {}), ...additions?.instruction },
      referenceData: path || answer ? { path, dense_path: answer?.locations } : null,
      taskConfig: {
        trajectory_id: raw.trajectory_id,
        ...infoOf(raw, "geodesic_distance"),
        gt_actions: answer?.actions,
        ...additions?.taskConfig,
      },
    },
    whereOf(at),
  );
}
