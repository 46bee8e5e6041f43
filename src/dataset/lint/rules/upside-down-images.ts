import { isRecord } from "../../../core/record.js";

import { keyOf } from "../geometry.js";
import type { LintRule } from "../types.js";

/** Image streams that the dataset says are stored upside down, as LIBERO's are. */
export function upsideDownImages(): LintRule {
  const cameras = new Map<string, { readonly episode: string; count: number }>();
  return {
    code: "upside_down_images",
    severity: "info",
    why: "MuJoCo renders from the bottom row up, and some recorders keep it so: a policy trained on such images must see them like that, one trained on upright images must not",
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
          hint: "turn them by 180° or flip the rows, as the policy was trained to see them",
        };
      }
    },
  };
}
