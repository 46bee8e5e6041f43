import type { EpisodeLine, RunInfo } from "../../../core/interfaces/result.js";
import type { RunDirectory } from "../../../runs/directory/run-directory.js";
import type { PoseTrack } from "../documents.js";
import type { ViewPermissions } from "../view-permissions.js";
import { foreignTrack } from "./foreign-world.js";
import { trackOf } from "./pose-track-of.js";
import { planOf, trajectoryOf } from "./recorded.js";
import { resimulate } from "./resimulate.js";
import { drawnConfig, isShown, shownWorld } from "./shown.js";

/**
 * Poses of the bodies of a manipulation world at each step. Undefined if no trajectory was saved or the task has no
 * such world.
 *
 * @throws DataError if the trajectory is damaged, a scene is missing, or the replay differs
 */
export async function poseTrack(
  run: RunDirectory,
  info: RunInfo,
  line: EpisodeLine,
  permissions: ViewPermissions = {},
): Promise<PoseTrack | undefined> {
  const trajectory = await trajectoryOf(run, line);
  if (!trajectory) return undefined;
  if (line.geometry !== undefined) return foreignTrack(run, line, trajectory);
  if (info.kind !== "run") return undefined;
  const plan = await planOf(run, info, line, trajectory, permissions);
  if (!isShown(plan)) return undefined;
  return trackOf(trajectory.records.length, (visit) =>
    resimulate(plan, line, trajectory, drawnConfig(plan), (_, step, simulator) =>
      visit(shownWorld(simulator).physics, step),
    ),
  );
}
