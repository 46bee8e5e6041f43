import type { EpisodeLine, RunInfo } from "../../../core/interfaces/result.js";
import type { RunDirectory } from "../../../runs/run-directory.js";
import type { PoseTrack } from "../documents.js";
import { foreignTrack } from "./foreign-world.js";
import { trackOf } from "./pose-track-of.js";
import { planOf, trajectoryOf } from "./recorded.js";
import { resimulate } from "./resimulate.js";
import { drawnConfig, isShown, shownWorld } from "./shown.js";

/**
 * Where the bodies of a manipulation world were at each step. Undefined where nothing was recorded, or nothing is
 * handled.
 *
 * @throws DataError where the trajectory is damaged, a scene is gone, or the episode comes out otherwise
 */
export async function poseTrack(
  run: RunDirectory,
  info: RunInfo,
  line: EpisodeLine,
): Promise<PoseTrack | undefined> {
  const trajectory = await trajectoryOf(run, line);
  if (!trajectory) return undefined;
  if (line.geometry !== undefined) return foreignTrack(run, line, trajectory);
  if (info.kind !== "run") return undefined;
  const plan = await planOf(run, info, line, trajectory);
  if (!isShown(plan)) return undefined;
  return trackOf(trajectory.records.length, (visit) =>
    resimulate(plan, line, trajectory, drawnConfig(plan), (_, step, simulator) =>
      visit(shownWorld(simulator).physics, step),
    ),
  );
}
