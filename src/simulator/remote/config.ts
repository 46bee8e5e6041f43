import { z } from "zod";

/** Longer timeouts overflow Node's timers and fire at once. */
const MAX_S = 24 * 3600;

const seconds = (what: string) => z.number().positive().max(MAX_S).describe(`seconds ${what}`);

/** The keys of `simulator:` that the remote backend reads. */
export const remoteConfig = z
  .object({
    url: z
      .string()
      .regex(/^wss?:\/\//, { message: "expected ws://host:port, or wss:// for a server with TLS" })
      .describe("address of a simulator that is already running")
      .optional(),
    command: z
      .array(z.string().min(1))
      .min(1)
      .describe("program and arguments of the simulator; started once per worker")
      .optional(),
    env: z
      .record(z.string(), z.string())
      .describe("additional environment variables of the program")
      .optional(),
    cwd: z.string().min(1).describe("working directory of the program").optional(),
    log_dir: z
      .string()
      .min(1)
      .describe("folder for the output of the programs; default: the run's logs folder")
      .optional(),
    start_timeout_s: seconds("until it listens and its world is ready").default(120),
    reset_timeout_s: seconds("for a reset").default(120),
    step_timeout_s: seconds("for each step").default(30),
    sensors: z.record(z.string(), z.looseObject({})).optional(),
  })
  .superRefine(({ url, command, env, cwd }, context) => {
    if ((url === undefined) === (command === undefined)) {
      context.addIssue({
        code: "custom",
        path: url === undefined ? [] : ["url"],
        message: "the remote backend needs either `url` or `command`",
      });
    }
    if (command !== undefined) return;
    for (const [key, value] of Object.entries({ env, cwd })) {
      if (value === undefined) continue;
      context.addIssue({ code: "custom", path: [key], message: "only valid with `command`" });
    }
  });

export type RemoteConfig = z.output<typeof remoteConfig>;
