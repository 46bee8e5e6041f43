import { quatXyzwToHeading } from "../../../core/math/rotation.js";
import type { LintRule } from "../types.js";

/** Fewer episodes prove nothing. */
const FEWEST = 10;
const STEP = Math.PI / 6;

/**
 * R2R_VLNCE before version 1-3, whose start headings are not R2R's.
 *
 * Version 1-3 rounds R2R's headings to whole multiples of 30 degrees: true of every episode of its
 * train, val_seen, val_unseen and test splits. Of version 1-2's train, val_seen and val_unseen it is
 * true of 3 in 13 436 episodes. So one look at the headings tells the versions apart; their file names
 * do not, and nothing else in the files differs.
 */
export function oldHeadings(): LintRule {
  let checked = 0;
  let whole = 0;
  return {
    code: "old_headings",
    severity: "warning",
    why: "up to version 1-2, R2R_VLNCE's start headings were not those that the instructions were written for; numbers on it are not comparable with numbers on 1-3",
    observe({ sceneId, startState: { rotation } }, { format }) {
      // Somebody's own data in the same layout may start anyhow.
      if (format.name !== "r2r-vlnce" || !rotation || !sceneId.startsWith("mp3d/")) return;
      const turns = quatXyzwToHeading(rotation) / STEP;
      checked++;
      if (Math.abs(turns - Math.round(turns)) < 1e-4) whole++;
    },
    *finish() {
      if (checked < FEWEST || whole * 2 >= checked) return;
      yield {
        field: "start_state.rotation",
        message: `${checked - whole} of ${checked} start headings are not multiples of 30°, as all of R2R_VLNCE v1-3's are: likely version 1-2 or older`,
        hint: "get R2R_VLNCE_v1-3, and its ground truth with it",
      };
    },
  };
}
