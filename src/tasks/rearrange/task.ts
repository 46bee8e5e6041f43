import type { BaseEpisode } from "../../core/episode/base.js";
import { isRecord } from "../../core/record.js";
import type { EpisodeEnd, TaskConfig, TaskConfigSchema, TaskDeps } from "../../core/task/base.js";
import { SensorSuite } from "../../core/task/types.js";
import { manipulationConfig } from "../manipulation/config.js";
import { ManipulationTask } from "../manipulation/task.js";
import { REARRANGEMENT_STAGES } from "../rules/rearranged.js";
import { explainFailure, explainSuccess, type Names } from "./explain.js";

const ROBOT = "stretch_mobile";

/** Control steps: 200 s at 20 Hz, enough to cross an apartment twice. */
const MAX_STEPS = 4000;

/** Sensors of other manipulation tasks that HomeRobot's OVMM does not have. */
const NOT_OFFERED = ["qvel", "ee_pose"];

/**
 * Find an object in an apartment, carry it to another piece of furniture and put it down there: HomeRobot's
 * Open-Vocabulary Mobile Manipulation (Yenamandra et al. 2023, arXiv:2306.11565) with grasps that hold by friction.
 *
 * @example
 * new RearrangeTask().stages; // ["find_object", "pick", "find_receptacle", "place"]
 */
export class RearrangeTask extends ManipulationTask {
  static override readonly configSchema: TaskConfigSchema = (deps: TaskDeps) =>
    manipulationConfig(deps, ROBOT);

  override get taskType(): string {
    return "rearrange";
  }

  override get taskName(): string {
    return "Rearrangement";
  }

  protected override get ownPreset(): string {
    return "rearranged";
  }

  protected override get usualRobot(): string {
    return ROBOT;
  }

  protected override get usualMaxSteps(): number {
    return MAX_STEPS;
  }

  protected override get defaultActionSpace(): "continuous" | "hybrid" {
    return "hybrid";
  }

  /** The profile chooses the numbers of the preset. */
  protected override get criteriaConfig(): TaskConfig {
    const { profile, success_criteria } = this.config;
    if (typeof profile !== "string") return this.config;
    const own = isRecord(success_criteria) ? success_criteria : {};
    return { ...this.config, success_criteria: { profile, ...own } };
  }

  override get sensorSuite(): SensorSuite {
    const usual = Object.entries(super.sensorSuite.sensors);
    return new SensorSuite({
      sensors: Object.fromEntries(usual.filter(([name]) => !NOT_OFFERED.includes(name))),
    });
  }

  override get defaultMetrics(): readonly string[] {
    return [
      ...["manip_success", "success_once", "partial_success", "completion_rate"],
      ...REARRANGEMENT_STAGES.map((stage) => `stage_${stage}`),
      ...["rearrange_spl", "robot_collisions", "force_violations", "steps_taken"],
      "time_to_success",
    ];
  }

  override explain(end: EpisodeEnd): string {
    const way = end.succeeded ? explainSuccess(end, this.#namesIn(end)) : undefined;
    return way ?? super.explain(end);
  }

  protected override failureOf(end: EpisodeEnd): string | undefined {
    return explainFailure(end, this.#namesIn(end));
  }

  #namesIn({ episode }: EpisodeEnd): Names {
    const goals = isRecord(this.config.goals) ? this.config.goals : {};
    const { target_object, target_location } = goals;
    const object = calledAs(target_object, "name") ?? "object";
    const color = episode && spokenColor(episode, target_object);
    const goal = calledAs(target_location, "receptacle") ?? "goal receptacle";
    return {
      object: color === undefined ? `the ${object}` : `the ${color} ${object}`,
      goal: `the ${goal}`,
      preposition: goal === "drawer" ? "in" : "on",
    };
  }
}

/** The category, which is a word, else the name. */
function calledAs(goal: unknown, nameKey: string): string | undefined {
  if (!isRecord(goal)) return undefined;
  const word = goal.category ?? goal[nameKey];
  return typeof word === "string" ? word.replaceAll("_", " ") : undefined;
}

/** The target object's colour if the instruction has the word. */
function spokenColor({ taskConfig, instruction }: BaseEpisode, target: unknown) {
  const { scene_objects } = taskConfig;
  if (!isRecord(target) || !Array.isArray(scene_objects)) return undefined;
  const object: unknown = scene_objects.find((one) => isRecord(one) && one.name === target.name);
  const color = isRecord(object) ? object.color : undefined;
  const words: readonly string[] = instruction.text?.toLowerCase().match(/[a-z]+/g) ?? [];
  return typeof color === "string" && words.includes(color) ? color : undefined;
}
