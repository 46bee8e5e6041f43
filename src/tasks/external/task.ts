import type { SuccessCriteria } from "../../core/rules/criteria.js";
import type { EpisodeEnd, TaskConfigSchema } from "../../core/task/base.js";
import { commonConventions, type TaskConventions } from "../../core/task/conventions.js";
import { ActionSpace, SensorSuite } from "../../core/task/types.js";
import { ManipulationTask } from "../manipulation/task.js";
import { hasOwnRule } from "../rules/criteria-of.js";
import { REPORTED } from "../rules/reported.js";
import { externalConfig } from "./config.js";
import { explainExternal } from "./explain.js";

/**
 * A task that a remote simulator defines, with its action space, sensors and success check. Its sub-conditions are the
 * stages.
 */
export class ExternalTask extends ManipulationTask {
  static override readonly configSchema: TaskConfigSchema = externalConfig;

  override get taskType(): string {
    return "external";
  }

  override get taskName(): string {
    return "Task of a Simulator";
  }

  override get family(): string {
    return "external";
  }

  override get successCriteria(): SuccessCriteria {
    return hasOwnRule(this.config) ? super.successCriteria : REPORTED;
  }

  override get reportedCriteria(): SuccessCriteria {
    return this.successCriteria;
  }

  /** If empty, those of an episode's first record. */
  override get stages(): readonly string[] {
    const { subtasks } = this.config;
    return Array.isArray(subtasks) ? subtasks.map(String) : [];
  }

  /** The simulator has its own robot. */
  override get robot(): undefined {
    return undefined;
  }

  override get dof(): number {
    const { dof } = this.config;
    return typeof dof === "number" ? dof : 0;
  }

  /** Preliminary: replaced by the simulator's action space once it is connected. */
  override get actionSpace(): ActionSpace {
    return new ActionSpace({ name: "continuous", shape: [this.dof] });
  }

  override get conventions(): TaskConventions {
    const { action_space, action_dim, ...common } = commonConventions(this.actionSpace);
    const { conventions } = this.config;
    return {
      ...common,
      ...(this.dof > 0 && action_space && action_dim ? { action_space, action_dim } : {}),
      ...(typeof conventions === "object" ? conventions : {}),
    };
  }

  override get sensorSuite(): SensorSuite {
    return new SensorSuite({ sensors: {} });
  }

  override get defaultMetrics(): readonly string[] {
    return [
      "manip_success",
      "success_once",
      ...(this.stages.length > 0 ? ["completion_rate"] : []),
    ];
  }

  override explain(end: EpisodeEnd): string {
    return explainExternal(end, this.stages) ?? super.explain(end);
  }
}
