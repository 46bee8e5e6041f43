import { z } from "zod";
import { vec3ListSchema } from "../../core/episode/number-lists.js";
import { STOP } from "../../core/interfaces/action.js";
import { check, type DataLocation, idSchema, subjectOf } from "../check.js";
import type { SubmissionFormat, SubmissionStep } from "../format.js";
import { hasKeys } from "../readers/json.js";
import { streamJsonLines } from "../readers/json-stream.js";
import { checkStart } from "./vlnce-submission.js";

const entrySchema = z.looseObject({ instruction_id: idSchema, path: vec3ListSchema });

/**
 * RxR-CE submissions: lines of `{instruction_id, path: [[x, y, z], ...]}`. They name the instruction, not
 * the episode. Repeated positions are omitted, which loses turns and blocked steps, so `steps_taken` and
 * `collisions` are meaningless for such a file. The agent stops at the end of the path.
 */
export const rxrSubmission: SubmissionFormat = {
  detect: ({ head }) => hasKeys(head, "instruction_id", "path"),

  idOf: ({ instruction }) => String(instruction.instruction_id),

  async *predictions(path) {
    for await (const { value, line, text } of streamJsonLines(path)) {
      const subject = subjectOf(value, "instruction_id", text, "instruction");
      const at: DataLocation = { file: path, item: `line ${line}`, subject, text };
      const { instruction_id: episodeId, path: raw } = check(entrySchema, value, at);
      yield { episodeId, raw, where: `${path}:${line}` };
    }
  },

  async trajectory(prediction, episode) {
    const at: DataLocation = {
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
