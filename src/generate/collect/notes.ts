import type { BaseSimulator } from "../../core/interfaces/simulator.js";
import { DEFAULT_FPS } from "../../dataset/lerobot/step-clock.js";
import type { TaskPlan } from "../../evaluator/prepare.js";
import type { CollectOptions } from "./options.js";
import { GOAL } from "./sight.js";

interface Collected {
  readonly options: CollectOptions;
  readonly features: readonly string[];
  readonly tasks: readonly {
    readonly plan: TaskPlan;
    readonly simulator: BaseSimulator | undefined;
  }[];
  readonly hasClock: boolean;
  readonly hasArguments: boolean;
  readonly invalid: readonly { readonly episode_key: string; readonly explanation: string }[];
}

/** What a user should know of a dataset before training on it. */
export function notesOn(collected: Collected): string[] {
  const { options, features, tasks, hasClock, hasArguments, invalid } = collected;
  const notes: string[] = [];
  const has = (prefix: string) => features.some((name) => name.startsWith(prefix) && name !== GOAL);
  if (options.fps === undefined && !hasClock) {
    notes.push(
      `the steps have no clock: frames are ${DEFAULT_FPS} to the second (--fps sets another rate)`,
    );
  }
  if (!has("observation.images.")) {
    notes.push("there is no rgb camera among simulator.sensors: the frames have no pictures");
  }
  if (!has("observation.state")) {
    notes.push("no sensor gives numbers (gps, compass): the frames have no observation.state");
  }
  if (options.depth && !has("observation.depth.")) {
    notes.push("there is no depth camera among simulator.sensors");
  }
  const wantsGoal = options.goalImage ?? tasks.some(({ plan }) => plan.judged.type === "image_nav");
  if (wantsGoal && !features.includes(GOAL)) {
    notes.push("there is no imagegoal among simulator.sensors: the frames do not show the goal");
  }
  if (hasArguments) notes.push("of actions with an argument (goto:<node>) only the name is kept");
  for (const { plan, simulator } of tasks) {
    const missing = simulator?.missingSensors ?? [];
    if (missing.length === 0) continue;
    notes.push(`${plan.judged.name}: ${plan.simulatorName} has no sensor ${missing.join(", ")}`);
  }
  const [first] = invalid;
  if (first) {
    notes.push(
      `${invalid.length} invalid episodes; the first, ${first.episode_key}: ${first.explanation}`,
    );
  }
  return notes;
}
