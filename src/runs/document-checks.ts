import { z } from "zod";
import { check } from "../config/issues.js";
import { DataError, show } from "../core/errors.js";
import type { EpisodeLine, RunInfo, RunSummary } from "../core/interfaces/result.js";
import { isRecord } from "../core/record.js";

/**
 * What a run's documents must hold for those who read them. Fields that only people read are left
 * alone, and so are unknown ones: a later version may add some.
 */

const RUN_FORMAT = "robot-eval-run/1";
const SUMMARY_FORMAT = "robot-eval-summary/1";

const texts = z.array(z.string());
const count = z.int().nonnegative();
const status = z.enum(["running", "done", "cancelled", "failed"]);
const fault = z.enum(["platform", "data", "agent"]);

const INFO = z.looseObject({
  run_id: z.string(),
  status,
  kind: z.enum(["run", "score"]),
  benchmark: z.looseObject({
    name: z.string(),
    sha256: z.string(),
    file: z.string().optional(),
    set: texts.optional(),
  }),
  config: z.looseObject({}),
  selection: z.looseObject({
    limit: count.optional(),
    filter: z.string().optional(),
    shard: z.string().optional(),
  }),
  // Runs of before there were digests have none.
  data: z.record(z.string(), z.looseObject({ episodes: count, sha256: z.string() })).optional(),
  seed: count,
  agent: z.string(),
  disclosed: z.record(z.string(), texts),
  versions: z.record(z.string(), z.string()),
  started_at: z.string(),
  finished_at: z.string().nullable(),
  warnings: texts,
  resumed: z.array(z.looseObject({ at: z.string(), done: count, agent: z.string() })).optional(),
  cluster: z.looseObject({ database: z.string() }).optional(),
  merged: texts.optional(),
  source: z.record(z.string(), z.string()).optional(),
});

const metricTable = z.record(
  z.string(),
  z.looseObject({
    mean: z.number().nullable(),
    count,
    ci95: z.tuple([z.number(), z.number()]).nullable(),
    ci_method: z.string(),
    n_invalid: count,
    unit: z.string(),
    direction: z.enum(["higher", "lower", "none"]),
  }),
);

const faulty = z.array(
  z.looseObject({ episode_key: z.string(), fault, code: z.string(), message: z.string() }),
);

const SUMMARY = z.looseObject({
  run_id: z.string(),
  status,
  benchmark: z.string(),
  agent: z.string(),
  seed: count,
  profiles: z.record(z.string(), z.string()),
  episodes: z.looseObject({ total: count, success: count, failure: count, invalid: count }),
  aggregated_metrics: metricTable,
  per_task: z.record(z.string(), metricTable),
  primary_metrics: z.record(z.string(), z.string()),
  end_reasons: z.record(z.string(), count),
  faults: z.record(z.string(), count),
  invalid_episodes: faulty,
  broken_off_episodes: faulty,
  timings: z.looseObject({ wall_ms: z.number(), steps: count }),
});

const LINE = z.looseObject({
  episode_key: z.string(),
  episode_id: z.string(),
  scene_id: z.string(),
  task: z.string(),
  task_type: z.string(),
  repeat: count,
  attempt: count,
  seed: count,
  agent_seed: count,
  outcome: z.enum(["success", "failure", "invalid"]),
  fault: fault.optional(),
  end_reason: z.string(),
  metrics: z.record(z.string(), z.number().nullable()),
  profile: z.string(),
  steps: count,
  wall_ms: z.number(),
  sim_ms: z.number(),
  agent_ms: z.number(),
  agent_latency_ms: z
    .looseObject({ n: count, sketch: z.record(z.string(), z.number()) })
    .nullable(),
  initial_state_hash: z.string().nullable(),
  final_state_hash: z.string().nullable(),
  nondeterministic: z.literal(true).optional(),
  trajectory: z.string().nullable(),
  video: z.string().optional(),
  geometry: z.string().optional(),
  error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
  explanation: z.string(),
});

/** The content of run.json, or an error that names the field. */
export function checkInfo(document: unknown, where: string): RunInfo {
  return checked<RunInfo>(document, { schema: INFO, format: RUN_FORMAT, where });
}

/** The content of summary.json, likewise. */
export function checkSummary(document: unknown, where: string): RunSummary {
  return checked<RunSummary>(document, { schema: SUMMARY, format: SUMMARY_FORMAT, where });
}

/** A line of episodes.jsonl; `where` is the file with the line's number. */
export function checkLine(value: unknown, where: string): EpisodeLine {
  const problem = isRecord(value) ? firstProblem(LINE, value) : show(value);
  if (problem === undefined) return value as EpisodeLine;
  throw new DataError("damaged_line", `not the result of an episode: ${problem}`, { where });
}

interface Expected {
  readonly schema: z.ZodType;
  readonly format: string;
  readonly where: string;
}

function checked<T>(document: unknown, { schema, format, where }: Expected): T {
  if (typeof document !== "object" || document === null) {
    throw new DataError("damaged_file", `expected a JSON object, got ${show(document)}`, {
      where,
    });
  }
  const found = isRecord(document) ? document.format : undefined;
  if (found !== format) {
    throw new DataError("wrong_version", `format is ${show(found)}`, {
      where,
      hint: `this version reads ${format}`,
    });
  }
  const problem = firstProblem(schema, document);
  if (problem !== undefined) throw new DataError("damaged_file", problem, { where });
  return document as T;
}

/** `seed: expected a whole number, got "7"`; undefined where all is well. */
function firstProblem(schema: z.ZodType, value: unknown): string | undefined {
  const result = check(schema, value);
  if ("data" in result) return undefined;
  const [first] = result.findings;
  return first ? `${first.path.join(".")}: ${first.problem}` : "not what it should be";
}
