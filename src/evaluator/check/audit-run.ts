import { DataError } from "../../core/errors.js";
import type { EpisodeLine, RunInfo } from "../../core/interfaces/result.js";
import { hash53 } from "../../core/math/hash.js";
import { programRegistries } from "../../registry/default.js";
import { lineName } from "../../runs/directory/line-name.js";
import { RunDirectory } from "../../runs/directory/run-directory.js";
import { type RunPermissions, recordedBenchmark } from "../../runs/recorded/recorded-benchmark.js";
import { Scheduler, type SchedulerOptions } from "../execute/scheduler.js";
import { keyOf } from "../plan/jobs.js";
import { prepareRun, type RunPlan } from "../plan/prepare.js";
import { firstRun, type Job } from "../plan/queue.js";
import { recordedSelection } from "../plan/recorded-selection.js";
import { checkSameData } from "../plan/same-data.js";
import { INITIAL_STATE_ONLY, isRepeatable, nobodyFactory } from "./replay/audit-agents.js";
import { AuditCounts } from "./replay/audit-counts.js";
import { type ComparedLine, comparedLine } from "./replay/compared-line.js";
import type { AuditReport, CheckProgress } from "./replay/documents.js";
import { checkWasRun, versionWarnings } from "./replay/recorded-run.js";

/** Default sample size. */
export const AUDITED = 20;

export interface AuditOptions
  extends Omit<SchedulerOptions, "savesTrajectories" | "registries">,
    Omit<RunPermissions, "bundle"> {
  /** Sample size. Default 20. */
  readonly episodes?: number | "all" | undefined;
  /** Seed of the sample. Default 0. */
  readonly seed?: number | undefined;
  /** Only resets the simulator to each episode's initial state; no agent runs. */
  readonly initialOnly?: boolean | undefined;
  /** When aborted, the running episodes are finished and compared. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
}

/**
 * Runs a random sample of a run's episodes again, in random order, and compares the results with the recorded
 * ones. A difference shows that a result depends on the workers, the order or earlier episodes.
 *
 * @example
 * const { equal, broken } = await auditRun("runs/20260101T120000Z-vln", { episodes: 50 });
 */
export async function auditRun(path: string, options: AuditOptions = {}): Promise<AuditReport> {
  const { seed = 0, initialOnly = false, signal } = options;
  const run = await RunDirectory.open(path);
  const info = await run.info();
  checkWasRun(run, info, "audit");
  const lines = await judgedLines(run);
  const sample = drawn([...lines.values()], options.episodes ?? AUDITED, seed);
  const agent = options.agent ?? info.agent;
  const { plan, warnings } = await auditPlan(run, info, options);
  const jobs = jobsOf(plan, sample, run);
  const counts = new AuditCounts({
    initialOnly,
    // Only the recorded agent must repeat its results.
    mustRepeat: (name) => {
      const found = plan.tasks.find(({ task }) => task.name === name);
      return agent === info.agent && isRepeatable(found?.agentRef);
    },
  });
  const evaluation = await Scheduler.open(onlyTasksOf(plan, jobs), jobs, {
    ...options,
    // The agent that is registered for this audit does not exist in other threads.
    ...(initialOnly ? { workers: 1, registries: plan.registries } : {}),
    savesTrajectories: false,
  });
  try {
    await evaluation.run(async ({ line }, job) => {
      const recorded = lines.get(lineName(line.episode_key, line.repeat));
      if (recorded) counts.add(recorded, line, job.task);
      options.onProgress?.({ done: counts.done, total: jobs.length, different: counts.different });
    }, signal);
  } finally {
    await evaluation.close();
  }
  return {
    format: "robot-eval-audit/1",
    run_id: info.run_id,
    agent,
    seed,
    initial_only: initialOnly,
    total: lines.size,
    ...counts.result(),
    warnings: [...warnings, ...versionWarnings(info)],
    ...(counts.done < jobs.length ? { interrupted: true } : {}),
  };
}

async function judgedLines(run: RunDirectory): Promise<Map<string, ComparedLine>> {
  const lines = new Map<string, ComparedLine>();
  const isJudged = ({ outcome, initial_state_hash }: EpisodeLine) =>
    outcome !== "invalid" && initial_state_hash !== null;
  let unrepeatable = 0;
  for await (const line of run.episodes()) {
    if (line.nondeterministic) unrepeatable++;
    else if (isJudged(line)) lines.set(lineName(line.episode_key, line.repeat), comparedLine(line));
  }
  if (lines.size > 0) return lines;
  const why =
    unrepeatable > 0
      ? "the run's simulator is not deterministic, so its episodes cannot be compared"
      : "the run has no valid episode";
  throw new DataError("nothing_to_audit", why, { where: run.file("episodes") });
}

/** Sorts by a hash of the key, so that the sample does not depend on the order of the run. */
function drawn(
  lines: readonly ComparedLine[],
  count: number | "all",
  seed: number,
): readonly ComparedLine[] {
  const lots = lines.map((line) => {
    const name = lineName(line.episode_key, line.repeat);
    return { line, name, lot: hash53(`audit ${seed} ${name}`) };
  });
  lots.sort((a, b) => a.lot - b.lot || (a.name < b.name ? -1 : 1));
  return lots.slice(0, count === "all" ? undefined : count).map(({ line }) => line);
}

/** The plan of the recorded run. @throws if its data has changed */
async function auditPlan(
  run: RunDirectory,
  info: RunInfo,
  options: AuditOptions,
): Promise<{ readonly plan: RunPlan; readonly warnings: readonly string[] }> {
  const registries = programRegistries();
  registries.agents.register(INITIAL_STATE_ONLY, nobodyFactory);
  const { benchmark, simulator, plugins, scenes, connectivity, initialOnly } = options;
  const agent = initialOnly ? INITIAL_STATE_ONLY : options.agent;
  const uses = ["plugins", "simulator", "scenes", "graphs", "dataset", "agent"] as const;
  const loaded = recordedBenchmark(run, info, uses, {
    ...{ benchmark, simulator, plugins, scenes, connectivity, agent },
  });
  const plan = await prepareRun(loaded, {
    registries,
    seed: info.seed,
    ...recordedSelection(info),
  });
  const hint = "restore the dataset, or use `robot-eval replay`, which does not need it";
  const unknown = checkSameData(info, plan, hint);
  if (unknown.length === 0) return { plan, warnings: [] };
  const warning = `run.json has no data digest for ${unknown.join(", ")}; the data is assumed to be unchanged`;
  return { plan, warnings: [warning] };
}

function jobsOf({ tasks }: RunPlan, sample: readonly ComparedLine[], run: RunDirectory): Job[] {
  const byKey = new Map<string, Job>();
  for (const { task, episodes } of tasks) {
    for (const episode of episodes) {
      const job = firstRun(task.name, episode);
      byKey.set(keyOf(job), job);
    }
  }
  return sample.map(({ episode_key, repeat }) => {
    const job = byKey.get(episode_key);
    if (job) return { ...job, repeat };
    throw new DataError("damaged_line", `${episode_key} is not an episode of the run's benchmark`, {
      where: run.file("episodes"),
    });
  });
}

/** Drops tasks without jobs, so that no simulator or agent is opened for them. */
function onlyTasksOf(plan: RunPlan, jobs: readonly Job[]): RunPlan {
  const names = new Set(jobs.map(({ task }) => task));
  return { ...plan, tasks: plan.tasks.filter(({ task }) => names.has(task.name)) };
}
