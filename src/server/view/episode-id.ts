import { BaseEpisode } from "../../core/episode/base.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { fileStem } from "../../runs/directory/run-directory.js";

/**
 * An episode's id in URLs and in the files of a static export: the name of its trajectory, percent-encoded with tildes
 * because servers would decode percent signs. The name itself contains no tilde.
 */
export function episodeIdOf(key: string, repeat: number): string {
  return encodeURIComponent(fileStem(key, repeat)).replaceAll("%", "~");
}

/** The episode of a line without a saved trajectory: only its name and scene are known. */
export function bareEpisode({ episode_id, task_type, scene_id }: EpisodeLine): BaseEpisode {
  return new BaseEpisode({ episodeId: episode_id, taskType: task_type, sceneId: scene_id });
}
