import { z } from "zod";

/**
 * The sections of a challenge file. The descriptions are what errors quote, so each says what the key means and
 * in which unit.
 */

const name = () => z.string().min(1);
const whole = () => z.int().positive();
const seconds = (what: string) => z.number().positive().describe(`seconds ${what}`);

/** With a zone, so that a deadline means the same moment to everybody. */
const moment = (what: string) =>
  z.iso
    .datetime({ offset: true })
    .describe(`${what}: a moment with its zone, such as 2027-01-31T23:59:00Z`);

const phaseSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/)
      .describe("what agents dial and pages show: small letters, digits, - and _"),
    description: z.string().describe("a sentence for the phase's page").default(""),
    benchmark: name().describe("the benchmark's file"),
    set: z
      .array(name())
      .describe("what is other than in the benchmark's file, `path=value` each, as of --set")
      .default([]),
    opens: moment("when submissions are first taken").optional(),
    closes: moment("when submissions are last taken").optional(),
    hidden: z
      .boolean()
      .describe("whether nothing but observations leaves the server; false is for practice")
      .default(true),
    disclose: z
      .array(z.enum(["goals", "start", "objects"]))
      .describe(
        "parts of a hidden episode that policies need all the same: goals (of manipulation), start (the robot's pose), objects (what stands in the scene, with poses)",
      )
      .default([]),
    limit: whole().describe("episodes of each task, from the first; all if absent").optional(),
    max_submissions: z
      .strictObject({
        total: whole().describe("of one team in the whole phase").default(100),
        per_day: whole().describe("of one team in a day of UTC").default(5),
      })
      .describe("how often a team may try")
      .prefault({}),
    metrics: z
      .array(name())
      .min(1)
      .describe("metrics that teams see, with intervals, of their own submissions and others'"),
    leaderboard: name().describe("the metric that the leaderboard is sorted by, one of `metrics`"),
    workers: whole().describe("threads that run one submission's episodes").default(1),
    concurrency: whole()
      .describe("episodes side by side in each thread, as far as the policy serves so many")
      .default(1),
  })
  .superRefine((phase, context) => {
    if (!phase.metrics.includes(phase.leaderboard)) {
      context.addIssue({
        code: "custom",
        path: ["leaderboard"],
        message: "not one of the metrics that the phase shows",
      });
    }
    if (phase.opens && phase.closes && Date.parse(phase.opens) >= Date.parse(phase.closes)) {
      context.addIssue({ code: "custom", path: ["closes"], message: "not after `opens`" });
    }
  });

const limitsSchema = z.strictObject({
  frame_bytes: whole()
    .describe("bytes of a frame that an agent sends; a larger one ends its connection")
    .default(2 ** 20),
  messages_per_second: whole()
    .describe("messages of a connection that answer nothing, sustained; more end the connection")
    .default(20),
  connections_per_team: whole().describe("agents of one team at once").default(4),
  connections: whole().describe("connections of all at once").default(256),
  refusals_per_minute: whole()
    .describe(
      "refused connections of one address, after which it is not listened to for a while; as many of its connections may be waiting to be let in",
    )
    .default(30),
  requests_per_minute: whole()
    .describe(
      "HTTP requests of one address, and of one team, of which half as many may come at once; and times that agents of one team dial",
    )
    .default(300),
  evaluations: whole().describe("submissions that are evaluated side by side").default(1),
  evaluations_per_team: whole().describe("of these, how many of one team").default(1),
  wall_clock: seconds("a submission may take from its first episode to its last").default(6 * 3600),
  connect_grace: z
    .number()
    .min(0)
    .describe("seconds in which an agent whose connection broke may take it up again")
    .default(30),
  action_timeout: seconds("an agent may take for an answer").default(60),
  cold_start_timeout: seconds("for its first answers").default(600),
});

export const challengeSchema = z
  .strictObject({
    name: name().describe("what the challenge is called"),
    description: z.string().describe("what it is about, for its page").default(""),
    phases: z.array(phaseSchema).min(1).describe("what can be submitted to, and when"),
    limits: limitsSchema.describe("what one team can take of the server").prefault({}),
    listen: z
      .strictObject({
        host: name().describe("the address to listen at").default("127.0.0.1"),
        port: z.int().min(0).max(65_535).describe("0 takes one that is free").default(4500),
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
      .describe("addresses or networks of proxies whose X-Forwarded-For is believed")
      .default([]),
    database: name()
      .describe(
        "postgres://user@host/database; without it, and without ROBOT_EVAL_DATABASE in the environment, a server of its own is started in `storage`",
      )
      .optional(),
    storage: name()
      .describe("folder for runs, and for the database where there is no other")
      .default("challenge-data"),
    evaluate_on: z
      .enum(["threads", "queue"])
      .describe("where episodes run: in this process, or on the workers of the cluster's queue")
      .default("threads"),
    relay: z
      .strictObject({
        host: name().describe("where evaluators dial in").default("127.0.0.1"),
        port: z.int().min(0).max(65_535).describe("0 takes one that is free").default(0),
        url: name()
          .describe("how workers on other machines reach it, such as ws://challenge.internal:4501")
          .optional(),
      })
      .describe(
        "the door between evaluators and agents; with `evaluate_on: queue` on its own network",
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
        message: `there is a phase "${phase}" already`,
      });
    }
  });

export type ChallengeConfig = Readonly<z.output<typeof challengeSchema>>;
export type PhaseConfig = Readonly<z.output<typeof phaseSchema>>;
export type ChallengeLimits = Readonly<z.output<typeof limitsSchema>>;

/** Whether a phase takes submissions: `before` it opens, `open`, or `closed`. */
export function phaseState(
  { opens, closes }: Pick<PhaseConfig, "opens" | "closes">,
  now: Date,
): "before" | "open" | "closed" {
  if (opens !== undefined && now.getTime() < Date.parse(opens)) return "before";
  return closes !== undefined && now.getTime() >= Date.parse(closes) ? "closed" : "open";
}
