import { z } from "zod";

/**
 * Schema of a challenge file. Errors quote the descriptions, so each states the key's meaning and unit.
 */

const name = () => z.string().min(1);
const whole = () => z.int().positive();
const seconds = (what: string) => z.number().positive().describe(`seconds ${what}`);

/** A time zone is required, so that a deadline is unambiguous. */
const moment = (what: string) =>
  z.iso
    .datetime({ offset: true })
    .describe(`${what}: a time with its zone, such as 2027-01-31T23:59:00Z`);

const phaseSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/)
      .describe("the phase's name in URLs and on pages: lower-case letters, digits, - and _"),
    description: z.string().describe("a sentence shown on the phase's page").default(""),
    benchmark: name().describe("the benchmark: the name of a shipped one, or a file"),
    set: z
      .array(name())
      .describe("overrides of the benchmark, each `path=value` as for --set")
      .default([]),
    opens: moment("when submissions open").optional(),
    closes: moment("when submissions close").optional(),
    hidden: z
      .boolean()
      .describe("true if only observations leave the server; false for practice")
      .default(true),
    disclose: z
      .array(z.enum(["goals", "start", "objects"]))
      .describe(
        "parts of a hidden episode that policies receive: goals (of manipulation), start (the robot's pose), objects (those in the scene, with poses)",
      )
      .default([]),
    limit: whole()
      .describe("number of episodes of each task, from the first; all if absent")
      .optional(),
    max_submissions: z
      .strictObject({
        total: whole().describe("submissions of one team in the whole phase").default(100),
        per_day: whole().describe("submissions of one team per day (UTC)").default(5),
      })
      .describe("how often a team may submit")
      .prefault({}),
    metrics: z
      .array(name())
      .min(1)
      .describe("metrics shown to teams, with intervals, for all submissions"),
    leaderboard: name().describe("the metric that the leaderboard is sorted by, one of `metrics`"),
    workers: whole().describe("threads that run one submission's episodes").default(1),
    concurrency: whole()
      .describe("episodes that each thread runs at once, up to the policy's number of sessions")
      .default(1),
  })
  .superRefine((phase, context) => {
    if (!phase.metrics.includes(phase.leaderboard)) {
      context.addIssue({
        code: "custom",
        path: ["leaderboard"],
        message: "not one of the phase's metrics",
      });
    }
    if (phase.opens && phase.closes && Date.parse(phase.opens) >= Date.parse(phase.closes)) {
      context.addIssue({ code: "custom", path: ["closes"], message: "not after `opens`" });
    }
  });

const limitsSchema = z.strictObject({
  frame_bytes: whole()
    .describe("maximum bytes of an agent's frame; a larger one ends its connection")
    .default(2 ** 20),
  messages_per_second: whole()
    .describe("sustained rate of messages that answer no request; more end the connection")
    .default(20),
  connections_per_team: whole().describe("connected agents of one team").default(4),
  connections: whole().describe("connected agents of all teams").default(256),
  refusals_per_minute: whole()
    .describe(
      "rejected connections of one address, after which it is blocked for a while; also its maximum of unauthenticated connections",
    )
    .default(30),
  requests_per_minute: whole()
    .describe(
      "HTTP requests of one address and of one team, half of them in a burst; also connection attempts of one team's agents",
    )
    .default(300),
  evaluations: whole().describe("submissions evaluated at the same time").default(1),
  evaluations_per_team: whole()
    .describe("submissions of one team evaluated at the same time")
    .default(1),
  wall_clock: seconds("a submission may take from its first episode to its last").default(6 * 3600),
  connect_grace: z
    .number()
    .min(0)
    .describe("seconds in which an agent may resume a broken connection")
    .default(30),
  action_timeout: seconds("an agent may take for an answer").default(60),
  cold_start_timeout: seconds("for its first answers").default(600),
});

export const challengeSchema = z
  .strictObject({
    name: name().describe("the challenge's name"),
    description: z.string().describe("a description for the challenge's page").default(""),
    phases: z.array(phaseSchema).min(1).describe("the challenge's phases"),
    limits: limitsSchema.describe("limits of teams and connections").prefault({}),
    listen: z
      .strictObject({
        host: name().describe("the address to listen at").default("127.0.0.1"),
        port: z.int().min(0).max(65_535).describe("0 chooses a free port").default(4500),
      })
      .prefault({}),
    tls: z
      .strictObject({
        cert: name().describe("PEM file of the certificate and its chain"),
        key: name().describe("PEM file of its key"),
      })
      .describe("for https and wss without a proxy")
      .optional(),
    trust_proxy: z
      .array(name())
      .describe("addresses or networks of proxies whose X-Forwarded-For is trusted")
      .default([]),
    database: name()
      .describe(
        "postgres://user@host/database; without it and ROBOT_EVAL_DATABASE, an embedded server is started in `storage`",
      )
      .optional(),
    storage: name()
      .describe("folder for runs and for the embedded database")
      .default("challenge-data"),
    evaluate_on: z
      .enum(["threads", "queue"])
      .describe(
        "where episodes run: in threads of this process, or on the workers of the cluster's queue",
      )
      .default("threads"),
    relay: z
      .strictObject({
        host: name().describe("address at which evaluators connect").default("127.0.0.1"),
        port: z.int().min(0).max(65_535).describe("0 chooses a free port").default(0),
        url: name()
          .describe("how workers on other machines reach it, such as ws://challenge.internal:4501")
          .optional(),
      })
      .describe(
        "the relay between evaluators and agents; with `evaluate_on: queue` put it on an internal network",
      )
      .prefault({}),
  })
  .superRefine(({ phases }, context) => {
    const names = phases.map((phase) => phase.name);
    for (const [i, phase] of names.entries()) {
      if (names.indexOf(phase) === i) continue;
      context.addIssue({
        code: "custom",
        path: ["phases", i, "name"],
        message: `the phase "${phase}" is defined twice`,
      });
    }
  });

export type ChallengeConfig = Readonly<z.output<typeof challengeSchema>>;
export type PhaseConfig = Readonly<z.output<typeof phaseSchema>>;
export type ChallengeLimits = Readonly<z.output<typeof limitsSchema>>;

/** State of a phase at a time: `before` it opens, `open`, or `closed`. */
export function phaseState(
  { opens, closes }: Pick<PhaseConfig, "opens" | "closes">,
  now: Date,
): "before" | "open" | "closed" {
  if (opens !== undefined && now.getTime() < Date.parse(opens)) return "before";
  return closes !== undefined && now.getTime() >= Date.parse(closes) ? "closed" : "open";
}
