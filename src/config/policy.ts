import { z } from "zod";
import { mappingSchema } from "./mapping.js";

const seconds = (what: string) => z.number().positive().describe(`seconds ${what}`);

/** The `policy:` section: settings for policies in other processes. */
export const policySchema = z.strictObject({
  connect_timeout: seconds("to wait for a connection").default(30),
  cold_start_timeout: seconds("for a connection's first episode_ready and first action").default(
    600,
  ),
  action_timeout: seconds("for every later answer").default(60),
  reconnect_grace: z
    .number()
    .min(0)
    .describe("seconds in which a broken connection may be restored without ending the episode")
    .default(30),
  encoding: z
    .enum(["auto", "json", "msgpack"])
    .describe("encoding of messages; auto selects msgpack if the policy supports it")
    .default("auto"),
  execute: z
    .int()
    .positive()
    .describe(
      "how many actions of a chunk are executed before the next request to the policy; all if absent",
    )
    .optional(),
  sessions: z
    .int()
    .positive()
    .describe("maximum number of concurrent episodes over one connection")
    .default(64),
  mapping: mappingSchema
    .describe(
      "how observations and actions are converted for a policy made for another benchmark: a preset's name, or a mapping",
    )
    .optional(),
});

export type PolicySettings = Readonly<z.output<typeof policySchema>>;
