import { z } from "zod";
import { commonConfig } from "../config.js";

/** The `config:` section of a task of a remote simulator. */
export const externalConfig = commonConfig.extend({
  env: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("settings of the simulator's world, such as {name: Lift, robots: Panda}"),
  subtasks: z
    .array(z.string())
    .min(1)
    .optional()
    .describe("the simulator's sub-conditions in order, for completion_rate"),
  dof: z
    .int()
    .positive()
    .optional()
    .describe("length of the action vector; a simulator with another length is rejected"),
  conventions: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe("meaning of the simulator's values; compared with the policy's conventions"),
  success_criteria: z
    .strictObject({
      rule: z.record(z.string(), z.unknown()),
      stages: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
    })
    .optional()
    .describe("a rule with reported_success and flag that replaces the simulator's success check"),
  terminate_on_success: z
    .boolean()
    .optional()
    .describe("end the episode at the first step with success (default true)"),
});
