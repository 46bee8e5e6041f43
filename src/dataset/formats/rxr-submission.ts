import { z } from "zod";
import { vec3ListSchema } from "../../core/episode/number-lists.js";
import { STOP } from "../../core/interfaces/action.js";
import { check, type DataPlace, idSchema } from "../check.js";
import type { SubmissionFormat, SubmissionStep } from "../format.js";
import { hasKeys } from "../json.js";
import { streamJsonLines } from "../json-stream.js";
import { checkStart } from "./vlnce-submission.js";

const entrySchema = z.looseObject({ instruction_id: idSchema, path: vec3ListSchema });

/**
 * Submissions of RxR-CE: lines of `{instruction_id, path: [[x, y, z], ...]}`. They name the instruction,
 * not the episode. Positions that repeat are left out of them, so that turns and blocked steps are gone:
 * `steps_taken` and `collisions` of such a file say nothing. The end of the path is where the agent
 * stopped.
 */
export const rxrSubmission: SubmissionFormat = {
  detect: ({ head }) => hasKeys(head, "instruction_id", "path"),

  idOf: ({ instruction }) => String(instruction.instruction_id),

  async *predictions(path) {
    for await (const { value, line } of streamJsonLines(path)) {
      const at: DataPlace = { file: path, item: `line ${line}` };
      const { instruction_id: episodeId, path: raw } = check(entrySchema, value, at);
      yield { episodeId, raw, where: `${path}:${line}` };
    }
  },

  async trajectory(prediction, episode) {
    const at: DataPlace = {
      file: prediction.where,
      item: "path",
      subject: `episode ${episode.episodeId}`,
    };
    const path = check(vec3ListSchema, prediction.raw, at);
    checkStart(path, episode, at);
    const steps = path.map(
      (position, i): SubmissionStep => ({
        place: { position },
        action: i === 0 ? null : "move_forward",
      }),
    );
    const end = steps.at(-1);
    if (end) steps.push({ ...end, action: STOP });
    const { episodeId, sceneId } = episode;
    return { episodeId, sceneId, steps, stopped: true };
  },
};
