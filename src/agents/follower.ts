import { type Action, STOP } from "../core/interfaces/action.js";
import type { PrivilegedView } from "../core/interfaces/simulator.js";
import { bearing, wrapAngle } from "../core/math/rotation.js";
import { distanceToAny, type ScenePoint } from "../core/scene/scene-point.js";

/** Minimum reduction of the path length for a step, in metres. */
const GAIN_M = 0.01;
/** Path length that one more turn must save, in metres. */
const TURN_COST_M = 0.004;
/** Minimum gain of a last step, which lengthens the path, in metres. */
const SETTLE_GAIN_M = 0.04;
/** Goals farther away than this straight-line distance are not considered for the last steps, in metres. */
const SETTLE_M = 0.6;
/** A step with this share of the best possible gain needs no search for a better heading. */
const GOOD_SHARE = 0.9;

type Ahead = NonNullable<PrivilegedView["ahead"]>;

/**
 * Chooses the next action of an agent with fixed turn angles and step lengths: the one that minimises the remaining
 * path, with a small cost per turn. Tries headings near the path first, and all others only if walls block these.
 * Returns `stop` if no step shortens the path. Decides anew at every step, so it recovers from actuation noise.
 */
export function nextStep(view: PrivilegedView, ahead: Ahead, goal: ScenePoint): Action {
  const here = view.place();
  const now = view.distance(here, goal);
  const corner = view.shortestPath(goal).find((place) => flatDistance(here, place) > 1e-3);
  if (!corner) return STOP;
  const off = wrapAngle(bearing(here.position, corner.position) - view.heading());
  const straight = Math.round(off / view.turnRad);
  const halfCircle = Math.round(Math.PI / view.turnRad);
  const reach = flatDistance(here, ahead(here, view.heading() + off));

  const gain = (turns: number): number => {
    const after = ahead(here, view.heading() + turns * view.turnRad);
    return now - view.distance(after, goal) - TURN_COST_M * Math.abs(turns);
  };
  const around = [straight, straight - 1, straight + 1, straight - 2, straight + 2];
  let [turns, best] = bestOf(around, gain);
  if (best < GOOD_SHARE * reach - TURN_COST_M * Math.abs(turns)) {
    const all = Array.from({ length: 2 * halfCircle + 1 }, (_, i) => i - halfCircle);
    [turns, best] = bestOf(all, gain);
  }
  if (best + TURN_COST_M * Math.abs(turns) < GAIN_M) return STOP;
  if (turns === 0) return "move_forward";
  return turns > 0 ? "turn_left" : "turn_right";
}

/** True if a goal is close enough for the last steps. */
export function canSettle(view: PrivilegedView): boolean {
  return goalsAround(view).length > 0;
}

function goalsAround(view: PrivilegedView): readonly ScenePoint[] {
  const here = view.place();
  return view.goals().filter((goal) => flatDistance(here, goal) < SETTLE_M);
}

/**
 * Chooses the last steps among goals that lie close together, such as the view points of an object. Takes the goal
 * that a step can get nearest to, because a single point may lie between two steps.
 */
export function settle(view: PrivilegedView, ahead: Ahead): Action {
  const here = view.place();
  const near = goalsAround(view);
  const now = distanceToAny(view.distance, here, near);
  const halfCircle = Math.round(Math.PI / view.turnRad);
  const all = Array.from({ length: 2 * halfCircle + 1 }, (_, i) => i - halfCircle);
  const [turns, best] = bestOf(all, (turned) => {
    const after = ahead(here, view.heading() + turned * view.turnRad);
    return now - distanceToAny(view.distance, after, near) - TURN_COST_M * Math.abs(turned);
  });
  if (best + TURN_COST_M * Math.abs(turns) < SETTLE_GAIN_M) return STOP;
  if (turns === 0) return "move_forward";
  return turns > 0 ? "turn_left" : "turn_right";
}

function bestOf(
  candidates: readonly number[],
  gain: (turns: number) => number,
): [turns: number, gain: number] {
  let best = Number.NEGATIVE_INFINITY;
  let turns = 0;
  for (const candidate of candidates) {
    const value = gain(candidate);
    if (value > best) {
      best = value;
      turns = candidate;
    }
  }
  return [turns, best];
}

function flatDistance(a: ScenePoint, b: ScenePoint): number {
  return Math.hypot(a.position[0] - b.position[0], a.position[2] - b.position[2]);
}
