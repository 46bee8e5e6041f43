import { DataError } from "../core/errors.js";
import type { RunInfo } from "../core/interfaces/result.js";
import type { RunPlan } from "./prepare.js";

/**
 * Throws where a plan's episodes are not those that the run had.
 *
 * @param hint what whoever reads the error can do
 * @returns the tasks of which the run does not say what its data was
 */
export function checkData(info: RunInfo, { tasks }: RunPlan, hint: string): readonly string[] {
  const unknown: string[] = [];
  for (const { judged, data } of tasks) {
    const recorded = info.data?.[judged.name];
    if (!recorded) unknown.push(judged.name);
    else if (recorded.sha256 !== data.sha256) {
      throw new DataError(
        "data_changed",
        `the episodes of ${judged.name} are not those of the run (${recorded.episodes} then, ${data.episodes} now)`,
        { where: judged.dataPath, hint },
      );
    }
  }
  return unknown;
}
