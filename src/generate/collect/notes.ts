import type { BaseSimulator } from "../../core/interfaces/simulator.js";
import { DEFAULT_FPS } from "../../dataset/lerobot/step-clock.js";
import type { TaskPlan } from "../../evaluator/plan/prepare.js";
import { GOAL } from "./observation-features.js";
import type { CollectOptions } from "./options.js";

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

/** Lists what a user should know about a dataset before training on it. */
export function notesOn(collected: Collected): string[] {
  const { options, features, tasks, hasClock, hasArguments, invalid } = collected;
  const notes: string[] = [];
  const has = (prefix: string) => features.some((name) => name.startsWith(prefix) && name !== GOAL);
  if (options.fps === undefined && !hasClock) {
    notes.push(
      `the simulator has no clock: the dataset has ${DEFAULT_FPS} frames per second (set another rate with --fps)`,
    );
  }
  if (!has("observation.images.")) {
    notes.push("simulator.sensors has no rgb camera: the frames have no images");
  }
  if (!has("observation.state")) {
    notes.push("no sensor returns numbers (gps, compass): the frames have no observation.state");
  }
  if (options.depth && !has("observation.depth.")) {
    notes.push("simulator.sensors has no depth camera");
  }
  const wantsGoal = options.goalImage ?? tasks.some(({ plan }) => plan.task.type === "image_nav");
  if (wantsGoal && !features.includes(GOAL)) {
    notes.push("simulator.sensors has no imagegoal: the frames do not show the goal");
  }
  if (hasArguments) notes.push("actions with an argument (goto:<node>) are stored by name only");
  for (const { plan, simulator } of tasks) {
    const missing = simulator?.missingSensors ?? [];
    if (missing.length === 0) continue;
    notes.push(`${plan.task.name}: ${plan.simulatorName} has no sensor ${missing.join(", ")}`);
  }
  const [first] = invalid;
  if (first) {
    notes.push(
      `${invalid.length} invalid episodes; the first, ${first.episode_key}: ${first.explanation}`,
    );
  }
  return notes;
}
