import { ConfigError } from "../../core/errors.js";
import { type Action, STOP } from "../../core/interfaces/action.js";
import type { Agent, AgentEpisode } from "../../core/interfaces/agent.js";
import { hasGripper } from "../../core/interfaces/manipulation-view.js";
import { Driver } from "./driver.js";
import { scriptFor } from "./scripts.js";
import { dofNames, speedLimits } from "./speeds.js";

/** Seconds of a control step; in a simulator with another rate the expert is only slower or faster. */
const STEP_S = 0.05;

/**
 * Solves manipulation tasks by planning with privileged state. Acts through the same action vector as a policy and
 * holds objects by friction. Its score is the benchmark's upper bound and shows that the benchmark is solvable.
 */
export class ExpertAgent implements Agent {
  #driver: Driver | undefined;
  #script: ReturnType<typeof scriptFor> | undefined;
  #stops = false;
  /** The end of the vector, which keeps a base that drives where it is. */
  #still: readonly number[] = [];

  reset(episode: AgentEpisode): void {
    const { manipulation: view, actionSpace } = episode;
    if (!view) {
      throw new ConfigError(
        "not_privileged",
        "the expert needs a simulator with privileged state",
        { hint: "use it with a manipulation task on an embedded simulator" },
      );
    }
    if (!hasGripper(view)) {
      throw new ConfigError(
        "no_gripper",
        "the expert grasps objects, and the task's robot has no gripper",
        { hint: "set robot_type to a robot with a gripper, or use another agent" },
      );
    }
    this.#still = view.base?.velocity ? [0, 0] : [];
    const size = view.limits.length + this.#still.length;
    if (actionSpace.size !== size) {
      throw new ConfigError(
        "not_joint_position",
        `the expert commands ${size} joint positions, but actions have ${actionSpace.size} numbers`,
        { hint: "remove `control_mode` from the task's config, or use another agent" },
      );
    }
    const names = dofNames(actionSpace.semantics, view.limits.length);
    this.#driver = new Driver(view, speedLimits(view.limits, names), STEP_S);
    this.#script = scriptFor(episode.taskType, this.#driver, names);
    this.#stops = actionSpace.actions?.includes(STOP) ?? false;
  }

  /** Current phase: approach, reach, close, ... */
  get phase(): string {
    return this.#driver?.phase ?? "start";
  }

  act(): Action {
    if (!this.#driver || !this.#script) throw new Error("act() before reset()");
    const { value, done } = this.#script.next();
    if (done) return this.#stops ? STOP : [...this.#driver.command, ...this.#still];
    return typeof value === "string" ? value : [...value, ...this.#still];
  }
}
