import { z } from "zod";
import { mappingSchema } from "./mapping.js";

const seconds = (what: string) => z.number().positive().describe(`seconds ${what}`);

/** `connect_timeout` in seconds when it is not set and the evaluator dials. */
const CONNECT_S = 30;

/** The `policy:` section: settings for policies in other processes. */
export const policySchema = z.strictObject({
  connect_timeout: seconds(
    "to wait for a connection; 30 if absent, or cold_start_timeout for the first policies that dial in",
  ).optional(),
  cold_start_timeout: seconds("for a connection's first episode_ready and first action").default(
    600,
  ),
  action_timeout: seconds("for every later answer").default(60),
  reconnect_grace: z
    .number()
    .min(0)
    .describe("seconds in which a broken connection may be restored without ending the episode")
    .default(30),
  when_lost: z
    .enum(["stop", "wait", "continue"])
    .describe(
      "what to do when the policy has disconnected and does not return within reconnect_grace or connect_timeout: stop the run, which can be resumed; wait for the policy; or continue, with invalid episodes until evaluation.give_up_after",
    )
    .default("stop"),
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

/** How long to wait for a connection, in milliseconds. */
export function connectMs({ connect_timeout = CONNECT_S }: PolicySettings): number {
  return connect_timeout * 1000;
}

/**
 * How long a listening evaluator waits for its first policies, in milliseconds. A policy that dials in is often
 * started by hand after the run and loads its weights first, so without `connect_timeout` it has its cold start.
 */
export function firstDialInMs(policy: PolicySettings): number {
  const { connect_timeout, cold_start_timeout } = policy;
  if (connect_timeout !== undefined) return connectMs(policy);
  return Math.max(connectMs(policy), cold_start_timeout * 1000);
}
