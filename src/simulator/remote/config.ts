import { z } from "zod";

/** Longer timeouts overflow Node's timers and fire at once. */
const LONGEST_S = 24 * 3600;

const seconds = (what: string) => z.number().positive().max(LONGEST_S).describe(`seconds ${what}`);

/** The keys of `simulator:` that the remote backend reads. */
export const remoteConfig = z
  .looseObject({
    url: z
      .string()
      .regex(/^wss?:\/\//, { message: "write ws://host:port, or wss:// where the server has TLS" })
      .describe("where the simulator listens; started by whoever you like")
      .optional(),
    command: z
      .array(z.string().min(1))
      .min(1)
      .describe("the program that is the simulator, and its arguments; started for each worker")
      .optional(),
    env: z
      .record(z.string(), z.string())
      .describe("environment variables of the program, beside ours")
      .optional(),
    cwd: z.string().min(1).describe("folder that the program is started in").optional(),
    log_dir: z
      .string()
      .min(1)
      .describe("folder for what the programs write; the run's own logs folder if absent")
      .optional(),
    start_timeout_s: seconds("until it listens and has made its world").default(120),
    reset_timeout_s: seconds("for an episode's beginning").default(120),
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
      context.addIssue({ code: "custom", path: [key], message: "only with `command`" });
    }
  });

export type RemoteConfig = z.output<typeof remoteConfig>;
