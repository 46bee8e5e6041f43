import { quatXyzwToHeading } from "../../../core/math/rotation.js";
import type { LintRule } from "../types.js";

/** With fewer episodes the result is not significant. */
const MIN_EPISODES = 10;
const STEP = Math.PI / 6;

/**
 * Detects R2R_VLNCE before version 1-3, whose start headings differ from R2R's.
 *
 * Version 1-3 rounds R2R's headings to multiples of 30 degrees, in every episode of its train, val_seen,
 * val_unseen and test splits. In version 1-2's train, val_seen and val_unseen, only 3 of 13 436 episodes
 * have such headings. Nothing else in the files or their names tells the versions apart.
 */
export function oldHeadings(): LintRule {
  let checked = 0;
  let whole = 0;
  return {
    code: "old_headings",
    severity: "warning",
    why: "up to version 1-2, R2R_VLNCE's start headings do not match the instructions; results on it are not comparable with results on 1-3",
    observe({ sceneId, startState: { rotation } }, { format }) {
      // Custom datasets in the same layout may have any start heading.
      if (format.name !== "r2r-vlnce" || !rotation || !sceneId.startsWith("mp3d/")) return;
      const turns = quatXyzwToHeading(rotation) / STEP;
      checked++;
      if (Math.abs(turns - Math.round(turns)) < 1e-4) whole++;
    },
    *finish() {
      if (checked < MIN_EPISODES || whole * 2 >= checked) return;
      yield {
        field: "start_state.rotation",
        message: `${checked - whole} of ${checked} start headings are not multiples of 30°, as all of R2R_VLNCE v1-3's are: likely version 1-2 or older`,
        hint: "download R2R_VLNCE_v1-3 and its ground truth",
      };
    },
  };
}
