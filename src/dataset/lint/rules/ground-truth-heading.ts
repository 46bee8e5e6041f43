import type { BaseEpisode } from "../../../core/episode/base.js";
import { bearing, quatXyzwToHeading, wrapAngle } from "../../../core/math/rotation.js";
import { horizontal, keyOf } from "../geometry.js";
import type { LintRule } from "../types.js";

const DEGREE = Math.PI / 180;
/** Sliding along a wall bends a step, so up to a tenth of the episodes may differ. */
const TOLERANCE = 45 * DEGREE;
const TOLERATED_SHARE = 0.1;
const FEWEST = 5;
/** A step forward is 0.25 m. */
const MOVED_M = 0.1;

/** Finds ground-truth actions that, executed from the start heading, do not follow the ground-truth path. */
export function groundTruthHeading(): LintRule {
  let checked = 0;
  let wrong = 0;
  let first: { readonly episode: string; readonly degrees: number } | undefined;
  return {
    code: "ground_truth_heading",
    severity: "warning",
    why: "episodes and ground truth have different versions: an agent that repeats the ground-truth actions ends up elsewhere, and imitation learns wrong turns",
    observe(episode, { format }) {
      const off = headingError(episode, format.name.startsWith("rxr") ? 30 : 15);
      if (off === undefined) return;
      checked++;
      if (off <= TOLERANCE) return;
      wrong++;
      first ??= { episode: keyOf(episode), degrees: Math.round(off / DEGREE) };
    },
    *finish() {
      if (!first || wrong < FEWEST || wrong <= checked * TOLERATED_SHARE) return;
      yield {
        episode: first.episode,
        field: "start_state.rotation",
        message: `in ${wrong} of ${checked} episodes the ground truth's first step contradicts its actions, here by ${first.degrees}°`,
        hint: "use both files from the same download",
      };
    },
  };
}

/** The angle between the heading after the first turns and the direction of the first step. */
function headingError(episode: BaseEpisode, turnDegrees: number): number | undefined {
  const { rotation } = episode.startState;
  const path = episode.referenceData?.dense_path;
  const actions = episode.taskConfig.gt_actions;
  const [from] = path ?? [];
  const to = from && path?.find((point) => horizontal(point, from) > MOVED_M);
  if (!rotation || !from || !to || !Array.isArray(actions)) return undefined;
  let heading = quatXyzwToHeading(rotation);
  for (const action of actions) {
    if (action === "turn_left") heading += turnDegrees * DEGREE;
    else if (action === "turn_right") heading -= turnDegrees * DEGREE;
    else break;
  }
  return Math.abs(wrapAngle(bearing(from, to) - heading));
}
