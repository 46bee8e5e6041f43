import { ConfigError } from "../../core/errors.js";
import { type Action, STOP } from "../../core/interfaces/action.js";
import type { Agent, AgentEpisode, AgentFactory } from "../../core/interfaces/agent.js";
import { Driver, type Script } from "./driver.js";
import { scriptFor } from "./scripts.js";
import { dofNames, speedLimits } from "./speeds.js";

/** Seconds of a control step; a world that runs at another rate only makes it slower or faster. */
const STEP_S = 0.05;

/**
 * Does manipulation tasks by plan: it sees the true state and the goals, solves for joints, and moves through
 * the same action vector as any policy. What it holds, it holds by friction. Its score is the benchmark's
 * ceiling, and a check that the benchmark can be solved at all.
 */
export class ExpertAgent implements Agent {
  #driver: Driver | undefined;
  #script: Script<void> | undefined;
  #stops = false;

  reset(episode: AgentEpisode): void {
    const { manipulation: view, actionSpace } = episode;
    if (!view) {
      throw new ConfigError(
        "not_privileged",
        "the expert needs a simulator that shows its true state",
        { hint: "use it with a manipulation task on an embedded simulator" },
      );
    }
    if (actionSpace.size !== view.limits.length) {
      throw new ConfigError(
        "not_joint_position",
        `the expert commands ${view.limits.length} joint positions, but actions have ${actionSpace.size} numbers`,
        { hint: "leave out `control_mode` in the task's config, or name another agent" },
      );
    }
    const names = dofNames(actionSpace.semantics, view.limits.length);
    this.#driver = new Driver(view, speedLimits(view.limits, names), STEP_S);
    this.#script = scriptFor(episode.taskType, this.#driver, names);
    this.#stops = actionSpace.actions?.includes(STOP) ?? false;
  }

  /** What it is doing now: approach, reach, close, ... */
  get phase(): string {
    return this.#driver?.phase ?? "start";
  }

  act(): Action {
    if (!this.#driver || !this.#script) throw new Error("act() before reset()");
    const { value, done } = this.#script.next();
    if (!done && value) return value;
    return this.#stops ? STOP : this.#driver.command;
  }
}

export const expertAgentFactory: AgentFactory = {
  description: "solves manipulation by plan; knows the truth, so it is a ceiling, not a policy",
  privileged: true,
  create: () => new ExpertAgent(),
};
