import { basename, dirname } from "node:path";
import { type LoadedConfig, loadConfig, parseConfig } from "../config/load.js";
import { readText } from "../config/read.js";
import { ConfigError, DataError, show } from "../core/errors.js";
import type { EpisodeLine, RunInfo, RunResults } from "../core/interfaces/result.js";
import { createRegistries } from "../registry/registries.js";
import { configDifferences } from "../runs/config-diff.js";
import { lineName } from "../runs/line-name.js";
import { isPlace } from "../runs/places.js";
import { recordedBenchmark, recordedConfig } from "../runs/recorded-config.js";
import { RunDirectory } from "../runs/run-directory.js";
import { RunLock } from "../runs/run-lock.js";
import { type HeldRun, RunWriter } from "../runs/run-writer.js";
import { SetAside } from "../runs/set-aside.js";
import { versions } from "../runs/versions.js";
import { checkData } from "./check-data.js";
import { type ConductOptions, conduct } from "./conduct.js";
import { jobsOf, keyOf } from "./jobs.js";
import { prepareRun, type RunPlan } from "./prepare.js";
import type { Job } from "./queue.js";
import { withOverrides } from "./run-info.js";

/** However often a run is taken up again: an episode is tried three times at most. */
const MOST_ATTEMPTS = 3;

/** Differing keys that are told with their values; the others by name. */
const MOST_SHOWN = 5;

export interface ResumeOptions extends ConductOptions {
  /** Try invalid episodes again, those that were tried fewer than three times. */
  readonly retryInvalid?: boolean | undefined;
  /** Where the same policy is to be found now; only for policies that run elsewhere. */
  readonly agent?: string | undefined;
  /** A benchmark file that must say what the run's own says. */
  readonly benchmark?: string | undefined;
  readonly set?: readonly string[] | undefined;
  /** Called before anything is written; what it throws leaves the run as it is. */
  readonly onPlan?: ((plan: RunPlan) => void) | undefined;
}

/**
 * Goes on with a run that was interrupted, killed or left with invalid episodes. What is finished is not
 * run again; what the run is must not have changed.
 */
export async function resumeRun(path: string, options: ResumeOptions = {}): Promise<RunResults> {
  const run = await RunDirectory.open(path);
  const lock = await RunLock.take(path);
  try {
    const info = await run.info();
    checkResumable(run, info);
    const loaded = recordedBenchmark(run, info);
    checkUnchanged(run, info, options);
    const plan = await planOf(loaded, info, options);
    const hint = `bring the dataset back, or start a new run; ${basename(path)} stays as it is`;
    checkData(info, plan, hint);
    options.onPlan?.(plan);
    return await goOn({ run, info, lock }, plan, options);
  } finally {
    await lock.release();
  }
}

async function goOn(held: HeldRun, plan: RunPlan, options: ResumeOptions): Promise<RunResults> {
  const { run, info } = held;
  const aside = await attemptsOf(run);
  const isRetried = ({ episode_key, repeat, outcome, attempt }: EpisodeLine) =>
    // It was being set aside when the process died.
    attempt <= (aside.get(lineName(episode_key, repeat)) ?? 0) ||
    (options.retryInvalid === true && outcome === "invalid" && attempt < MOST_ATTEMPTS);
  const jobs = jobsOf(plan);
  const { done, attempts } = await stateOf(run, jobs, aside, isRetried);
  const left = jobs.flatMap((job): Job[] => {
    const name = lineName(keyOf(job), job.repeat);
    return done.has(name) ? [] : [{ ...job, attempt: (attempts.get(name) ?? 0) + 1 }];
  });
  return conduct(
    {
      plan,
      jobs,
      left,
      recalled: () => run.episodes(),
      savesTrajectories: plan.loaded.config.output.save_trajectories,
      video: plan.loaded.config.output.video,
      begin: async () => {
        const at = new Date().toISOString();
        const resumption = { at, done: done.size, agent: plan.agentSpec, versions: versions() };
        const warnings = [...info.warnings.filter(isLasting), ...otherVersions(info)];
        const writer = await RunWriter.reopen(held, resumption, warnings, isRetried);
        return { info: { ...info, warnings }, writer };
      },
    },
    options,
  );
}

interface State {
  /** Names of the lines that stay. */
  readonly done: ReadonlySet<string>;
  /** How often each of the others was tried already. */
  readonly attempts: ReadonlyMap<string, number>;
}

/** How often each was tried before the line that counts, by what was set aside. */
async function attemptsOf(run: RunDirectory): Promise<Map<string, number>> {
  const attempts = new Map<string, number>();
  for await (const { episode_key, repeat, attempt, outcome } of new SetAside(run.path).read()) {
    if (outcome === "invalid") attempts.set(lineName(episode_key, repeat), attempt);
  }
  return attempts;
}

/** How far a run is. A line that its benchmark does not have was not written by it. */
async function stateOf(
  run: RunDirectory,
  jobs: readonly Job[],
  aside: ReadonlyMap<string, number>,
  isRetried: (line: EpisodeLine) => boolean,
): Promise<State> {
  const attempts = new Map(aside);
  const known = new Set(jobs.map((job) => lineName(keyOf(job), job.repeat)));
  const seen = new Set<string>();
  const done = new Set<string>();
  for await (const line of run.episodes()) {
    const name = lineName(line.episode_key, line.repeat);
    if (!known.has(name) || seen.has(name)) {
      const what = seen.has(name) ? "stands twice" : "is no episode of the run's benchmark";
      throw new DataError("damaged_line", `${name} ${what}`, { where: run.file("episodes") });
    }
    seen.add(name);
    if (isRetried(line)) attempts.set(name, line.attempt);
    else done.add(name);
  }
  return { done, attempts };
}

async function planOf(
  loaded: LoadedConfig,
  info: RunInfo,
  { agent, registries = createRegistries() }: ResumeOptions,
): Promise<RunPlan> {
  return prepareRun(loaded, {
    registries,
    agent: agent ?? info.agent,
    seed: info.seed,
    ...info.selection,
  });
}

function checkResumable(run: RunDirectory, info: RunInfo): void {
  if (info.kind !== "run" || info.merged) {
    const what = info.merged ? "was merged from others" : `was made by ${info.kind}`;
    throw new ConfigError("not_resumable", `this run ${what}: nothing of it is left to run`, {
      where: run.path,
    });
  }
  const now = versions().robot_eval;
  const then = info.versions.robot_eval;
  if (then !== undefined && then !== now) {
    throw new ConfigError(
      "other_version",
      `the run was begun with robot-eval ${then}, this is ${now}`,
      {
        where: run.file("info"),
        hint: "finish it with the version that began it, or start a new run: one result is of one version",
      },
    );
  }
}

/** The run's own record must agree with itself, and with what is asked for now. */
function checkUnchanged(run: RunDirectory, info: RunInfo, options: ResumeOptions): void {
  const { file, set } = info.benchmark;
  if (file !== undefined) {
    const own = run.file("benchmark");
    const from = { file: own, baseDir: dirname(file), ...(set ? { set } : {}) };
    refuseDifferences(info, recordedConfig(parseConfig(readText(own), from)), own);
  }
  if (options.benchmark !== undefined || options.set !== undefined) {
    const other = loadConfig(options.benchmark ?? run.file("benchmark"), {
      set: [...(options.benchmark === undefined ? (set ?? []) : []), ...(options.set ?? [])],
    });
    const named = options.benchmark ?? "--set";
    refuseDifferences(info, recordedConfig(other), named);
  }
  if (options.agent !== undefined && !isSamePolicy(info.agent, options.agent)) {
    throw changed(`agent (${show(info.agent)}, now ${show(options.agent)})`, "--agent");
  }
}

/** A policy server may have moved; an agent of ours, or one that speaks otherwise, is another agent. */
export function isSamePolicy(before: string, now: string): boolean {
  const scheme = (spec: string) => /^([a-z+-]+):\/\//.exec(spec)?.[1];
  return before === now || (scheme(now) !== undefined && scheme(before) === scheme(now));
}

function refuseDifferences(info: RunInfo, config: Record<string, unknown>, where: string): void {
  const asked = withOverrides(config, info.agent, info.seed);
  const differing = configDifferences(info.config, asked).filter(({ key }) => !isPlace(key));
  if (differing.length === 0) return;
  const shown = differing.slice(0, MOST_SHOWN);
  const texts = shown.map(({ key, a, b }) => `${key} (${show(a, 40)}, now ${show(b, 40)})`);
  const more = differing.slice(MOST_SHOWN).map(({ key }) => key);
  throw changed([...texts, ...more].join(", "), where);
}

function changed(what: string, where: string): ConfigError {
  return new ConfigError("config_changed", `not what the run was begun with: ${what}`, {
    where,
    hint: "a run has one configuration: change it back, or start a new run",
  });
}

/** That it was given up says nothing of what it is now. */
function isLasting(warning: string): boolean {
  return !warning.startsWith("the run was given up");
}

function otherVersions(info: RunInfo): string[] {
  const now = versions();
  const differing = Object.keys(now).filter(
    (name) => info.versions[name] !== undefined && info.versions[name] !== now[name],
  );
  if (differing.length === 0) return [];
  const texts = differing.map((name) => `${name} ${info.versions[name]} and ${now[name]}`);
  return [`the run was made in parts with ${texts.join(", ")}`];
}
