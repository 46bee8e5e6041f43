import { DataError } from "../core/errors.js";
import type { EpisodeLine, RunInfo } from "../core/interfaces/result.js";
import { hash53 } from "../core/math/hash.js";
import { createRegistries } from "../registry/registries.js";
import { lineName } from "../runs/line-name.js";
import { recordedBenchmark } from "../runs/recorded-config.js";
import { RunDirectory } from "../runs/run-directory.js";
import { checkData } from "./check-data.js";
import { Evaluation, type EvaluationOptions } from "./evaluation.js";
import { keyOf } from "./jobs.js";
import { prepareRun, type RunPlan } from "./prepare.js";
import { firstRun, type Job } from "./queue.js";
import { isRepeatable, NOBODY, nobodyFactory } from "./replay/audit-agents.js";
import { AuditTally } from "./replay/audit-tally.js";
import { type ComparedLine, comparedLine } from "./replay/compared-line.js";
import type { AuditReport, CheckProgress } from "./replay/documents.js";
import { checkWasRun, versionWarnings } from "./replay/recorded-run.js";

/** Episodes that are drawn when nobody says how many. */
export const AUDITED = 20;

export interface AuditOptions extends Omit<EvaluationOptions, "savesTrajectories" | "registries"> {
  /** Episodes to draw, 20 if absent. */
  readonly episodes?: number | "all" | undefined;
  /** Of the draw; 0 if absent. */
  readonly seed?: number | undefined;
  /** In place of the run's own agent: where its policy is to be found now. */
  readonly agent?: string | undefined;
  /** Only put the simulator into each episode's initial state, without any agent. */
  readonly initialOnly?: boolean | undefined;
  /** When aborted, the episodes under way are finished and compared. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
}

/**
 * Runs episodes of a run afresh, a sample drawn by lot and in that order, and compares what comes of them
 * with what is recorded: a result that depends on workers, order or neighbours shows itself here.
 */
export async function auditRun(path: string, options: AuditOptions = {}): Promise<AuditReport> {
  const { seed = 0, initialOnly = false, signal } = options;
  const run = await RunDirectory.open(path);
  const info = await run.info();
  checkWasRun(run, info, "audit");
  const lines = await judgedLines(run);
  const sample = drawn([...lines.values()], options.episodes ?? AUDITED, seed);
  const agent = options.agent ?? info.agent;
  const { plan, warnings } = await auditPlan(run, info, initialOnly ? NOBODY : agent);
  const jobs = jobsOf(plan, sample, run);
  const tally = new AuditTally({
    initialOnly,
    // Another agent than the recorded one owes nobody the same result.
    mustRepeat: (task) => agent === info.agent && isRepeatable(agentOf(plan, task)),
  });
  const evaluation = await Evaluation.open(onlyTasksOf(plan, jobs), jobs, {
    ...options,
    // What was put into the registries for this is not in other threads.
    ...(initialOnly ? { workers: 1, registries: plan.registries } : {}),
    savesTrajectories: false,
  });
  try {
    await evaluation.run(async ({ line }, job) => {
      const recorded = lines.get(lineName(line.episode_key, line.repeat));
      if (recorded) tally.add(recorded, line, job.task);
      options.onProgress?.({ done: tally.done, total: jobs.length, different: tally.different });
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
    ...tally.result(),
    warnings: [...warnings, ...versionWarnings(info)],
    ...(tally.done < jobs.length ? { interrupted: true } : {}),
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
      ? "the run's simulator is not deterministic: episodes that differ now would prove nothing"
      : "the run has no episode that counts";
  throw new DataError("nothing_to_audit", why, { where: run.file("episodes") });
}

/** By lot, in the order of the lots: which are drawn does not depend on how the run was ordered. */
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

/** The run's own plan, over the same data. */
async function auditPlan(
  run: RunDirectory,
  info: RunInfo,
  agent: string,
): Promise<{ readonly plan: RunPlan; readonly warnings: readonly string[] }> {
  const registries = createRegistries();
  registries.agents.register(NOBODY, nobodyFactory);
  const plan = await prepareRun(recordedBenchmark(run, info), {
    registries,
    agent,
    seed: info.seed,
    ...info.selection,
  });
  const hint = "bring the dataset back; `robot-eval replay` does without it";
  const unknown = checkData(info, plan, hint);
  if (unknown.length === 0) return { plan, warnings: [] };
  const warning = `run.json does not say what the data of ${unknown.join(", ")} was; it is taken to be the same`;
  return { plan, warnings: [warning] };
}

function jobsOf({ tasks }: RunPlan, sample: readonly ComparedLine[], run: RunDirectory): Job[] {
  const byKey = new Map<string, Job>();
  for (const { judged, episodes } of tasks) {
    for (const episode of episodes) {
      const job = firstRun(judged.name, episode);
      byKey.set(keyOf(job), job);
    }
  }
  return sample.map(({ episode_key, repeat }) => {
    const job = byKey.get(episode_key);
    if (job) return { ...job, repeat };
    throw new DataError("damaged_line", `${episode_key} is no episode of the run's benchmark`, {
      where: run.file("episodes"),
    });
  });
}

/** Others need neither simulators nor sessions. */
function onlyTasksOf(plan: RunPlan, jobs: readonly Job[]): RunPlan {
  const names = new Set(jobs.map(({ task }) => task));
  return { ...plan, tasks: plan.tasks.filter(({ judged }) => names.has(judged.name)) };
}

function agentOf({ tasks }: RunPlan, name: string) {
  return tasks.find(({ judged }) => judged.name === name)?.agentRef;
}
