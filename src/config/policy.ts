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
    .describe("seconds in which a broken connection may come back and the episode goes on")
    .default(30),
  encoding: z
    .enum(["auto", "json", "msgpack"])
    .describe("of frames; auto takes msgpack where the policy knows it")
    .default("auto"),
  execute: z
    .int()
    .positive()
    .describe(
      "of a chunk of actions, how many are done before the policy is asked again; all if absent",
    )
    .optional(),
  sessions: z
    .int()
    .positive()
    .describe("the most episodes side by side over one connection")
    .default(64),
  mapping: mappingSchema
    .describe(
      "how observations and actions become those of a policy that was made for another benchmark: a name, or what is sent and what comes back",
    )
    .optional(),
});

export type PolicySettings = Readonly<z.output<typeof policySchema>>;
