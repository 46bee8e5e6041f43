import { existsSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join, resolve } from "node:path";
import type { LoadedConfig } from "../../config/load.js";
import { makeFolder } from "../../config/output-path.js";
import { ConfigError, DataError, show } from "../../core/errors.js";
import type { EpisodeLine, RunResults, RunStatus } from "../../core/interfaces/result.js";
import { programRegistries } from "../../registry/default.js";
import { slug } from "../../runs/directory/file-names.js";
import { RunDirectory } from "../../runs/directory/run-directory.js";
import { RunLock } from "../../runs/directory/run-lock.js";
import { RunWriter } from "../../runs/directory/run-writer.js";
import { type RunOptions, runEpisodes } from "../execute/run-episodes.js";
import { oneThreadNotice, registeredInPlan, workerCount } from "../execute/worker-count.js";
import { jobsOf } from "../plan/jobs.js";
import { type PrepareOptions, prepareRun, type RunPlan } from "../plan/prepare.js";
import { recordedSelection } from "../plan/recorded-selection.js";
import { checkSameData } from "../plan/same-data.js";
import { newRunInfo } from "../record/run-info.js";
import { resumeRun } from "../resume.js";
import { checkDuelPlan, Duel } from "./duel.js";
import {
  type DuelDocument,
  type DuelSettings,
  readDuelSettings,
  writeDuel,
} from "./duel-document.js";
import { checkSameBenchmark, readRecorded } from "./recorded-policy.js";

/** The error of a duel: the probability of any wrong verdict. */
const ALPHA = 0.05;

/** Episodes that a policy may run ahead of the comparison, for each of its concurrent episodes. */
const AHEAD = 2;

/** More policies would have too many pairs to decide anything soon. */
const MOST_POLICIES = 20;

type DuelRunOptions = Omit<RunOptions, "pair" | "early">;

export interface DuelOptions
  extends Pick<PrepareOptions, "seed" | "limit" | "first" | "filter">,
    DuelRunOptions {
  readonly agents: readonly string[];
  /** A finished run whose policy takes part with its recorded results, as the first one. */
  readonly against?: string | undefined;
  /** A new folder for duel.json and the run directories. Default: one in `parent`. */
  readonly out?: string | undefined;
  /** Default: the benchmark's `log_dir`. */
  readonly parent?: string | undefined;
  /** Differences up to this one count as equivalent. */
  readonly margin?: number | undefined;
  /** The metric that decides. Default: each task's primary metric. */
  readonly metric?: string | undefined;
}

export type DuelResult = DuelDocument & { readonly folder: string };

/**
 * Compares policies on the same episodes in the same random order until one is better, they are equivalent, or all
 * episodes have been run.
 *
 * @example
 * const { comparisons } = await runDuel(loadConfig("vln_graph"), { agents: ["noisy:0.86", "noisy:0.92"] });
 * comparisons[0]?.verdict; // better
 */
export async function runDuel(loaded: LoadedConfig, options: DuelOptions): Promise<DuelResult> {
  const { agents, margin, metric = null, limit, first, filter, against } = options;
  checkOptions(options);
  const recorded = against === undefined ? undefined : await readRecorded(against);
  const isSelected = [limit, first, filter].some((value) => value !== undefined);
  const selection =
    recorded && !isSelected ? recordedSelection(recorded.info) : { limit, first, filter };
  const seed = options.seed ?? recorded?.info.seed;
  const { registries = programRegistries() } = options;
  const plans: RunPlan[] = [];
  for (const agent of agents) {
    const prepared = { registries, agent, seed, ...selection, drawsOrder: true };
    plans.push(await prepareRun(loaded, prepared));
  }
  const [plan] = plans;
  if (!plan) throw new TypeError("a duel has no plan");
  checkDuelPlan(plan, metric);
  if (recorded) {
    checkSameBenchmark(recorded, loaded);
    if (plan.seed !== recorded.info.seed) throw otherSeed(plan.seed, recorded.info.seed);
    checkSameData(recorded.info, plan, "use the run's dataset and selection, or run both policies");
  }
  const folder = newFolder(loaded, options);
  const settings: DuelSettings = {
    format: "robot-eval-duel/1",
    id: basename(folder),
    benchmark: loaded.config.benchmark.name,
    seed: plan.seed,
    alpha: ALPHA,
    margin: margin ?? null,
    metric,
    policies: [
      ...(recorded
        ? [{ agent: recorded.agent, run: recorded.run, recorded: recorded.recorded }]
        : []),
      ...agents.map((agent, i) => ({ agent, run: `${i + 1}-${slug(agent)}` })),
    ],
  };
  const before = recorded ? 1 : 0;
  const { workers, window } = threadsOf(plans, options);
  const duel = new Duel(settings, window, new Map(recorded ? [[0, recorded.lines]] : []));
  let lock: RunLock | undefined;
  const begin = once(async () => {
    makeFolder(folder);
    lock = await RunLock.take(folder);
    await writeDuel(folder, duel.document("running"));
  });
  const ended = finish(folder, duel, options, (policy, signal) => {
    const own = plans[policy - before] ?? plan;
    const { run } = settings.policies[policy] ?? { run: "" };
    const jobs = jobsOf(own);
    const { save_trajectories, video } = own.loaded.config.output;
    return runEpisodes(
      {
        ...{ plan: own, jobs, left: jobs, savesTrajectories: save_trajectories, video },
        begin: async ({ missingSensors, policies }) => {
          await begin();
          const warnings = [...missingSensors, ...oneThreadNotice(options, own)];
          const against = settings.policies.flatMap((other, i) =>
            i === policy ? [] : [other.agent],
          );
          const about = { id: settings.id, against, ...(metric === null ? {} : { metric }) };
          const name = { ...selection, runId: run, duel: about };
          const info = await newRunInfo(own, name, folder, { warnings, policies });
          const writer = await RunWriter.create(folder, info, own.loaded.text, "live");
          return { info, writer };
        },
      },
      {
        ...onlyFirst(options, policy === before),
        workers,
        signal,
        pair: (p, j) => duel.join(policy, p, j),
      },
    );
  });
  return ended.finally(() => lock?.release());
}

export interface ResumeDuelOptions extends DuelRunOptions {
  readonly retryInvalid?: boolean | undefined;
}

/** Continues an interrupted duel. Its verdict is that of an uninterrupted one. */
export async function resumeDuel(
  path: string,
  options: ResumeDuelOptions = {},
): Promise<DuelResult> {
  const folder = resolve(path);
  const settings = await readDuelSettings(folder);
  const lock = await RunLock.take(folder);
  try {
    const lines = new Map<number, readonly EpisodeLine[]>();
    for (const [i, policy] of settings.policies.entries()) {
      if (policy.recorded === undefined) await checkRun(folder, settings, policy);
      else lines.set(i, (await readRecorded(policy.recorded)).lines);
    }
    const workers = options.workers ?? "auto";
    const threads = workers === "auto" ? availableParallelism() : workers;
    const duel = new Duel(settings, AHEAD * threads * (options.concurrency ?? 1), lines);
    return await finish(folder, duel, options, (policy, signal) => {
      const run = join(folder, settings.policies[policy]?.run ?? "");
      const pair: RunOptions["pair"] = (plan, jobs) => duel.join(policy, plan, jobs);
      return resumeRun(run, {
        ...onlyFirst(options, policy === lines.size),
        workers,
        signal,
        pair,
      });
    });
  } finally {
    await lock.release();
  }
}

/** Runs all policies at once, and ends all of them if one cannot go on. */
async function finish(
  folder: string,
  duel: Duel,
  { signal }: DuelRunOptions,
  run: (policy: number, signal: AbortSignal) => Promise<RunResults>,
): Promise<DuelResult> {
  const stop = new AbortController();
  const ending = AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]);
  const live = duel.settings.policies.flatMap(({ recorded }, policy) =>
    recorded === undefined ? [policy] : [],
  );
  const runs = live.map(async (policy) => {
    try {
      const { status } = await run(policy, ending);
      if (status !== "done") stop.abort();
      return status;
    } catch (error) {
      stop.abort();
      throw error;
    }
  });
  const ends = await Promise.allSettled(runs);
  const failed = ends.find((end) => end.status === "rejected");
  const document = duel.document(failed ? "failed" : statusOf(ends));
  // A wrong set-up leaves no folder, and an earlier document as it is.
  if (!failed || (existsSync(folder) && duel.hasPairs)) await writeDuel(folder, document);
  if (failed) throw failed.reason;
  return { ...document, folder };
}

/** Events of the first policy's run only: the runs advance together. */
function onlyFirst<T extends DuelRunOptions>(options: T, isFirst: boolean): T {
  return isFirst ? options : { ...options, onEvent: undefined };
}

function statusOf(ends: readonly PromiseSettledResult<RunStatus>[]): RunStatus {
  const all = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
  return (
    all.find((status) => status === "failed") ?? all.find((status) => status !== "done") ?? "done"
  );
}

/**
 * Twice the usual number of threads, over all policies: while one policy's episodes are compared, those of another wait, and
 * no core should.
 */
function threadsOf(plans: readonly RunPlan[], options: DuelOptions) {
  const [plan] = plans;
  const agents = plans.flatMap(({ tasks }) => tasks.map(({ agent }) => agent));
  const episodes = plan?.tasks.reduce((sum, task) => sum + task.episodes.length, 0) ?? 0;
  const inProgram = plan ? registeredInPlan(plan) : [];
  const threads = workerCount(options, { episodes, agents, inProgram });
  const workers = threads === 1 ? 1 : Math.max(1, Math.ceil((2 * threads) / plans.length));
  return { workers, window: AHEAD * workers * (options.concurrency ?? 1) };
}

function otherSeed(seed: number, recorded: number): ConfigError {
  return new ConfigError("other_seed", `the seed is ${seed}, that of the run is ${recorded}`, {
    where: "--seed",
    hint: "leave --seed out: initial states depend on it, and must be those of the run",
  });
}

function checkOptions({ agents, margin, against }: DuelOptions): void {
  if (agents.length + (against === undefined ? 0 : 1) < 2 || agents.length === 0) {
    throw new ConfigError("one_policy", `a duel needs two policies or more, not ${agents.length}`, {
      where: "--agent",
      hint: "give --agent for each policy, --agent random --agent ws://gpu1:8000, or --against <run>",
    });
  }
  if (agents.length > MOST_POLICIES) {
    throw new ConfigError("many_policies", `a duel of ${agents.length} policies is too large`, {
      where: "--agent",
      hint: `give at most ${MOST_POLICIES}`,
    });
  }
  if (margin === undefined || (margin > 0 && margin < 1)) return;
  throw new ConfigError("bad_margin", `the margin is ${show(margin)}`, {
    where: "--margin",
    hint: "give a difference between 0 and 1, such as 0.05",
  });
}

function newFolder({ config }: LoadedConfig, { out, parent }: DuelOptions): string {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const base = join(
    parent ?? config.output.log_dir,
    `${stamp}-${slug(config.benchmark.name)}-duel`,
  );
  const isTaken = (path: string) => existsSync(path) && readdirSync(path).length > 0;
  if (out === undefined) {
    for (let n = 1; ; n++) {
      const path = resolve(n === 1 ? base : `${base}-${n}`);
      if (!isTaken(path)) return path;
    }
  }
  if (!isTaken(out)) return resolve(out);
  throw new ConfigError("duel_exists", "this folder exists and is not empty", {
    where: out,
    hint: "choose another --out, or continue a duel in it with robot-eval resume",
  });
}

/** Requires the run of a policy to be what duel.json says. */
async function checkRun(
  folder: string,
  { id, seed }: DuelSettings,
  { agent, run }: DuelSettings["policies"][number],
): Promise<void> {
  const path = join(folder, run);
  const info = await (await RunDirectory.open(path)).info();
  const differs =
    info.agent !== agent
      ? `has the agent ${show(info.agent)}, duel.json says ${show(agent)}`
      : info.seed !== seed
        ? `has the seed ${info.seed}, duel.json says ${seed}`
        : info.duel?.id !== id
          ? `does not belong to the duel ${id}`
          : undefined;
  if (differs === undefined) return;
  throw new DataError("damaged_duel", `the run ${differs}`, {
    where: path,
    hint: "restore duel.json and run.json, or start a new duel",
  });
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
