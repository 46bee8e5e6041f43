import { ConfigError, DataError } from "../core/errors.js";
import { type Action, STOP } from "../core/interfaces/action.js";
import type { Agent, AgentEpisode, AgentFactory } from "../core/interfaces/agent.js";
import type { PrivilegedView } from "../core/interfaces/simulator.js";
import { bearing, wrapAngle } from "../core/math/rotation.js";
import type { Place } from "../core/scene/place.js";
import { canSettle, nextStep, settle } from "./follower.js";

/**
 * Follows the shortest way to the nearest goal with the task's own actions. It is told the truth, so
 * its score is the benchmark's ceiling, and a check that the benchmark can be solved at all.
 */
export class ShortestPathAgent implements Agent {
  #view: PrivilegedView | undefined;
  #actions: readonly string[] = [];
  #goal: Place | undefined;
  #settling = false;

  reset(episode: AgentEpisode): void {
    if (!episode.privileged) {
      throw new ConfigError(
        "not_privileged",
        "the shortest-path agent needs a simulator that shows its true state",
        { hint: "use it with an embedded navigation simulator" },
      );
    }
    const { name, actions = [] } = episode.actionSpace;
    if (name !== "discrete") {
      throw new ConfigError("not_discrete", "the shortest-path agent takes named actions only", {
        hint: "leave out `action_space` in the task's config, or name another agent",
      });
    }
    this.#view = episode.privileged;
    this.#actions = actions;
    this.#settling = false;
    // One goal for the whole way: the nearest of hundreds of view points is costly to find anew.
    this.#goal = nearestGoal(episode.privileged);
  }

  act(): Action {
    const view = this.#view;
    if (!view || !this.#goal) throw new Error("act() before reset()");
    if (!view.ahead) return this.#alongGraph(view, this.#goal);
    // Noise may have carried it away from where it was about to stop.
    if (this.#settling && !canSettle(view)) this.#settling = false;
    const action = this.#settling ? STOP : nextStep(view, view.ahead, this.#goal);
    if (action !== STOP || !canSettle(view)) return action;
    // From here on the goals around count, and not the one that was chosen: else it would go to and fro.
    this.#settling = true;
    return settle(view, view.ahead);
  }

  #alongGraph(view: PrivilegedView, goal: Place): Action {
    const next = view.shortestPath(goal)[1];
    if (!next) return STOP;
    if (next.node !== undefined && this.#actions.includes("goto")) return `goto:${next.node}`;
    return turnTowards(view, next) ?? "move_forward";
  }
}

/** Turns by the smaller side until straight ahead is as near as turning can bring it. */
function turnTowards(view: PrivilegedView, next: Place): Action | undefined {
  const off = wrapAngle(bearing(view.place().position, next.position) - view.heading());
  // The margin keeps rounding from turning the agent to and fro at exactly half a turn.
  if (Math.abs(off) <= view.turnRad / 2 + 1e-6) return undefined;
  return off > 0 ? "turn_left" : "turn_right";
}

function nearestGoal(view: PrivilegedView): Place {
  const here = view.place();
  let best: Place | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const goal of view.goals()) {
    const d = view.distance(here, goal);
    if (d < least) {
      least = d;
      best = goal;
    }
  }
  if (!best) throw new DataError("unreachable_goal", "no way leads from here to a goal");
  return best;
}

export const shortestPathAgentFactory: AgentFactory = {
  description:
    "follows the shortest way to the goal; knows the truth, so it is a ceiling, not a policy",
  privileged: true,
  create: () => new ShortestPathAgent(),
};
