import { existsSync } from "node:fs";
import type { LoadedConfig } from "../../config/load.js";
import type { ConfigProblems } from "../../config/problems.js";
import { ConfigError, show } from "../../core/errors.js";
import type { AgentFactory } from "../../core/interfaces/agent.js";
import { parseShard } from "../../dataset/select.js";
import { loadPlugins } from "../../registry/plugins.js";
import { at, type ResolvedTask } from "../../registry/resolved-task.js";
import { checkCriteria } from "../check-criteria.js";
import { type AgentRef, findAgent, parseAgentSpec } from "./agent-spec.js";
import { parseFilter } from "./filter.js";
import {
  checkOffered,
  missingFor,
  type Perturbation,
  perturberOf,
  resolvePerturbation,
} from "./perturbation.js";
import { type PickedEpisodes, pickEpisodes } from "./pick-episodes.js";
import type { PrepareOptions } from "./prepare.js";
import { resolveTasks, type TaskSetup } from "./resolve-tasks.js";

/** A task of a benchmark with its agent and its selected episodes. */
interface ReadTask {
  readonly setup: TaskSetup;
  /** Undefined if a problem with the data was collected, or the data is missing and allowed to be. */
  readonly picked: PickedEpisodes | undefined;
  /** Undefined if none is named, or a problem with its name was collected. */
  readonly agent: TaskAgent | undefined;
}

interface TaskAgent {
  readonly agentRef: AgentRef;
  readonly agent: AgentFactory;
}

export interface ReadTasks {
  /** Without those that the filter or the perturbation leaves out. */
  readonly tasks: readonly ReadTask[];
  readonly perturbation: Perturbation | undefined;
  readonly warnings: readonly string[];
}

export interface ReadMode {
  /** Throws the collected problems before data is read, if there are any. */
  readonly endsEarly?: boolean;
  /** A missing data file is no problem: a benchmark may be written before its data arrives. */
  readonly allowsMissing?: boolean;
}

/**
 * Resolves the tasks that a benchmark names and reads their episodes. The problems of one task do not keep those of
 * others from being found.
 *
 * @param problems collects them; mistakes in flags and plugins are thrown
 */
export async function readTasks(
  loaded: LoadedConfig,
  options: PrepareOptions,
  problems: ConfigProblems,
  { endsEarly = false, allowsMissing = false }: ReadMode = {},
): Promise<ReadTasks> {
  checkFlags(options);
  const { registries } = options;
  await loadPlugins(loaded, registries);
  const find = problems.attempt(() => agentFinder(loaded, options));
  const agentOf = (setup: TaskSetup) => find && problems.attempt(() => find(setup));
  const perturbation = problems.attempt(() => resolvePerturbation(loaded, registries));
  const setups = resolveTasks(loaded, registries, problems);
  if (perturbation && setups.length > 0) {
    problems.attempt(() => checkOffered(loaded, perturbation, setups));
  }
  // With a filter a task may be left out and need no agent. Otherwise names are checked before data is read.
  if (options.filter === undefined) for (const setup of setups) agentOf(setup);
  if (endsEarly) problems.throwAll();
  const warnings: string[] = [];
  const tasks: ReadTask[] = [];
  const seed = options.seed ?? loaded.config.evaluation.seed;
  for (const setup of setups) {
    const { section, task, simulator } = setup;
    const missing = perturbation && missingFor(perturbation.axis, setup, loaded);
    if (missing !== undefined) {
      warnings.push(`${task.name} is left out: ${missing}`);
      continue;
    }
    const change = perturberOf(perturbation, task.name, seed);
    const isSkipped = allowsMissing && !existsSync(task.dataPath);
    const read = await problems.attemptAsync(async () => ({
      picked: isSkipped ? undefined : await pickEpisodes(loaded, section, task, options, change),
    }));
    const picked = read?.picked;
    if (read && !picked && !isSkipped) continue;
    const agent = agentOf(setup);
    problems.attempt(() => checkEarlyStop(loaded, task));
    if (picked && task.isComplete) {
      problems.attempt(() => checkCriteria(loaded, section, task, simulator, picked.episodes));
    }
    tasks.push({ setup, picked, agent });
  }
  return { tasks, perturbation, warnings };
}

/** Undefined if neither the options nor the benchmark name an agent. */
function agentFinder(
  loaded: LoadedConfig,
  { agent, registries }: PrepareOptions,
): ((setup: TaskSetup) => TaskAgent) | undefined {
  const spec = agent ?? loaded.config.agent;
  if (spec === undefined) return undefined;
  const where = agent === undefined ? loaded.locate(["agent"]) : "--agent";
  const refOf = at(where, () => parseAgentSpec(spec));
  return ({ section }) => {
    const agentRef = at(where, () => refOf(section.name, section.type));
    return { agentRef, agent: at(where, () => findAgent(agentRef, registries)) };
  };
}

function checkFlags({ limit, first, shard, filter }: PrepareOptions): void {
  if (shard !== undefined) parseShard(shard);
  if (filter !== undefined) parseFilter(filter);
  for (const [flag, value] of [
    ["--limit", limit],
    ["--first", first],
  ] as const) {
    if (value === undefined || (Number.isInteger(value) && value > 0)) continue;
    throw new ConfigError("bad_limit", `${flag} is ${show(value)}`, {
      where: flag,
      hint: "give a whole number above 0",
    });
  }
  if (limit === undefined || first === undefined) return;
  throw new ConfigError("two_limits", "--limit and --first are both given", {
    where: "--first",
    hint: "use --limit for a sample over all scenes, or --first for the first episodes of the file",
  });
}

/** The anytime-valid intervals need values between 0 and 1. */
function checkEarlyStop(loaded: LoadedConfig, { name, summaryTask }: ResolvedTask): void {
  if (!loaded.config.evaluation.early_stop) return;
  const { primaryMetric, metrics } = summaryTask;
  const [low, high] = metrics.find((metric) => metric.name === primaryMetric)?.range ?? [];
  if (low === 0 && high === 1) return;
  throw new ConfigError(
    "no_early_stop",
    `${name} cannot stop early: its primary metric ${primaryMetric} is not limited to 0 to 1`,
    { where: loaded.locate(["evaluation", "early_stop"]) },
  );
}
