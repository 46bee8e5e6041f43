import { type BaseEpisode, goalPoints, referencePoints } from "../../core/episode/base.js";
import type { EpisodeLine, RunInfo } from "../../core/interfaces/result.js";
import type { Vec3 } from "../../core/math/vec3.js";
import type { Trajectory } from "../../runs/directory/trajectory.js";
import { commands, replayCommand } from "../../runs/report/provenance.js";
import { stepOf } from "../../simulator/maps/handling.js";
import { dimensionsOf } from "./dimensions.js";
import type { EpisodeDocument } from "./documents.js";
import { bareEpisode, episodeIdOf } from "./episode-id.js";
import { eventsOf } from "./events.js";
import type { Scene } from "./heavy-jobs.js";
import { familyOf } from "./names.js";
import { whyOf } from "./why/index.js";

/** Maximum number of goals shown; ObjectNav may have hundreds of view points. */
const MOST_GOALS = 500;

/** @param trajectory undefined if none was saved */
export function episodeDocument(
  path: string,
  info: RunInfo,
  line: EpisodeLine,
  trajectory: Trajectory | undefined,
  scene: Scene,
): EpisodeDocument {
  const episode = trajectory?.episode ?? bareEpisode(line);
  const records = trajectory?.records ?? [];
  const isDrawn = "name" in scene;
  const isRun = info.kind === "run";
  return {
    id: episodeIdOf(line.episode_key, line.repeat),
    line,
    episode: episode.toDict(),
    family: familyOf(line.task_type),
    instruction: episode.instruction.text ?? null,
    records,
    events: eventsOf(records, line),
    why: whyOf(info, line, episode, records),
    scene: isDrawn ? scene.name : null,
    scene_note: isDrawn ? null : scene.note,
    reference_path: shownReference(episode),
    goals: goalPoints(episode).slice(0, MOST_GOALS).map(positionOf),
    ...dimensionsOf(info, line),
    has_map: records.some(({ state }) => stepOf(state) !== undefined),
    has_track:
      isDrawn &&
      (line.geometry !== undefined ||
        (isRun && records.some(({ state }) => state.qpos !== undefined))),
    // Navigation graphs have no images, and external simulators render their own.
    has_frames:
      isRun &&
      isDrawn &&
      line.geometry === undefined &&
      records[0] !== undefined &&
      records[0].state.node === undefined,
    rerun: rerunCommand(info, line, path),
    replay: replayCommand(info, line, path) ?? "",
  };
}

/** The dense reference trajectory if the episode has one, because it follows corners. */
function shownReference(episode: BaseEpisode): Vec3[] {
  return referencePoints(episode, "dense").map(positionOf);
}

function positionOf({ position }: { readonly position: Vec3 }): Vec3 {
  return position;
}

/** The run's command, restricted to this episode. */
function rerunCommand(info: RunInfo, line: EpisodeLine, path: string): string {
  const { task, scene_id, episode_id } = line;
  const plain = (text: string) => /^[^,|*=\s]+$/.test(text);
  if (info.kind === "score" || !plain(scene_id) || !plain(episode_id)) {
    return commands(info, path)[0] ?? "";
  }
  const filter = `task=${task},scene=${scene_id},id=${episode_id}`;
  const [command = ""] = commands({ ...info, selection: { filter } }, path);
  return command;
}
