import { BaseEpisode, goalPlaces, referencePlaces } from "../../core/episode/base.js";
import type { EpisodeLine, RunInfo } from "../../core/interfaces/result.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { commands, replayCommand } from "../../runs/report/provenance.js";
import type { Trajectory } from "../../runs/trajectory.js";
import { dimensionsOf } from "./dimensions.js";
import type { EpisodeDocument } from "./documents.js";
import { episodeIdOf } from "./episode-id.js";
import { eventsOf } from "./events.js";
import type { Scene } from "./heavy-jobs.js";
import { familyOf } from "./names.js";
import { whyOf } from "./why/index.js";

/** Goals that are shown; ObjectNav may have hundreds of view points. */
const MOST_GOALS = 500;

/** @param trajectory undefined where none was saved */
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
    goals: goalPlaces(episode).slice(0, MOST_GOALS).map(positionOf),
    ...dimensionsOf(info, line),
    has_map: records.some(({ state }) => state.position !== undefined),
    has_track:
      isDrawn &&
      (line.geometry !== undefined ||
        (isRun && records.some(({ state }) => state.qpos !== undefined))),
    // A navigation graph has places and no pictures, and a simulator elsewhere draws its own.
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

/** Of an episode whose steps were not kept, its line says this much. */
function bareEpisode({ episode_id, task_type, scene_id }: EpisodeLine): BaseEpisode {
  return new BaseEpisode({ episodeId: episode_id, taskType: task_type, sceneId: scene_id });
}

/** The dense one goes round corners, where the episode has it. */
function shownReference(episode: BaseEpisode): Vec3[] {
  return referencePlaces(episode, "dense").map(positionOf);
}

function positionOf({ position }: { readonly position: Vec3 }): Vec3 {
  return position;
}

/** The run's own command, with this one episode in place of what it selected. */
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
