import { z } from "zod";
import { commonConfig } from "../config.js";

/** The `config:` section of a task that a simulator elsewhere has. */
export const externalConfig = commonConfig.extend({
  env: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("what the simulator makes its world of, such as {name: Lift, robots: Panda}"),
  subtasks: z
    .array(z.string())
    .min(1)
    .optional()
    .describe("the simulator's sub-conditions in their order, for completion_rate"),
  dof: z
    .int()
    .positive()
    .optional()
    .describe("length of the action vector; the simulator is refused when its own differs"),
  conventions: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe("what the simulator's numbers mean; compared with what the policy declares"),
  success_criteria: z
    .strictObject({
      rule: z.record(z.string(), z.unknown()),
      stages: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
    })
    .optional()
    .describe("a rule of reported_success and flag, in place of the simulator's own check"),
  terminate_on_success: z
    .boolean()
    .optional()
    .describe("end the episode at the first step with success (default true)"),
});
