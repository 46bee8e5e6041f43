import { existsSync } from "node:fs";
import { join } from "node:path";
import { policiesText } from "../../core/policy-identity.js";
import { breakPoint, type StrengthSample } from "../../stats/break-point.js";
import { meanInterval } from "../../stats/mean-interval.js";
import { judged, type Pair, pairRuns } from "../compare/pair.js";
import { type ComparedRun, readComparedRun } from "../compare/read-run.js";
import { FILES } from "../directory/run-files.js";
import type {
  BreakPoint,
  StressAxis,
  StressLevel,
  StressPartStatus,
  StressReport,
} from "./documents.js";
import { clustersOf, measure, successOf } from "./measure.js";
import { adjust, rank } from "./rank.js";
import { type LevelPairs, tellingEpisodes } from "./telling.js";

/**
 * Computes all numbers of a stress test from its run directories. The draft says which runs belong to it.
 *
 * @param done keeps runs that are done, for the next call
 */
export async function analyse(
  folder: string,
  draft: StressReport,
  done: Map<string, ComparedRun> = new Map(),
): Promise<StressReport> {
  const read = async (name: string) => {
    const known = done.get(name);
    if (known || !existsSync(join(folder, name, FILES.info))) return known;
    const run = await readComparedRun(join(folder, name));
    if (run.info.status === "done") done.set(name, run);
    return run;
  };
  const baseline = await read(draft.baseline.run);
  const axes: StressAxis[] = [];
  for (const axis of draft.axes) {
    axes.push(await analyseAxis(axis, draft.baseline.run, baseline, read));
  }
  const judgedAxes = adjust(axes);
  const policy = policiesText(baseline?.info.policies);
  return {
    ...draft,
    ...(policy === undefined ? {} : { policy }),
    baseline: { ...draft.baseline, ...summaryOf(baseline) },
    axes: judgedAxes,
    ranking: rank(judgedAxes),
    tests: judgedAxes.flatMap(({ levels }) => levels).filter(({ p }) => p !== null).length,
  };
}

type Read = (run: string) => Promise<ComparedRun | undefined>;

async function analyseAxis(
  axis: StressAxis,
  baselineName: string,
  baseline: ComparedRun | undefined,
  read: Read,
): Promise<StressAxis> {
  const found: LevelPairs[] = [];
  const levels: StressLevel[] = [];
  for (const draft of axis.levels) {
    const run = await read(draft.run);
    const expert = draft.expert_run === null ? undefined : await read(draft.expert_run);
    const { pairs, ...row } = analyseLevel(draft, baseline, run, expert);
    levels.push(row);
    if (run) found.push({ level: draft.level, name: draft.run, run, pairs });
  }
  return {
    ...axis,
    levels,
    break_point: breakPointOf(axis, found),
    telling_episodes: baseline
      ? await tellingEpisodes({ name: baselineName, run: baseline }, found)
      : [],
  };
}

function analyseLevel(
  draft: StressLevel,
  baseline: ComparedRun | undefined,
  run: ComparedRun | undefined,
  expert: ComparedRun | undefined,
): StressLevel & { readonly pairs: readonly Pair[] } {
  const isEmpty = !baseline || !run || run.episodes.size === 0 || baseline.episodes.size === 0;
  const paired = isEmpty ? undefined : pairRuns(baseline, run, { onlyShared: true });
  const cannotSolve = (key: string) => {
    const tried = expert?.episodes.get(key)?.trials ?? [];
    return tried.length > 0 && tried.every(({ outcome }) => outcome !== "success");
  };
  const all = paired?.pairs ?? [];
  const pairs = all.filter(({ key }) => !cannotSolve(key));
  const stopped = stoppedEarly(run);
  const repeated = (baseline?.repeats ?? 1) > 1 || (run?.repeats ?? 1) > 1;
  const options = { repeated, stoppedSeed: stopped ? run?.info.seed : undefined };
  const tasks = [...new Set(pairs.map(({ a }) => a.task))].sort();
  return {
    ...draft,
    status: statusOf(run),
    ...measure(pairs, options),
    unsolvable: all.length - pairs.length,
    invalid: paired?.unjudged.length ?? 0,
    stopped_early: stopped,
    per_task:
      tasks.length < 2
        ? {}
        : Object.fromEntries(
            tasks.map((task) => [
              task,
              measure(
                pairs.filter(({ a }) => a.task === task),
                options,
              ),
            ]),
          ),
    pairs,
  };
}

function statusOf(run: ComparedRun | undefined): StressPartStatus {
  return run?.info.status ?? "waiting";
}

function stoppedEarly(run: ComparedRun | undefined): StressLevel["stopped_early"] {
  const stops = Object.values(run?.summary?.early_stop ?? {});
  if (!stops.some(({ reached }) => reached)) return null;
  const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);
  return { counted: sum(stops.map((s) => s.counted)), of: sum(stops.map((s) => s.of)) };
}

function breakPointOf(axis: StressAxis, levels: readonly LevelPairs[]): BreakPoint {
  const samples = levels.flatMap(({ level, pairs }): StrengthSample[] => {
    const value = axis.levels.find((one) => one.level === level)?.value;
    if (value === undefined || pairs.length === 0) return [];
    return [
      {
        value,
        baseline: pairs.map(({ a }) => successOf(a)),
        perturbed: pairs.map(({ b }) => successOf(b)),
        scenes: clustersOf(pairs.map(({ key, a }) => ({ key, ...a }))),
      },
    ];
  });
  const found = breakPoint(axis.neutral, samples);
  if (!found) return { state: "unknown", value: null, level: null, ci95: null };
  const { value, level, near, far } = found;
  const ci95 = near === undefined ? null : ([near, far ?? null] as const);
  if (value === undefined || level === undefined) {
    return { state: "not_reached", value: null, level: null, ci95 };
  }
  return { state: "reached", value, level, ci95 };
}

function summaryOf(run: ComparedRun | undefined): Omit<StressReport["baseline"], "run"> {
  const episodes = [...(run?.episodes ?? [])].map(([key, episode]) => ({ key, ...episode }));
  const valid = episodes.filter((episode) => judged(episode).length > 0);
  const values = valid.map(successOf);
  const clusters = clustersOf(valid);
  const { interval, method } = meanInterval(values, { kind: "rate", clusters, range: [0, 1] });
  return {
    status: statusOf(run),
    total: episodes.length,
    invalid: episodes.length - valid.length,
    success: values.length > 0 ? values.reduce((sum, y) => sum + y, 0) / values.length : null,
    ci95: interval,
    ci_method: method,
  };
}
