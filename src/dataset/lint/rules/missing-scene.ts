import { keyOf } from "../geometry.js";
import type { LintRule } from "../types.js";

interface Missing {
  readonly episode: string;
  count: number;
}

/** Scenes whose file is not where the user said that scenes are. */
export function missingScene(): LintRule {
  const scenes = new Map<string, Missing>();
  return {
    code: "missing_scene",
    severity: "error",
    why: "the episodes of a scene that is not there cannot be run; each is counted as invalid",
    observe(episode, { sceneFound }) {
      if (sceneFound !== false) return;
      const known = scenes.get(episode.sceneId);
      if (known) known.count++;
      else scenes.set(episode.sceneId, { episode: keyOf(episode), count: 1 });
    },
    *finish() {
      for (const [scene, { episode, count }] of scenes) {
        yield {
          episode,
          field: "scene_id",
          value: scene,
          message: `no file of this scene was found (${count} ${count === 1 ? "episode" : "episodes"})`,
          hint: "download the scene, or name the folder that has it",
        };
      }
    },
  };
}
