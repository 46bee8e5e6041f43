import { basename, dirname } from "node:path";
import { loadConfig, parseConfig } from "../config/load.js";
import { readText } from "../config/read.js";
import { ConfigError, DataError, show } from "../core/errors.js";
import type { EpisodeLine, RunInfo, RunResults } from "../core/interfaces/result.js";
import { checkSamePolicies } from "../core/policy-identity.js";
import { programRegistries } from "../registry/default.js";
import { configDifferences, isLocation } from "../runs/compare/config-diff.js";
import { lineName } from "../runs/directory/line-name.js";
import { RunDirectory } from "../runs/directory/run-directory.js";
import { RunLock } from "../runs/directory/run-lock.js";
import { type HeldRun, RunWriter } from "../runs/directory/run-writer.js";
import { SetAside } from "../runs/directory/set-aside.js";
import { versions } from "../runs/directory/versions.js";
import { recordedBenchmark } from "../runs/recorded/recorded-benchmark.js";
import { recordedConfig, sectionOf } from "../runs/recorded/recorded-config.js";
import { shellWord } from "../runs/report/format.js";
import { type RunOptions, runEpisodes } from "./execute/run-episodes.js";
import { oneThreadNotice } from "./execute/worker-count.js";
import { jobsOf, lineNameOf } from "./plan/jobs.js";
import { prepareRun, type RunPlan } from "./plan/prepare.js";
import type { Job } from "./plan/queue.js";
import { recordedSelection } from "./plan/recorded-selection.js";
import { checkSameData } from "./plan/same-data.js";
import { withOverrides } from "./record/run-info.js";

/** Attempts of an episode over all resumptions of a run. */
const MOST_ATTEMPTS = 3;

/** Changed config keys that an error shows with their values; further keys are only named. */
const MOST_SHOWN = 5;

export interface ResumeOptions extends RunOptions {
  /** Retry invalid episodes with fewer than three attempts. */
  readonly retryInvalid?: boolean | undefined;
  /** New address of the same policy; only for remote policies. */
  readonly agent?: string | undefined;
  /** A benchmark file; its resolved config must equal the run's. */
  readonly benchmark?: string | undefined;
  readonly set?: readonly string[] | undefined;
  /** Called before anything is written. If it throws, the run stays unchanged. */
  readonly onPlan?: ((plan: RunPlan) => void) | undefined;
}

/**
 * Resumes a run that was interrupted, killed or left with invalid episodes. Finished episodes are not run
 * again. Benchmark, data and agent must be unchanged.
 *
 * @example
 * const results = await resumeRun("runs/20260101T120000Z-vln", { retryInvalid: true });
 * results.episodes.invalid; // 0
 */
export async function resumeRun(path: string, options: ResumeOptions = {}): Promise<RunResults> {
  const run = await RunDirectory.open(path);
  const lock = await RunLock.take(path);
  try {
    const info = await run.info();
    checkResumable(run, info, options);
    checkUnchanged(run, info, options);
    const { benchmark, agent } = options;
    const uses = ["plugins", "simulator", "scenes", "graphs", "dataset", "agent"] as const;
    const loaded = recordedBenchmark(run, info, uses, { benchmark, agent });
    const { registries = programRegistries() } = options;
    const plan = await prepareRun(loaded, {
      ...{ registries, seed: info.seed },
      ...recordedSelection(info),
      ...(info.duel ? { drawsOrder: true } : {}),
    });
    const hint = `restore the dataset, or start a new run; ${basename(path)} is unchanged`;
    checkSameData(info, plan, hint);
    options.onPlan?.(plan);
    return await runRemaining({ run, info, lock }, plan, options);
  } finally {
    await lock.release();
  }
}

async function runRemaining(
  held: HeldRun,
  plan: RunPlan,
  options: ResumeOptions,
): Promise<RunResults> {
  const { run, info } = held;
  const aside = await attemptsOf(run);
  const isRetried = ({ episode_key, repeat, outcome, attempt }: EpisodeLine) =>
    // The process died while this line was being moved to the set-aside file.
    attempt <= (aside.get(lineName(episode_key, repeat)) ?? 0) ||
    (options.retryInvalid === true && outcome === "invalid" && attempt < MOST_ATTEMPTS);
  const jobs = jobsOf(plan);
  const { done, attempts } = await stateOf(run, jobs, aside, isRetried);
  const left = jobs.flatMap((job): Job[] => {
    const name = lineNameOf(job);
    return done.has(name) ? [] : [{ ...job, attempt: (attempts.get(name) ?? 0) + 1 }];
  });
  return runEpisodes(
    {
      plan,
      jobs,
      left,
      recorded: () => run.episodes(),
      savesTrajectories: plan.loaded.config.output.save_trajectories,
      video: plan.loaded.config.output.video,
      begin: async ({ policies }) => {
        // Nothing is connected if no episode is left.
        if (left.length > 0) checkSamePolicies(policies, info.policies, plan.agentSpec);
        const at = new Date().toISOString();
        const resumption = {
          at,
          done: done.size,
          agent: plan.agentSpec,
          versions: versionsFor(info),
        };
        const before = info.warnings.filter(isLasting);
        const now = [...otherVersions(info), ...oneThreadNotice(options, plan)];
        const warnings = [...new Set([...before, ...now])];
        const writer = await RunWriter.reopen(held, resumption, warnings, isRetried);
        return { info: { ...info, warnings }, writer };
      },
    },
    options,
  );
}

interface State {
  /** Names of the lines that are kept. */
  readonly done: ReadonlySet<string>;
  /** Attempts so far of each episode that runs again. */
  readonly attempts: ReadonlyMap<string, number>;
}

/** Attempts of each episode, from the lines that were set aside. */
async function attemptsOf(run: RunDirectory): Promise<Map<string, number>> {
  const attempts = new Map<string, number>();
  for await (const { episode_key, repeat, attempt, outcome } of new SetAside(run.path).read()) {
    if (outcome === "invalid") attempts.set(lineName(episode_key, repeat), attempt);
  }
  return attempts;
}

/** Which episodes are done. @throws if a line is a duplicate or names an episode outside the benchmark */
async function stateOf(
  run: RunDirectory,
  jobs: readonly Job[],
  aside: ReadonlyMap<string, number>,
  isRetried: (line: EpisodeLine) => boolean,
): Promise<State> {
  const attempts = new Map(aside);
  const known = new Set(jobs.map(lineNameOf));
  const seen = new Set<string>();
  const done = new Set<string>();
  for await (const line of run.episodes()) {
    const name = lineName(line.episode_key, line.repeat);
    if (!known.has(name) || seen.has(name)) {
      const what = seen.has(name)
        ? "is recorded twice"
        : "is not an episode of the run's benchmark";
      throw new DataError("damaged_line", `${name} ${what}`, { where: run.file("episodes") });
    }
    seen.add(name);
    if (isRetried(line)) attempts.set(name, line.attempt);
    else done.add(name);
  }
  return { done, attempts };
}

function checkResumable(run: RunDirectory, info: RunInfo, { pair }: ResumeOptions): void {
  if (info.duel && !pair) {
    throw new ConfigError("part_of_duel", `this run is part of the duel ${info.duel.id}`, {
      where: run.path,
      hint: `continue the whole duel: robot-eval resume ${shellWord(dirname(run.path))}`,
    });
  }
  if (info.kind !== "run" || info.merged) {
    const what = info.merged ? "was merged from other runs" : `was made by ${info.kind}`;
    throw new ConfigError("not_resumable", `this run ${what}: it has no episodes left to run`, {
      where: run.path,
    });
  }
  const now = versions().robot_eval;
  const then = info.versions.robot_eval;
  if (then !== undefined && then !== now) {
    throw new ConfigError(
      "other_version",
      `the run was started with robot-eval ${then}, this is ${now}`,
      {
        where: run.file("info"),
        hint: "resume it with the version that started it, or start a new run",
      },
    );
  }
}

/** Requires the recorded config to equal the recorded benchmark file and the options of this call. */
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

/** A policy server may have a new address. Another built-in agent or another protocol is another agent. */
export function isSamePolicy(before: string, now: string): boolean {
  const scheme = (spec: string) => /^([a-z+-]+):\/\//.exec(spec)?.[1];
  return before === now || (scheme(now) !== undefined && scheme(before) === scheme(now));
}

function refuseDifferences(info: RunInfo, config: Record<string, unknown>, where: string): void {
  const asked = withOverrides(config, info.agent, info.seed);
  const differing = configDifferences(info.config, asked).filter(({ key }) => !isLocation(key));
  if (differing.length === 0) return;
  const shown = differing.slice(0, MOST_SHOWN);
  const texts = shown.map(({ key, a, b }) => `${key} (${show(a, 40)}, now ${show(b, 40)})`);
  const more = differing.slice(MOST_SHOWN).map(({ key }) => key);
  throw changed([...texts, ...more].join(", "), where);
}

function changed(what: string, where: string): ConfigError {
  return new ConfigError("config_changed", `differs from the run's configuration: ${what}`, {
    where,
    hint: "restore the configuration in run.json, or start a new run",
  });
}

/** The warning about an aborted run does not hold for the resumed one. */
function isLasting(warning: string): boolean {
  return !warning.startsWith("the run was given up");
}

function versionsFor({ config }: RunInfo): RunInfo["versions"] {
  return versions(sectionOf(config.simulator).engine);
}

function otherVersions(info: RunInfo): string[] {
  const now = versionsFor(info);
  const differing = Object.keys(now).filter(
    (name) => info.versions[name] !== undefined && info.versions[name] !== now[name],
  );
  if (differing.length === 0) return [];
  const texts = differing.map((name) => `${name} ${info.versions[name]} and ${now[name]}`);
  return [`parts of the run used different versions: ${texts.join(", ")}`];
}
