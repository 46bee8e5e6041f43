import { DataError, show } from "../../core/errors.js";
import { samePoint, type Vec3 } from "../../core/math/vec3.js";
import { createSynced } from "../../dataset/write-file.js";
import type { ExportFormat } from "./format.js";
import { nameOf } from "./steps.js";
import { checkSubmission, Ids, type Walk, walksOf } from "./submission.js";

/**
 * A submission to RxR-CE: lines of `{"instruction_id": 71, "path": [[x, y, z], ...]}`. Repeated positions are
 * omitted. The format has no headings or stops.
 */
export const rxrFormat: ExportFormat = {
  name: "rxr",
  description: "submission to RxR-CE: the path walked for each instruction (JSON lines)",
  kind: () => "file",
  takes: ["partial"],

  async write(source, to) {
    const { repeats, invalid } = await checkSubmission(source, "rxr");
    const ids = new Ids();
    return createSynced(to, async (file) => {
      let [episodes, unstopped] = [0, 0];
      for await (const walk of walksOf(source, "RxR-CE")) {
        const id = instructionId(walk);
        ids.add(String(id), "instruction_id", walk);
        const line = { instruction_id: id, path: pathOf(walk.positions) };
        await file.writeFile(`${JSON.stringify(line)}\n`);
        if (!walk.stopped) unstopped++;
        episodes++;
      }
      if (unstopped > 0) {
        source.note(
          `${unstopped} episodes ended without stop, which an RxR-CE file cannot express: each will be scored as if the agent had stopped at its last position`,
        );
      }
      return { episodes, left_out: repeats + invalid };
    });
  },
};

/** Converts the instruction id to the integer that the submission format requires. */
function instructionId({ episode, line, where }: Walk): number {
  const id = episode.instruction.instruction_id;
  const value = /^\d+$/.test(String(id)) ? Number(id) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw new DataError(
    "no_instruction_id",
    `${nameOf(line)}: instruction.instruction_id must be an integer, got ${show(id)}`,
    {
      where,
      hint: "only RxR episodes have an instruction_id; export R2R-CE episodes with --to r2r-ce",
    },
  );
}

function pathOf(positions: readonly Vec3[]): Vec3[] {
  const path: Vec3[] = [];
  for (const position of positions) {
    const last = path.at(-1);
    if (!last || !samePoint(last, position)) path.push(position);
  }
  return path;
}
