import { DataError } from "../../core/errors.js";
import { quatXyzwToHeading } from "../../core/math/rotation.js";
import { createSynced } from "../../dataset/write-file.js";
import type { ExportFormat } from "./format.js";
import { nameOf } from "./steps.js";
import { checkSubmission, Ids, type Walk, walksOf } from "./submission.js";

/**
 * A submission to R2R-CE, `{"<episode_id>": [{position, heading, stop}, ...]}`: the agent's states, starting with
 * the one after reset, as VLN-CE's inference writes them. Axes and headings need no conversion.
 */
export const r2rCeFormat: ExportFormat = {
  name: "r2r-ce",
  description: "submission to R2R-CE: positions, headings and stop of every step (JSON)",
  kind: () => "file",
  takes: ["partial"],

  async write(source, to) {
    const { repeats, invalid } = await checkSubmission(source, "r2r-ce");
    const ids = new Ids();
    return createSynced(to, async (file) => {
      let episodes = 0;
      await file.writeFile("{");
      for await (const walk of walksOf(source, "R2R-CE")) {
        const id = walk.episode.episodeId;
        ids.add(id, "id", walk);
        const entry = `${JSON.stringify(id)}: ${JSON.stringify(statesOf(walk))}`;
        await file.writeFile(`${episodes === 0 ? "" : ","}\n${entry}`);
        episodes++;
      }
      await file.writeFile("\n}\n");
      return { episodes, left_out: repeats + invalid };
    });
  },
};

function statesOf(walk: Walk): object[] {
  const { records, positions, stopped } = walk;
  return records.map(({ state, step }, i) => {
    const { heading = state.rotation && quatXyzwToHeading(state.rotation) } = state;
    if (heading === undefined) {
      throw new DataError("no_heading", `${nameOf(walk.line)}, step ${step}: no heading`, {
        where: walk.where,
        hint: "R2R-CE requires a heading in every state; RxR-CE (--to rxr) does not",
      });
    }
    return { position: positions[i], heading, stop: stopped && i === records.length - 1 };
  });
}
