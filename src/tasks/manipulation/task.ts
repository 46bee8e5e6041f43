import type { ZodType } from "zod";
import { BadConfigError, check } from "../../config/issues.js";
import { STOP } from "../../core/interfaces/action.js";
import type { CriteriaPresets, SuccessCriteria } from "../../core/rules/criteria.js";
import { FLAGS } from "../../core/rules/facts.js";
import { SuccessJudge } from "../../core/rules/judge.js";
import {
  BaseTask,
  type EndReason,
  type EpisodeEnd,
  type TaskConfig,
  type TaskConfigSchema,
  type TaskState,
} from "../../core/task/base.js";
import type { TaskConventions } from "../../core/task/conventions.js";
import { ActionSpace, SensorSuite } from "../../core/task/types.js";
import { dofOf, type RobotDescriptor } from "../../robots/descriptor.js";
import { maxStepsOf } from "../config.js";
import { benchmarkGoals } from "../rules/benchmark-goals.js";
import { criteriaOf, criteriaSettings, hasOwnRule, stagesOf } from "../rules/criteria-of.js";
import { builtInPresets } from "../rules/presets.js";
import { REPORTED, REPORTED_OR_FLAGS } from "../rules/reported.js";
import { actionSemantics, type Driving, drivingOf, namedActions } from "./actions.js";
import { DEFAULT_ROBOT, limitsConfig, manipulationConfig } from "./config.js";
import { limitedRange } from "./configured-limits.js";
import { drivingConventions, handlingConventions } from "./conventions.js";
import { explainHandling, explainRule } from "./explain.js";
import { jointLimit, type LimitedDof, limitedDofs } from "./joint-limit.js";
import { robotsIn } from "./robots.js";

/** What a robot that drives has in addition; gps and compass are those of navigation. */
const DRIVING_CAMERAS = {
  depth_head: { width: 640, height: 480, encoding: "base64" },
  semantic_head: { width: 640, height: 480, encoding: "base64" },
};
const DRIVING_SENSORS = {
  gps: { dim: 3 },
  compass: { dim: 1 },
  held_object: { dim: 1, range: [0, 1] },
  instruction: {},
};

/**
 * A manipulation task. Success is defined by a rule of the episode or benchmark, or by the task's preset.
 *
 * @example
 * const task = new ManipulationTask({ robot_type: "stretch", dof: 7 });
 * task.actionSpace.shape; // [7]
 */
export class ManipulationTask extends BaseTask {
  static readonly configSchema: TaskConfigSchema = manipulationConfig;

  override get taskType(): string {
    return "manipulation";
  }

  override get taskName(): string {
    return "Robotic Manipulation";
  }

  override get family(): string {
    return "manipulation";
  }

  /** The preset for episodes without success criteria. */
  protected get ownPreset(): string | undefined {
    return undefined;
  }

  override get successCriteria(): SuccessCriteria {
    return criteriaOf(this.taskType, this.criteriaConfig, this.#presets, this.ownPreset);
  }

  /** The config whose `goals` and `success_criteria` define success. */
  protected get criteriaConfig(): TaskConfig {
    return this.config;
  }

  override get goalsSchema(): ZodType {
    return benchmarkGoals(this.config, this.#presets, this.ownPreset);
  }

  /** An explicit rule applies to every simulator; presets need recorded facts. */
  override get reportedCriteria(): SuccessCriteria {
    if (hasOwnRule(this.config)) return this.successCriteria;
    const { type } = criteriaSettings(this.config);
    return type === "grasp_and_lift" ? REPORTED_OR_FLAGS : REPORTED;
  }

  /** The stages on the way to success, in order, for `completion_rate`. */
  get stages(): readonly string[] {
    return stagesOf(this.config, this.#presets, this.ownPreset);
  }

  get #presets(): CriteriaPresets {
    return this.deps.presets ?? builtInPresets;
  }

  /** The robot of a config that names none. */
  protected get usualRobot(): string {
    return DEFAULT_ROBOT;
  }

  get robot(): RobotDescriptor | undefined {
    const { robot_type } = this.config;
    return robotsIn(this.deps).find(typeof robot_type === "string" ? robot_type : this.usualRobot);
  }

  get dof(): number {
    const { dof } = this.config;
    if (typeof dof === "number") return dof;
    return this.robot ? dofOf(this.robot) : 7;
  }

  /** Applies the rule for `joint_limits` in a benchmark to settings from code. */
  override checkConfig(): void {
    if (!this.robot) return;
    const result = check(limitsConfig(this.deps, this.usualRobot), this.config);
    if (!("findings" in result)) return;
    const [first, ...rest] = result.findings.map(({ path, problem, hint }) => ({
      path,
      where: `${this.taskType} config`,
      message: `${path.join(".")}: ${problem}`,
      hint,
    }));
    if (first) throw new BadConfigError([first, ...rest]);
  }

  protected get defaultActionSpace(): "continuous" | "hybrid" {
    return "continuous";
  }

  override get actionSpace(): ActionSpace {
    const configured = this.config.action_space;
    const name =
      configured === "continuous" || configured === "hybrid" ? configured : this.#usualActionSpace;
    const { robot, driving } = this;
    const range = this.#range();
    const velocity = driving?.velocity ?? [];
    return new ActionSpace({
      name,
      actions: namedActions(driving),
      shape: [this.dof + velocity.length],
      range: range && velocity.length > 0 ? [...range, ...velocity] : range,
      ...(robot ? { semantics: actionSemantics(robot, driving) } : {}),
    });
  }

  /** Named actions are how a robot drives, unless its vector has the base's velocity. */
  get #usualActionSpace(): "continuous" | "hybrid" {
    return this.driving ? "hybrid" : this.defaultActionSpace;
  }

  /** How the robot's base drives; undefined if it does not. */
  get driving(): Driving | undefined {
    return drivingOf(this.robot, this.config);
  }

  override get conventions(): TaskConventions {
    return {
      ...super.conventions,
      ...handlingConventions(this.robot, this.config.control_mode),
      ...drivingConventions(this.driving),
    };
  }

  override get sensorSuite(): SensorSuite {
    const drives = this.driving !== undefined;
    return new SensorSuite({
      sensors: {
        rgb_head: { width: 640, height: 480, encoding: "base64" },
        ...(drives ? DRIVING_CAMERAS : {}),
        rgb_wrist: { width: 320, height: 240, encoding: "base64" },
        qpos: { dim: this.dof },
        qvel: { dim: this.dof },
        ee_pose: { dim: 7, order: "x, y, z, qw, qx, qy, qz" },
        ...(this.robot && this.robot.gripperDof === undefined
          ? {}
          : { gripper_state: { dim: 1, range: [0, 1] } }),
        ...(drives ? DRIVING_SENSORS : {}),
      },
    });
  }

  override get primaryMetric(): string {
    return "manip_success";
  }

  override get defaultMetrics(): readonly string[] {
    return ["manip_success", "success_once", "completion_rate"];
  }

  /** The step limit of a config that sets none. */
  protected get usualMaxSteps(): number | undefined {
    return undefined;
  }

  override checkEpisodeComplete(state: TaskState): boolean {
    return this.endReason(state) !== null;
  }

  override endReason(state: TaskState): EndReason | null {
    if (state.error) return "error";
    if (this.config.terminate_on_success !== false && this.succeeded(state)) return "success";
    if (state.last_action === STOP) return "stop";
    // Remote simulators may end episodes themselves.
    if (state.done === true) return "done";
    return (state.num_steps ?? 0) >= maxStepsOf(this.config, this.usualMaxSteps)
      ? "max_steps"
      : null;
  }

  override explain(end: EpisodeEnd): string {
    if (end.succeeded) return super.explain(end);
    const cause = this.failureOf(end) ?? explainRule(end);
    const limit = this.robot && jointLimit(end, this.#dofs(this.robot), this.config.control_mode);
    if (!cause && !limit) return super.explain(end);
    const causes = [cause, limit].filter((text) => text !== undefined).join("; ");
    return `${causes} (${end.endReason} after ${end.steps} steps)`;
  }

  /** Why an episode with the task's own stages failed; undefined for other rules. */
  protected failureOf(end: EpisodeEnd): string | undefined {
    return explainHandling(end);
  }

  /** Uses the recorded verdict; states with flags only are judged as those of a simulator that reports success. */
  protected succeeded(state: TaskState): boolean {
    if (state.success === true) return true;
    if (state.conditions || FLAGS.every((flag) => state[flag] === undefined)) return false;
    return new SuccessJudge(this).update({ state }).state.success === true;
  }

  /** With the limits of the config. */
  #dofs(robot: RobotDescriptor): readonly (LimitedDof | undefined)[] {
    const { actionSpace } = this;
    return limitedDofs(robot, (dof) => actionSpace.limits(dof));
  }

  #range(): readonly (readonly [number, number])[] | undefined {
    const own = this.config.joint_limits;
    if (Array.isArray(own)) return own as (readonly [number, number])[];
    if (typeof own !== "object" || own === null) {
      const byRobot = this.robot?.dofs.map((dof) => dof.limits);
      return byRobot?.length === this.dof ? byRobot : undefined;
    }
    const named = own as Readonly<Record<string, readonly [number, number]>>;
    return this.robot && limitedRange(this.robot, named);
  }
}
