import { existsSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { LoadedConfig } from "../../config/load.js";
import { ConfigError, show } from "../../core/errors.js";
import type { RunDuel } from "../../core/interfaces/result.js";
import { programRegistries } from "../../registry/default.js";
import { slug, timeStamp } from "../../runs/directory/file-names.js";
import type { RunOptions } from "../execute/run-episodes.js";
import { type PrepareOptions, prepareRun, type RunPlan } from "../plan/prepare.js";
import { recordedSelection } from "../plan/recorded-selection.js";
import { checkSameData } from "../plan/same-data.js";
import { checkDuelPlan } from "./duel.js";
import type { DuelSettings } from "./duel-document.js";
import { checkSameBenchmark, type RecordedPolicy, readRecorded } from "./recorded-policy.js";

/** The error of a duel: the probability of any wrong verdict. */
const ALPHA = 0.05;

/** More policies would have too many pairs to decide anything soon. */
const MOST_POLICIES = 20;

/** How the episodes of a duel are run. */
export type DuelRunOptions = Omit<RunOptions, "pair" | "early">;

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

/** A duel whose policies and benchmark have been checked; nothing is written yet. */
export interface PreparedDuel {
  /** Where duel.json will be. */
  readonly folder: string;
  readonly settings: DuelSettings;
  readonly selection: Pick<PrepareOptions, "limit" | "first" | "filter">;
  /** Plans, keyed by the position in `settings.policies`; a recorded policy has none. */
  readonly plans: ReadonlyMap<number, RunPlan>;
  readonly recorded: RecordedPolicy | undefined;
}

/** @param nameOf the name of a policy's run directory, from the duel's id, its number from 1 and its agent */
export async function prepareDuel(
  loaded: LoadedConfig,
  options: DuelOptions,
  nameOf = (_id: string, number: number, agent: string) => `${number}-${slug(agent)}`,
): Promise<PreparedDuel> {
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
  const id = basename(folder);
  const before = recorded
    ? [{ agent: recorded.agent, run: recorded.run, recorded: recorded.recorded }]
    : [];
  const settings: DuelSettings = {
    format: "robot-eval-duel/1",
    id,
    benchmark: loaded.config.benchmark.name,
    seed: plan.seed,
    alpha: ALPHA,
    margin: margin ?? null,
    metric,
    policies: [...before, ...agents.map((agent, i) => ({ agent, run: nameOf(id, i + 1, agent) }))],
  };
  const byPolicy = new Map(plans.map((own, i) => [i + before.length, own]));
  return { folder, settings, selection, plans: byPolicy, recorded };
}

/** The mark of a policy's run in its run.json. */
export function markOf({ id, metric, policies }: DuelSettings, policy: number): RunDuel {
  const against = policies.flatMap(({ agent }, i) => (i === policy ? [] : [agent]));
  return { id, against, ...(metric === null ? {} : { metric }) };
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
  const stamp = timeStamp();
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
