import { join } from "node:path";
import { z } from "zod";
import { DataError, errorMessage } from "../../core/errors.js";
import type { RunStatus } from "../../core/interfaces/result.js";
import { writeAtomic } from "../../runs/directory/files.js";
import { parseDocument } from "../../runs/directory/json-lines.js";
import { readPlain } from "../../runs/directory/plain-files.js";

/** The file of a duel's folder, beside its run directories. */
export const DUEL_FILE = "duel.json";

/** What a duel was asked to do. */
export interface DuelSettings {
  readonly format: "robot-eval-duel/1";
  readonly id: string;
  readonly benchmark: string;
  readonly seed: number;
  /** The probability of any wrong verdict. */
  readonly alpha: number;
  /** Policies that differ by less count as equivalent; null if that is not tested. */
  readonly margin: number | null;
  /** The metric that decides; null: each task's primary metric. */
  readonly metric: string | null;
  readonly policies: readonly DuelPolicy[];
}

interface DuelPolicy {
  readonly agent: string;
  /** Name of the run directory. */
  readonly run: string;
  /** Path of a run that was there before; absent if the run is in the duel's folder. */
  readonly recorded?: string | undefined;
}

/** Two policies on one task. Differences are B - A. */
export interface DuelComparison {
  readonly task: string;
  readonly metric: string;
  /** The agents' positions in `policies`. */
  readonly a: number;
  readonly b: number;
  /** `better` and `worse` say what A is. */
  readonly verdict: "better" | "worse" | "equivalent" | "undecided";
  /** Compared episodes: valid for both. */
  readonly pairs: number;
  readonly only_a: number;
  readonly only_b: number;
  readonly mean_a: number | null;
  readonly mean_b: number | null;
  readonly difference: number | null;
  /** Confidence sequence of the difference: all intervals of the duel hold together with probability 0.95. */
  readonly ci95: readonly [low: number, high: number];
  readonly ci_method: "sequential";
}

/** duel.json. Results are there once the duel has ended or was interrupted. */
export interface DuelDocument extends DuelSettings {
  readonly status: RunStatus;
  readonly comparisons: readonly DuelComparison[];
  /** The first and the last rank that each policy can have, in the order of `policies`; keyed by task. */
  readonly ranks: Readonly<Record<string, readonly (readonly [best: number, worst: number])[]>>;
  readonly episodes: {
    /** Episodes that count, over all policies that were not recorded before; each repeat counts. */
    readonly used: number;
    /** Episodes of the whole benchmark for these policies. */
    readonly of: number;
    readonly saved: number;
  };
  /** Episodes that only some policies solved, in the drawn order. */
  readonly flipped: readonly FlippedEpisode[];
}

interface FlippedEpisode {
  readonly episode_key: string;
  /** Agents, by their positions in `policies`. */
  readonly solved_by: readonly number[];
  readonly failed_by: readonly number[];
}

const SETTINGS = z.looseObject({
  format: z.literal("robot-eval-duel/1"),
  id: z.string(),
  benchmark: z.string(),
  seed: z.int().min(0),
  alpha: z.number().gt(0).lt(1),
  margin: z.number().gt(0).lt(1).nullable(),
  metric: z.string().nullable(),
  policies: z
    .array(
      z.looseObject({
        agent: z.string(),
        run: z.string().regex(/^[^/\\]+$/),
        recorded: z.string().optional(),
      }),
    )
    .min(2),
});

export async function writeDuel(folder: string, document: DuelDocument): Promise<void> {
  await writeAtomic(join(folder, DUEL_FILE), `${JSON.stringify(document, null, 2)}\n`);
}

/** Reads the settings of a duel. @throws DataError if the file is missing or damaged */
export async function readDuelSettings(folder: string): Promise<DuelSettings> {
  const path = join(folder, DUEL_FILE);
  const hint = "restore the file, or start a new duel";
  let document: unknown;
  try {
    document = parseDocument((await readPlain(path)).toString("utf8"), "damaged_duel", path);
  } catch (cause) {
    throw new DataError("damaged_duel", `cannot be read: ${errorMessage(cause)}`, {
      ...{ where: path, hint, cause },
    });
  }
  const checked = SETTINGS.safeParse(document);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const field = issue?.path.join(".") ?? "";
  throw new DataError("damaged_duel", `${field}: ${issue?.message ?? "is damaged"}`, {
    where: path,
    hint,
  });
}
