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
  terminate_on_success: z
    .boolean()
    .optional()
    .describe("end the episode at the first step with success (default true)"),
});
