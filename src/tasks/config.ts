import { z } from "zod";
import { PROFILES } from "../core/profiles.js";
import type { TaskConfig } from "../core/task/base.js";

/** Settings of every task. Strict, so that a misspelt key is an error. */
export const commonConfig = z.strictObject({
  metrics: z.array(z.string()).min(1).optional().describe("metric names; see `list metrics`"),
  max_steps: z
    .int()
    .positive()
    .optional()
    .describe("maximum number of control steps of an episode"),
  timeout: z.number().positive().optional().describe("maximum wall-clock seconds of an episode"),
  profile: z.enum(Object.keys(PROFILES)).optional().describe("metric conventions"),
  metric_config: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .optional()
    .describe("settings of single metrics, by name"),
});

const DEFAULT_MAX_STEPS = 500;

export function maxStepsOf(config: TaskConfig, usual = DEFAULT_MAX_STEPS): number {
  return typeof config.max_steps === "number" ? config.max_steps : usual;
}
