import type { BaseEpisode } from "../../core/episode/base.js";
import { check, type DataLocation } from "../check.js";
import type { DatasetFormat } from "../format.js";
import { hasKeys } from "../readers/json.js";
import { firstHabitatEpisode } from "./habitat-episode.js";
import { episodeOf, vlnceEpisodes, vlnceSchema } from "./vlnce-episode.js";
import { vlnceSubmission } from "./vlnce-submission.js";

/**
 * R2R in continuous environments (Krantz et al., ECCV 2020), `R2R_VLNCE_v1-3`. Ids are numbers in the file
 * and strings everywhere else. Version 1-2 has wrong start headings and is otherwise indistinguishable.
 */
export const r2rVlnceFormat: DatasetFormat = {
  name: "r2r-vlnce",
  description: "R2R in continuous environments: {split}.json.gz, with {split}_gt.json.gz beside it",
  taskTypes: ["vln"],
  profile: "vlnce",

  detect: ({ head }) => {
    const instruction = firstHabitatEpisode(head)?.instruction;
    // RxR's layout differs only in this field.
    return hasKeys(instruction, "instruction_text") && !hasKeys(instruction, "instruction_id");
  },

  episodes: (source) => vlnceEpisodes(source, vlnceSchema),

  submission: vlnceSubmission,
};

/** Parses one entry of such a file, for callers that have it in memory. */
export function vlnceEpisode(raw: unknown, where: string): BaseEpisode {
  const at: DataLocation = { file: where, item: "episode" };
  return episodeOf(check(vlnceSchema, raw, at), at, { taskType: "vln" });
}
