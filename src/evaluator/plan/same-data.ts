import { DataError } from "../../core/errors.js";
import type { RunInfo } from "../../core/interfaces/result.js";
import type { RunPlan } from "./prepare.js";

/**
 * Throws if a plan's episodes differ from those of the run.
 *
 * @param hint the hint of the error
 * @returns tasks for which the run recorded no data digest
 */
export function checkSameData(info: RunInfo, { tasks }: RunPlan, hint: string): readonly string[] {
  const unknown: string[] = [];
  for (const { task, data } of tasks) {
    const recorded = info.data?.[task.name];
    if (!recorded) unknown.push(task.name);
    else if (recorded.sha256 !== data.sha256) {
      throw new DataError(
        "data_changed",
        `the episodes of ${task.name} differ from those of the run (${recorded.episodes} then, ${data.episodes} now)`,
        { where: task.dataPath, hint },
      );
    }
  }
  return unknown;
}
