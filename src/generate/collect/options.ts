import type { LoadedConfig } from "../../config/load.js";
import { ConfigError, show } from "../../core/errors.js";
import { suggestion } from "../../core/registry.js";
import { DEFAULT_FPS } from "../../dataset/lerobot/step-clock.js";
import type { LerobotVersion } from "../../dataset/lerobot/writer.js";
import type { PrepareOptions, TaskPlan } from "../../evaluator/plan/prepare.js";
import type { EvaluationEvent } from "../../evaluator/record/events.js";
import type { FeatureOptions } from "./observation-features.js";

/** Formats in which recordings can be written. */
export const COLLECT_TARGETS: readonly string[] = ["lerobot"];
export const KEEP: readonly string[] = ["success", "all"];

export interface CollectOptions extends Omit<PrepareOptions, "episodes" | "shard"> {
  /** One of `COLLECT_TARGETS`. */
  readonly to: string;
  /** The folder to create. */
  readonly out: string;
  /** `success` (the default), or `all` to keep failures too. Invalid episodes are never kept. */
  readonly keep?: string | undefined;
  /** Also stores depth images. */
  readonly depth?: boolean | undefined;
  /** Stores the goal image in every frame. If absent, only for image_nav, which cannot be learned without it. */
  readonly goalImage?: boolean | undefined;
  /** Frames per second. If absent, the simulator's rate, or `DEFAULT_FPS` if it has no clock. */
  readonly fps?: number | undefined;
  /** Version of LeRobot's format; default 3.0. */
  readonly lerobotVersion?: LerobotVersion | undefined;
  /** Replaces a dataset of the same format at `out`. */
  readonly force?: boolean | undefined;
  /** When aborted, nothing is written. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: EvaluationEvent) => void) | undefined;
}

/** Checks the options before anything is loaded or run. */
export function checkOptions({ to, keep = "success", fps = DEFAULT_FPS }: CollectOptions): void {
  oneOf("--to", to, COLLECT_TARGETS);
  oneOf("--keep", keep, KEEP);
  if (fps > 0 && fps < Number.POSITIVE_INFINITY) return;
  throw new ConfigError("bad_fps", `the rate of ${show(fps)} frames per second is invalid`, {
    where: "--fps",
    hint: "give a number above 0",
  });
}

function oneOf(where: string, value: string, valid: readonly string[]): void {
  if (valid.includes(value)) return;
  const code = where === "--to" ? "unknown_target" : "bad_keep";
  throw new ConfigError(code, `"${value}" is not a valid value`, {
    where,
    hint: suggestion(value, valid),
  });
}

export function sightOptions(
  { sensors: { requested }, task }: TaskPlan,
  { depth = false, goalImage = task.type === "image_nav" }: CollectOptions,
  { locate }: LoadedConfig,
): FeatureOptions {
  const sensors = requested ?? task.instance.sensorSuite.sensors;
  if (goalImage && "imagegoal" in sensors && sensors.goal?.type === "rgb") {
    throw new ConfigError(
      "same_feature",
      "the camera `goal` and the goal image would both be observation.images.goal",
      {
        where: locate(["simulator", "sensors", "goal"]),
        hint: "rename the camera, or add --no-goal-image",
      },
    );
  }
  return { sensors, depth, goalImage };
}
