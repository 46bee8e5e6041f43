import { z } from "zod";
import { idSchema } from "../check.js";
import type { DatasetFormat } from "../format.js";
import { hasKeys } from "../readers/json.js";
import { firstHabitatEpisode } from "./habitat-episode.js";
import { rxrSubmission } from "./rxr-submission.js";
import { vlnceEpisodes, vlnceSchema } from "./vlnce-episode.js";

const episodeSchema = vlnceSchema.extend({
  instruction: vlnceSchema.shape.instruction.extend({
    instruction_id: idSchema,
    /** `en-US`, `en-IN`, `hi-IN` or `te-IN`. */
    language: z.string().min(1),
    annotator_id: idSchema.nullish(),
    edit_distance: z.number().nullish(),
    /** The time in seconds at which the guide said each word; missing for some words. */
    timed_instruction: z.array(z.looseObject({ word: z.string() })).nullish(),
  }),
});

/** In degrees. RxR-CE's agents turn twice as far per step as R2R-CE's. */
const TURN_ANGLE = 30;

/**
 * RxR in continuous environments (Ku et al., EMNLP 2020), `RxR_VLNCE_v0`: R2R-CE's layout with instructions
 * in three languages, spoken by guides and walked by followers. An instruction keeps its metadata
 * (language, annotator, times).
 */
export const rxrVlnceFormat: DatasetFormat = {
  name: "rxr-vlnce",
  description:
    "RxR in continuous environments: {split}_{guide|follower}.json.gz, with ..._gt.json.gz beside it",
  taskTypes: ["vln"],
  profile: "vlnce",

  detect: ({ head }) =>
    hasKeys(firstHabitatEpisode(head)?.instruction, "instruction_text", "instruction_id"),

  episodes: (source) =>
    vlnceEpisodes(source, episodeSchema, ({ instruction }) => {
      const { instruction_text: _text, instruction_tokens: _tokens, ...about } = instruction;
      return { instruction: about, taskConfig: { turn_angle_deg: TURN_ANGLE } };
    }),

  submission: rxrSubmission,
};
