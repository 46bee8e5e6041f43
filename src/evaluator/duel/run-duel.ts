import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import type { LoadedConfig } from "../../config/load.js";
import { ConfigError, DataError, show } from "../../core/errors.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { RunDirectory } from "../../runs/directory/run-directory.js";
import { isOwnRun } from "../../runs/directory/run-key.js";
import { RunLock } from "../../runs/directory/run-lock.js";
import { RunWriter } from "../../runs/directory/run-writer.js";
import { type RunOptions, type RunSpec, runEpisodes } from "../execute/run-episodes.js";
import { oneThreadNotice, registeredInPlan, workerCount } from "../execute/worker-count.js";
import { jobsOf } from "../plan/jobs.js";
import type { RunPlan } from "../plan/prepare.js";
import { newRunInfo } from "../record/run-info.js";
import { resumeRun } from "../resume.js";
import { Duel } from "./duel.js";
import { type DuelSettings, readDuelSettings } from "./duel-document.js";
import { DuelFolder, type DuelResult, holdDuel, onlyFirst } from "./hold-duel.js";
import { type DuelOptions, type DuelRunOptions, markOf, prepareDuel } from "./prepare-duel.js";
import { readRecorded } from "./recorded-policy.js";

/** Episodes that a policy may run ahead of the comparison, for each of its concurrent episodes. */
const AHEAD = 2;

/**
 * Compares policies on the same episodes in the same random order until one is better, they are equivalent, or all
 * episodes have been run.
 *
 * @example
 * const { comparisons } = await runDuel(loadConfig("vln_graph"), { agents: ["noisy:0.86", "noisy:0.92"] });
 * comparisons[0]?.verdict; // better
 */
export async function runDuel(loaded: LoadedConfig, options: DuelOptions): Promise<DuelResult> {
  const { folder, settings, selection, plans, recorded } = await prepareDuel(loaded, options);
  const { workers, window } = threadsOf([...plans.values()], options);
  const duel = new Duel(settings, window, new Map(recorded ? [[0, recorded.lines]] : []));
  const place = new DuelFolder(folder, duel, plans.size);
  const [firstPolicy] = plans.keys();
  const ended = holdDuel(folder, duel, options, async (policy, signal) => {
    const plan = plans.get(policy);
    const runId = settings.policies[policy]?.run;
    if (!plan) throw new TypeError("a recorded policy is not run");
    const jobs = jobsOf(plan);
    const { save_trajectories, video } = plan.loaded.config.output;
    const begin: RunSpec["begin"] = async ({ missingSensors, policies }) => {
      await place.begin(signal);
      const warnings = [...missingSensors, ...oneThreadNotice(options, plan)];
      const named = { ...selection, runId, duel: markOf(settings, policy) };
      const info = await newRunInfo(plan, named, folder, { warnings, policies });
      return { info, writer: await RunWriter.create(folder, info, plan.loaded.text, "live") };
    };
    return runEpisodes(
      { plan, jobs, left: jobs, savesTrajectories: save_trajectories, video, begin },
      {
        ...onlyFirst(options, policy === firstPolicy),
        ...{ workers, signal },
        pair: (...joining) => duel.join(policy, ...joining),
      },
    );
  });
  return ended.finally(() => place.release());
}

export interface ResumeDuelOptions extends DuelRunOptions {
  readonly retryInvalid?: boolean | undefined;
}

/**
 * Continues an interrupted duel. Its verdict is that of an uninterrupted one.
 *
 * @throws ConfigError `foreign_run` if another account made it, because the benchmark may load code
 */
export async function resumeDuel(
  path: string,
  options: ResumeDuelOptions = {},
): Promise<DuelResult> {
  const folder = resolve(path);
  const settings = await readDuelSettings(folder);
  const lock = await RunLock.take(folder);
  try {
    const lines = new Map<number, readonly EpisodeLine[]>();
    // Before a recorded run is read, because duel.json of another account may name any path.
    for (const policy of settings.policies) {
      if (policy.recorded === undefined) await checkRun(folder, settings, policy);
    }
    for (const [i, { recorded }] of settings.policies.entries()) {
      if (recorded !== undefined) lines.set(i, (await readRecorded(recorded)).lines);
    }
    const workers = options.workers ?? "auto";
    const threads = workers === "auto" ? availableParallelism() : workers;
    const duel = new Duel(settings, AHEAD * threads * (options.concurrency ?? 1), lines);
    return await holdDuel(folder, duel, options, (policy, signal) => {
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

/** Requires the run of a policy to be what duel.json says. */
async function checkRun(
  folder: string,
  { id, seed }: DuelSettings,
  { agent, run }: DuelSettings["policies"][number],
): Promise<void> {
  const path = join(folder, run);
  const opened = await RunDirectory.open(path);
  const info = await opened.info();
  if (!isOwnRun(info)) {
    throw new ConfigError("foreign_run", "the duel was not made by this account", {
      where: opened.file("info"),
      hint: "start it again with `robot-eval duel`",
    });
  }
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
