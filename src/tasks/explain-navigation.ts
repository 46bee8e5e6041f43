import type { Rules } from "../core/profiles.js";
import type { EpisodeEnd } from "../core/task/base.js";

/** Steps without progress after which an agent counts as stuck. */
const STUCK_STEPS = 10;

/** Explains the outcome of a navigation episode; undefined if its states have no distance to the goal. */
export function explainNavigation(
  end: EpisodeEnd,
  { successDistanceM: radius, arrivalEnds }: Pick<Rules, "successDistanceM" | "arrivalEnds">,
): string | undefined {
  const distance = end.lastState.distance_to_goal;
  if (distance === undefined) return undefined;
  const needed = `(needs less than ${radius} m)`;
  const away = `${metres(distance)} from the goal`;
  if (end.succeeded) {
    const verb = end.endReason === "stop" ? "stopped" : "arrived";
    return `${verb} ${away} ${needed} after ${end.steps} steps`;
  }
  if (distance === Number.POSITIVE_INFINITY) {
    return `ended where no way leads to the goal, after ${end.steps} steps (${end.endReason})`;
  }
  const passed =
    end.closestM < radius && distance >= radius
      ? `; it had passed the goal at ${metres(end.closestM)} in step ${end.closestStep} without stopping`
      : "";
  if (end.endReason === "stop") {
    const short = `${metres(distance - radius)} short ${needed}`;
    return distance < radius ? `stopped ${away}` : `stopped ${away}, ${short}${passed}`;
  }
  const limit = end.endReason === "max_steps" ? "the step limit" : end.endReason;
  const ended = `${limit} came after ${end.steps} steps`;
  if (distance < radius) return `reached the goal and never stopped: ${ended}, ${away}`;
  const loop =
    end.stuckSteps >= STUCK_STEPS
      ? `; stuck in a collision loop, it got nowhere in the last ${end.stuckSteps} steps`
      : end.collisions > end.steps / 2
        ? `; blocked in ${end.collisions} of them`
        : "";
  const verb = arrivalEnds ? "never arrived" : "never stopped";
  return `${verb}: ${ended}, ${away} ${needed}${loop}${passed}`;
}

function metres(distance: number): string {
  return `${distance.toFixed(2)} m`;
}
