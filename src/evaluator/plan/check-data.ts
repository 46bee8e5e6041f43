import { DataError } from "../../core/errors.js";
import type { RunInfo } from "../../core/interfaces/result.js";
import type { RunPlan } from "./prepare.js";

/**
 * Throws if a plan's episodes differ from those of the run.
 *
 * @param hint the hint of the error
 * @returns tasks for which the run recorded no data digest
 */
export function checkData(info: RunInfo, { tasks }: RunPlan, hint: string): readonly string[] {
  const unknown: string[] = [];
  for (const { judged, data } of tasks) {
    const recorded = info.data?.[judged.name];
    if (!recorded) unknown.push(judged.name);
    else if (recorded.sha256 !== data.sha256) {
      throw new DataError(
        "data_changed",
        `the episodes of ${judged.name} differ from those of the run (${recorded.episodes} then, ${data.episodes} now)`,
        { where: judged.dataPath, hint },
      );
    }
  }
  return unknown;
}
