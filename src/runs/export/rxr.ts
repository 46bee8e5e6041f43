import { open } from "node:fs/promises";
import { DataError, show } from "../../core/errors.js";
import { samePoint, type Vec3 } from "../../core/math/vec3.js";
import type { ExportFormat } from "./format.js";
import { nameOf } from "./steps.js";
import { checkSubmission, Ids, type Walk, walksOf } from "./submission.js";

/**
 * A submission to RxR-CE: lines of `{"instruction_id": 71, "path": [[x, y, z], ...]}`, a position only where it
 * changed. Headings and stops have no place in it.
 */
export const rxrFormat: ExportFormat = {
  name: "rxr",
  description: "submission to RxR-CE: the path walked for each instruction (JSON lines)",
  kind: () => "file",
  takes: ["partial"],

  async write(source, to) {
    const { repeats, invalid } = await checkSubmission(source, "rxr");
    const ids = new Ids();
    const file = await open(to, "wx");
    try {
      let [episodes, unstopped] = [0, 0];
      for await (const walk of walksOf(source, "RxR-CE")) {
        const id = instructionId(walk);
        ids.add(String(id), "instruction_id", walk);
        const line = { instruction_id: id, path: pathOf(walk.positions) };
        await file.writeFile(`${JSON.stringify(line)}\n`);
        if (!walk.stopped) unstopped++;
        episodes++;
      }
      await file.sync();
      if (unstopped > 0) {
        source.note(
          `${unstopped} episodes ended without stop; an RxR-CE file cannot say so, and each is judged as if the agent had stopped where it was`,
        );
      }
      return { episodes, left_out: repeats + invalid };
    } finally {
      await file.close();
    }
  },
};

/** A whole number in the submission, whatever it is in the dataset. */
function instructionId({ episode, line, where }: Walk): number {
  const id = episode.instruction.instruction_id;
  const value = /^\d+$/.test(String(id)) ? Number(id) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw new DataError(
    "no_instruction_id",
    `${nameOf(line)}: instruction.instruction_id should be a whole number, got ${show(id)}`,
    { where, hint: "only RxR's episodes have one; for R2R-CE's use --to r2r-ce" },
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
