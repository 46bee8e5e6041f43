import { ConfigError } from "../core/errors.js";
import type { EpisodeLine, IntervalMethod, RunInfo } from "../core/interfaces/result.js";
import { aggregate } from "../core/metric/base.js";
import { holmAdjust } from "../stats/holm.js";
import type { Interval } from "../stats/interval.js";
import { mcnemarExact } from "../stats/mcnemar.js";
import { meanInterval } from "../stats/mean-interval.js";
import { pairedDifferences } from "../stats/paired-differences.js";
import { pairedT } from "../stats/paired-t.js";
import { RunDirectory } from "./run-directory.js";

/** Episode 9 before episode 10. */
const BY_NUMBER = new Intl.Collator("en", { numeric: true });

/** One metric of one task over the episodes that both runs have. */
export interface MetricComparison {
  readonly task: string;
  readonly metric: string;
  readonly n: number;
  readonly mean_a: number;
  readonly mean_b: number;
  /** B minus A. */
  readonly difference: number;
  /** 95 %, of the paired differences; scenes are drawn whole where episodes share them. */
  readonly ci95: Interval | null;
  readonly ci_method: IntervalMethod;
  readonly test: "mcnemar_exact" | "paired_t";
  /** Two-sided; null where no test is possible (a single episode). */
  readonly p: number | null;
  /** Holm-adjusted over all metrics of this comparison. */
  readonly p_holm: number | null;
}

export interface RunComparison {
  readonly format: "robot-eval-compare/1";
  readonly a: RunRef;
  readonly b: RunRef;
  readonly episodes: {
    readonly shared: number;
    readonly only_a: number;
    readonly only_b: number;
    /** Shared episodes that at least one run could not judge, and so not compared. */
    readonly invalid: number;
  };
  readonly metrics: readonly MetricComparison[];
  readonly flipped: {
    readonly to_success: readonly string[];
    readonly to_failure: readonly string[];
  };
}

export interface RunRef {
  readonly run_id: string;
  readonly agent: string;
  readonly run_dir: string;
}

/**
 * Compares two runs episode by episode. The pairing is what makes small differences visible: both
 * agents faced the same initial states.
 */
export async function compareRuns(pathA: string, pathB: string): Promise<RunComparison> {
  const [a, b] = await Promise.all([readRun(pathA), readRun(pathB)]);
  const pairs: Pair[] = [];
  let invalid = 0;
  let shared = 0;
  for (const [key, lineA] of a.lines) {
    const lineB = b.lines.get(key);
    if (!lineB) continue;
    shared++;
    checkProfiles(lineA, lineB);
    if (lineA.outcome === "invalid" || lineB.outcome === "invalid") invalid++;
    else pairs.push([lineA, lineB]);
  }
  // Lines stand in the order in which episodes ended, which is chance; intervals must not hang on it.
  pairs.sort(([x], [y]) => BY_NUMBER.compare(x.episode_key, y.episode_key));
  if (shared === 0) {
    throw new ConfigError("nothing_shared", `${pathA} and ${pathB} have no episode in common`, {
      hint: "runs are compared episode by episode, so both must be of the same benchmark",
    });
  }
  return {
    format: "robot-eval-compare/1",
    a: refOf(a.info, pathA),
    b: refOf(b.info, pathB),
    episodes: {
      shared,
      only_a: a.lines.size - shared,
      only_b: b.lines.size - shared,
      invalid,
    },
    metrics: compareMetrics(pairs, a.info.seed),
    flipped: {
      to_success: flips(pairs, "success"),
      to_failure: flips(pairs, "failure"),
    },
  };
}

type Pair = readonly [EpisodeLine, EpisodeLine];

async function readRun(path: string) {
  const run = await RunDirectory.open(path);
  const lines = new Map<string, EpisodeLine>();
  for await (const line of run.episodes()) lines.set(line.episode_key, line);
  return { info: await run.info(), lines };
}

function refOf(info: RunInfo, path: string): RunRef {
  return { run_id: info.run_id, agent: info.agent, run_dir: path };
}

function checkProfiles(a: EpisodeLine, b: EpisodeLine): void {
  if (a.profile === b.profile) return;
  throw new ConfigError(
    "different_profiles",
    `the runs follow different conventions: ${a.profile} and ${b.profile}`,
    { hint: `score one of them again: robot-eval score <run> --profile ${a.profile}` },
  );
}

function compareMetrics(pairs: readonly Pair[], seed: number): MetricComparison[] {
  const columns = new Map<string, Column>();
  for (const [a, b] of pairs) {
    for (const [metric, valueA] of Object.entries(a.metrics)) {
      const valueB = b.metrics[metric];
      if (valueA === null || valueB === null || valueB === undefined) continue;
      const key = JSON.stringify([a.task, metric]);
      const column = columns.get(key) ?? { task: a.task, metric, a: [], b: [], scenes: [] };
      columns.set(key, column);
      column.a.push(valueA);
      column.b.push(valueB);
      column.scenes.push(a.scene_id);
    }
  }
  const rows = [...columns.values()].map((column) => compareColumn(column, seed));
  const tested = rows.filter((row) => row.p !== null);
  const adjusted = holmAdjust(tested.map((row) => row.p ?? 1));
  const holm = new Map(tested.map((row, i) => [row, adjusted[i] ?? null]));
  return rows.map((row) => ({ ...row, p_holm: holm.get(row) ?? null }));
}

interface Column {
  readonly task: string;
  readonly metric: string;
  readonly a: number[];
  readonly b: number[];
  readonly scenes: string[];
}

function compareColumn({ task, metric, a, b, scenes }: Column, seed: number): MetricComparison {
  const meanA = aggregate(a).mean ?? 0;
  const meanB = aggregate(b).mean ?? 0;
  const binary = [...a, ...b].every((value) => value === 0 || value === 1);
  const gained = a.filter((value, i) => value === 0 && b[i] === 1).length;
  const lost = a.filter((value, i) => value === 1 && b[i] === 0).length;
  const { interval, method } = meanInterval(pairedDifferences(a, b), {
    kind: "mean",
    clusters: scenes,
    seed,
  });
  return {
    task,
    metric,
    n: a.length,
    mean_a: meanA,
    mean_b: meanB,
    difference: meanB - meanA,
    ci95: interval,
    ci_method: method,
    test: binary ? "mcnemar_exact" : "paired_t",
    p: binary ? mcnemarExact(lost, gained) : (pairedT(a, b)?.p ?? null),
    p_holm: null,
  };
}

function flips(pairs: readonly Pair[], to: "success" | "failure"): string[] {
  return pairs
    .filter(([a, b]) => a.outcome !== b.outcome && b.outcome === to)
    .map(([a]) => a.episode_key);
}
