import { isRecord } from "../../../core/record.js";

import { keyOf } from "../geometry.js";
import type { LintRule } from "../types.js";

/** Finds image streams that the dataset declares as stored upside down, as LIBERO's are. */
export function upsideDownImages(): LintRule {
  const cameras = new Map<string, { readonly episode: string; count: number }>();
  return {
    code: "upside_down_images",
    severity: "info",
    why: "MuJoCo renders the bottom row first, and some recorders keep that order: a policy trained on such images needs them upside down, one trained on upright images needs them upright",
    observe(episode) {
      const { images } = episode.taskConfig;
      if (!isRecord(images)) return;
      for (const [name, image] of Object.entries(images)) {
        if (!isRecord(image) || image.upside_down !== true) continue;
        const known = cameras.get(name);
        if (known) known.count++;
        else cameras.set(name, { episode: keyOf(episode), count: 1 });
      }
    },
    *finish() {
      for (const [name, { episode, count }] of cameras) {
        yield {
          episode,
          field: `task_config.images.${name}.upside_down`,
          value: true,
          message: `the images of ${count} ${count === 1 ? "episode" : "episodes"} are stored upside down`,
          hint: "rotate them by 180° or flip the rows to match the policy's training images",
        };
      }
    },
  };
}
