import { stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DataError } from "../../core/errors.js";
import { checkDocument } from "../directory/document-checks.js";
import { parseDocument } from "../directory/json-lines.js";
import { readPlain } from "../directory/plain-files.js";
import type { StressReport } from "./documents.js";

export const STRESS_FILE = "stress.json";
const FORMAT = "robot-eval-stress/1";

/** A stress.json is untrusted: its runs must be folders beside it. */
const runName = z.string().regex(/^[\p{L}\p{N}_][\p{L}\p{N}_.+-]*$/u, {
  error: "expected the name of a folder beside stress.json",
});
const count = z.int().nonnegative();
const interval = z.tuple([z.number(), z.number()]).nullable();
const share = z.number().nullable();
const status = z.enum(["running", "done", "cancelled", "failed"]);
const partStatus = z.enum([...status.options, "waiting"]);

const measure = {
  n: count,
  baseline: share,
  success: share,
  difference: share,
  ci95: interval,
  ci_method: z.string(),
  test: z.string().nullable(),
  p: share,
  lost: count,
  gained: count,
};

const side = z.looseObject({
  run: runName,
  repeat: count,
  end_reason: z.string(),
  steps: count,
  explanation: z.string(),
});

/** Unknown fields are allowed: a later version may add some. */
const STRESS = z.looseObject({
  format: z.literal(FORMAT),
  stress_id: z.string(),
  status,
  benchmark: z.string(),
  agent: z.string(),
  policy: z.string().optional(),
  seed: count,
  started_at: z.string(),
  finished_at: z.string().nullable(),
  baseline: z.looseObject({
    run: runName,
    status: partStatus,
    total: count,
    invalid: count,
    success: share,
    ci95: interval,
    ci_method: z.string(),
  }),
  axes: z.array(
    z.looseObject({
      axis: z.string(),
      description: z.string(),
      kind: z.enum(["simulator", "interface"]),
      parameter: z.string(),
      unit: z.string(),
      neutral: z.number(),
      settings: z.record(z.string(), z.unknown()),
      skipped_tasks: z.array(z.looseObject({ task: z.string(), reason: z.string() })),
      levels: z.array(
        z.looseObject({
          level: z.int().min(1),
          value: z.number(),
          run: runName,
          status: partStatus,
          expert_run: runName.nullable(),
          ...measure,
          unsolvable: count,
          invalid: count,
          stopped_early: z.looseObject({ counted: count, of: count }).nullable(),
          p_holm: share,
          significant: z.boolean(),
          per_task: z.record(z.string(), z.looseObject(measure)),
        }),
      ),
      break_point: z.looseObject({
        state: z.enum(["reached", "not_reached", "unknown"]),
        value: share,
        level: share,
        ci95: z.tuple([z.number(), z.number().nullable()]).nullable(),
      }),
      telling_episodes: z.array(
        z.looseObject({
          episode_key: z.string(),
          to: z.enum(["success", "failure"]),
          level: z.int().min(1),
          stays: z.boolean(),
          baseline: side,
          perturbed: side,
        }),
      ),
    }),
  ),
  ranking: z.array(
    z.looseObject({
      axis: z.string(),
      damage: z.number(),
      worst_level: z.int().min(1),
      worst_difference: z.number(),
      p_holm: share,
      significant: z.boolean(),
    }),
  ),
  tests: count,
  early_stop: z.looseObject({ half_width: z.number(), min_episodes: count }).nullable(),
  notes: z.array(z.string()),
});

/** Whether a folder holds a stress test. */
export async function isStressFolder(folder: string): Promise<boolean> {
  const file = await stat(join(folder, STRESS_FILE)).catch(() => undefined);
  return file?.isFile() === true;
}

/** Reads and checks the stress.json of a folder. @throws DataError that names the field */
export async function readStress(folder: string): Promise<StressReport> {
  const where = join(folder, STRESS_FILE);
  const bytes = await readPlain(where).catch((cause: unknown) => {
    throw new DataError("missing_file", `${STRESS_FILE} is missing or cannot be read`, {
      where: folder,
      hint: "it is written by `robot-eval stress`",
      cause,
    });
  });
  const document = parseDocument(bytes.toString("utf8"), "damaged_file", where);
  return checkDocument<StressReport>(document, { schema: STRESS, format: FORMAT, where });
}
