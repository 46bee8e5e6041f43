import { z } from "zod";
import { check } from "../../config/issues.js";
import { DataError, show } from "../../core/errors.js";
import type { EpisodeLine, RunInfo, RunSummary } from "../../core/interfaces/result.js";
import { isRecord } from "../../core/record.js";
import { FILES } from "./run-files.js";

/**
 * Schemas of a run's documents, for the fields that code reads. Other fields are not checked, and unknown ones
 * are allowed: a later version may add some.
 */

const RUN_FORMAT = "robot-eval-run/1";
const SUMMARY_FORMAT = "robot-eval-summary/1";

const texts = z.array(z.string());
const count = z.int().nonnegative();
const status = z.enum(["running", "done", "cancelled", "failed"]);
const fault = z.enum(["platform", "data", "agent"]);
/** Lines are untrusted: the files they name must be in the run's own folders. */
const fileIn = (folder: string) =>
  z.string().refine((name) => isFileIn(folder, name), `expected a file in ${folder}/`);

const partial = z.looseObject({ scored: count, of: count }).optional();

const labels = {
  name: z.string().optional(),
  tags: z.record(z.string(), z.string()).optional(),
  policies: z
    .record(
      z.string(),
      z.looseObject({
        name: z.string(),
        version: z.string().optional(),
        checkpoint: z.string().optional(),
        metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
      }),
    )
    .optional(),
};

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
    first: count.optional(),
    filter: z.string().optional(),
    shard: z.string().optional(),
  }),
  // Runs of early versions have no digests.
  data: z
    .record(
      z.string(),
      z.looseObject({ episodes: count, of: count.optional(), sha256: z.string() }),
    )
    .optional(),
  seed: count,
  agent: z.string(),
  ...labels,
  config_mac: z.string().optional(),
  disclosed: z.record(z.string(), texts),
  sensors: z.record(z.string(), texts.nullable()).optional(),
  versions: z.record(z.string(), z.string()),
  parity: z
    .array(z.looseObject({ world: z.string(), engine: z.string(), passed: z.boolean().nullable() }))
    .optional(),
  started_at: z.string(),
  finished_at: z.string().nullable(),
  warnings: texts,
  resumed: z.array(z.looseObject({ at: z.string(), done: count, agent: z.string() })).optional(),
  cluster: z.looseObject({ database: z.string() }).optional(),
  duel: z.looseObject({ id: z.string(), against: texts, metric: z.string().optional() }).optional(),
  merged: texts.optional(),
  partial,
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
    mean_without_agent_faults: z.number().nullable().optional(),
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
  ...labels,
  seed: count,
  profiles: z.record(z.string(), z.string()),
  episodes: z.looseObject({ total: count, success: count, failure: count, invalid: count }),
  selected: z.looseObject({ episodes: count, of: count }).optional(),
  partial,
  aggregated_metrics: metricTable,
  per_task: z.record(z.string(), metricTable),
  primary_metrics: z.record(z.string(), z.string()),
  end_reasons: z.record(z.string(), count),
  faults: z.record(z.string(), count),
  invalid_episodes: faulty,
  broken_off_episodes: faulty,
  early_stop: z
    .record(
      z.string(),
      z.looseObject({
        metric: z.string(),
        half_width: z.number().optional(),
        against: z.array(z.string()).optional(),
        reached: z.boolean(),
        counted: count,
        of: count,
      }),
    )
    .optional(),
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
  perturbation: z.looseObject({ axis: z.string(), level: count, value: z.number() }).optional(),
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
  trajectory: fileIn(FILES.trajectories).nullable(),
  video: fileIn(FILES.videos).optional(),
  geometry: z.string().optional(),
  error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
  explanation: z.string(),
});

/** Checks the content of run.json; the error names the field. */
export function checkInfo(document: unknown, where: string): RunInfo {
  return checkDocument<RunInfo>(document, { schema: INFO, format: RUN_FORMAT, where });
}

/** Checks the content of summary.json; the error names the field. */
export function checkSummary(document: unknown, where: string): RunSummary {
  const expected = { schema: SUMMARY, format: SUMMARY_FORMAT, where };
  return checkDocument<RunSummary>(withEarlySummary(document), expected);
}

/** Checks a line of episodes.jsonl. `where` is the file with the line number. */
export function checkLine(value: unknown, where: string): EpisodeLine {
  const line = withEarlyLatency(value);
  const problem = isRecord(line) ? firstProblem(LINE, line) : show(line);
  if (problem === undefined) return line as EpisodeLine;
  throw new DataError("damaged_line", `not the result of an episode: ${problem}`, { where });
}

/** Early versions recorded percentiles without counts, which cannot be pooled: the latency counts as not measured. */
function withEarlyLatency(line: unknown): unknown {
  if (!isRecord(line) || !isRecord(line.agent_latency_ms)) return line;
  const { n, sketch } = line.agent_latency_ms;
  return n === undefined && sketch === undefined ? { ...line, agent_latency_ms: null } : line;
}

/** Early versions did not list the episodes that the agent broke off. */
function withEarlySummary(summary: unknown): unknown {
  return isRecord(summary) && summary.broken_off_episodes === undefined
    ? { ...summary, broken_off_episodes: [] }
    : summary;
}

interface Expected {
  readonly schema: z.ZodType;
  readonly format: string;
  readonly where: string;
}

/** Checks the format and the fields of a document; the error names the field. */
export function checkDocument<T>(document: unknown, { schema, format, where }: Expected): T {
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

/** `seed: expected a whole number, got "7"`; undefined if the value is valid. */
function firstProblem(schema: z.ZodType, value: unknown): string | undefined {
  const result = check(schema, value);
  if ("data" in result) return undefined;
  const [first] = result.findings;
  return first ? `${first.path.join(".")}: ${first.problem}` : "not a valid document";
}

function isFileIn(folder: string, name: string): boolean {
  const file = name.slice(folder.length + 1);
  return (
    name.startsWith(`${folder}/`) && file !== "" && !/^\.\.?$/.test(file) && !/[/\\\0]/.test(file)
  );
}
