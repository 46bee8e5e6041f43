import { keyOf } from "../geometry.js";
import type { LintRule } from "../types.js";

interface Missing {
  readonly episode: string;
  count: number;
}

/** Finds scenes whose file is missing from the given folder. */
export function missingScene(): LintRule {
  const scenes = new Map<string, Missing>();
  return {
    code: "missing_scene",
    severity: "error",
    why: "the episodes of a missing scene cannot run; each counts as invalid",
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
          message: `the scene's file does not exist (${count} ${count === 1 ? "episode" : "episodes"})`,
          hint: "download the scene, or pass the folder that contains it",
        };
      }
    },
  };
}
