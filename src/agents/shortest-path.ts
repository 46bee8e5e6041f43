import { ConfigError, DataError } from "../core/errors.js";
import { type Action, STOP } from "../core/interfaces/action.js";
import type { Agent, AgentEpisode, AgentFactory } from "../core/interfaces/agent.js";
import type { PrivilegedView } from "../core/interfaces/simulator.js";
import { bearing, wrapAngle } from "../core/math/rotation.js";
import type { ScenePoint } from "../core/scene/scene-point.js";
import { canSettle, nextStep, settle } from "./follower.js";

/**
 * Follows the shortest path to the nearest goal with the task's own actions. Uses privileged state, so its score is
 * the benchmark's upper bound and shows that the benchmark is solvable.
 */
export class ShortestPathAgent implements Agent {
  #view: PrivilegedView | undefined;
  #actions: readonly string[] = [];
  #goal: ScenePoint | undefined;
  #settling = false;

  reset(episode: AgentEpisode): void {
    if (!episode.privileged) {
      throw new ConfigError(
        "not_privileged",
        "the shortest-path agent needs a simulator with privileged state",
        { hint: "use it with an embedded navigation simulator" },
      );
    }
    const { name, actions = [] } = episode.actionSpace;
    if (name !== "discrete") {
      throw new ConfigError("not_discrete", "the shortest-path agent supports only named actions", {
        hint: "remove `action_space` from the task's config, or use another agent",
      });
    }
    this.#view = episode.privileged;
    this.#actions = actions;
    this.#settling = false;
    // Choose one goal for the whole path: finding the nearest of hundreds of view points is expensive.
    this.#goal = nearestGoal(episode.privileged);
  }

  act(): Action {
    const view = this.#view;
    if (!view || !this.#goal) throw new Error("act() before reset()");
    if (!view.ahead) return this.#alongGraph(view, this.#goal);
    // Actuation noise may have moved the agent away from where it was about to stop.
    if (this.#settling && !canSettle(view)) this.#settling = false;
    const action = this.#settling ? STOP : nextStep(view, view.ahead, this.#goal);
    if (action !== STOP || !canSettle(view)) return action;
    // From here on consider all nearby goals instead of the chosen one, or the agent would oscillate.
    this.#settling = true;
    return settle(view, view.ahead);
  }

  #alongGraph(view: PrivilegedView, goal: ScenePoint): Action {
    const next = view.shortestPath(goal)[1];
    if (!next) return STOP;
    if (next.node !== undefined && this.#actions.includes("goto")) return `goto:${next.node}`;
    return turnTowards(view, next) ?? "move_forward";
  }
}

/** Turns the short way until the heading is within half a turn step. */
function turnTowards(view: PrivilegedView, next: ScenePoint): Action | undefined {
  const off = wrapAngle(bearing(view.place().position, next.position) - view.heading());
  // The margin prevents rounding from making the agent oscillate at exactly half a turn.
  if (Math.abs(off) <= view.turnRad / 2 + 1e-6) return undefined;
  return off > 0 ? "turn_left" : "turn_right";
}

function nearestGoal(view: PrivilegedView): ScenePoint {
  const here = view.place();
  let best: ScenePoint | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const goal of view.goals()) {
    const d = view.distance(here, goal);
    if (d < least) {
      least = d;
      best = goal;
    }
  }
  if (!best) throw new DataError("unreachable_goal", "no goal is reachable from the start");
  return best;
}

export const shortestPathAgentFactory: AgentFactory = {
  description:
    "follows the shortest path to the goal; uses privileged state, so it is an upper bound, not a policy",
  privileged: true,
  create: () => new ShortestPathAgent(),
};
