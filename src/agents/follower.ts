import { type Action, STOP } from "../core/interfaces/action.js";
import type { PrivilegedView } from "../core/interfaces/simulator.js";
import { bearing, wrapAngle } from "../core/math/rotation.js";
import { distanceToAny, type Place } from "../core/scene/place.js";

/** Metres by which a step must bring the goal nearer to be worth taking. */
const GAIN_M = 0.01;
/** Metres of way that one more turn must save. */
const TURN_COST_M = 0.004;
/** A last step must gain this much: it lengthens the way. */
const SETTLE_GAIN_M = 0.04;
/** Metres, straight; goals farther away than this are not worth leaving the nearest one for. */
const SETTLE_M = 0.6;
/** A step that gains this share of the best possible needs no search for a better direction. */
const GOOD_SHARE = 0.9;

type Ahead = NonNullable<PrivilegedView["ahead"]>;

/**
 * The next action of a walker that turns by fixed angles and moves by fixed steps: the one that leads to
 * the step ahead after which the way to the goal is shortest, turns counted a little. Directions around
 * the path's own are tried first, all others only where walls spoil these. `stop` when no step brings the
 * goal nearer. Decided anew at every step, so it finds back from whatever noise did to it.
 */
export function nextStep(view: PrivilegedView, ahead: Ahead, goal: Place): Action {
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

/** Whether a goal is near enough to make the last steps by. */
export function canSettle(view: PrivilegedView): boolean {
  return goalsAround(view).length > 0;
}

function goalsAround(view: PrivilegedView): readonly Place[] {
  const here = view.place();
  return view.goals().filter((goal) => flatDistance(here, goal) < SETTLE_M);
}

/**
 * The last steps among goals that lie close together, such as the view points of an object: whichever of
 * them a step can come nearest to. A single point may lie between two steps of a walker.
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

function flatDistance(a: Place, b: Place): number {
  return Math.hypot(a.position[0] - b.position[0], a.position[2] - b.position[2]);
}
