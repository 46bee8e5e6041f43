import type { LoadedConfig } from "../../config/load.js";
import { resolvePath } from "../../config/paths.js";
import type { PolicySettings } from "../../config/policy.js";
import type { BenchmarkTask, DatasetSection, SimulatorSection } from "../../config/schema.js";
import { type BaseEpisode, episodeKey } from "../../core/episode/base.js";
import { type Disclosed, disclosedBy } from "../../core/episode/disclosure.js";
import { ConfigError, show } from "../../core/errors.js";
import type { AgentFactory } from "../../core/interfaces/agent.js";
import type { DataDigest } from "../../core/interfaces/result.js";
import type { SimulatorFactory } from "../../core/interfaces/simulator.js";
import { DataDigester } from "../../dataset/data-digest.js";
import { loadEpisodes, resolveFormat } from "../../dataset/loader.js";
import { ScoredInstructions } from "../../dataset/scored-instructions.js";
import { parseShard, type SelectOptions, selectItems } from "../../dataset/select.js";
import { loadPlugins } from "../../registry/plugins.js";
import type { Registries } from "../../registry/registries.js";
import { at, type ResolvedTask } from "../../registry/resolved-task.js";
import { checkCriteria } from "../check-criteria.js";
import type { SimulatedLatency } from "../execute/simulated-latency.js";
import { type AgentRef, findAgent, parseAgentSpec } from "./agent-spec.js";
import { withDefaultGoals } from "./default-goals.js";
import { parseFilter } from "./filter.js";
import {
  checkOffered,
  missingFor,
  type Perturbation,
  perturberOf,
  resolvePerturbation,
} from "./perturbation.js";
import { resolveTasks } from "./resolve-tasks.js";
import type { TaskSensors } from "./sensors.js";

export interface PrepareOptions {
  readonly registries: Registries;
  readonly agent?: string | undefined;
  readonly seed?: number | undefined;
  /** Maximum number of episodes per task: a sample stratified by scene, drawn by the run's seed. */
  readonly limit?: number | undefined;
  /** Maximum number of episodes per task, from the first. */
  readonly first?: number | undefined;
  /** What a limit means. Runs of versions that did not record it took the first episodes. Default `sample`. */
  readonly limitDraws?: "sample" | "first" | undefined;
  readonly filter?: string | undefined;
  /** `2/4`: the second of four parts of the selection. */
  readonly shard?: string | undefined;
  /** Runs each task's episodes in a random order, as a duel does. */
  readonly drawsOrder?: boolean | undefined;
  /** Episodes by task name that replace the dataset's. */
  readonly episodes?: Readonly<Record<string, readonly BaseEpisode[]>> | undefined;
}

/** One task of a benchmark, ready to run. */
export interface TaskPlan {
  readonly task: ResolvedTask;
  readonly simulatorName: string;
  /** Undefined if no registered simulator serves the task; its episodes are then invalid. */
  readonly simulator: SimulatorFactory | undefined;
  readonly simulatorConfig: SimulatorSection;
  readonly sensors: TaskSensors;
  readonly dataset: DatasetSection;
  readonly episodes: readonly BaseEpisode[];
  /** Digest of the selection before sharding. */
  readonly data: DataDigest;
  readonly agentRef: AgentRef;
  readonly agent: AgentFactory;
  /** Connection settings of a remote agent. */
  readonly policy: PolicySettings;
  readonly disclosed: readonly Disclosed[];
  readonly latency: SimulatedLatency | undefined;
  readonly perturbation?: Perturbation | undefined;
}

export interface RunPlan {
  readonly loaded: LoadedConfig;
  readonly registries: Registries;
  readonly tasks: readonly TaskPlan[];
  readonly agentSpec: string;
  readonly seed: number;
  /** Whether each task's episodes run in a random order from the seed. */
  readonly drawsOrder: boolean;
  /** `2/4` if the plan is a part of the selection. */
  readonly shard: string | undefined;
  readonly warnings: readonly string[];
}

/**
 * Resolves everything that a benchmark names and loads its episodes before anything is written. Errors carry
 * their location in the file, and leave no partial run directory.
 */
export async function prepareRun(loaded: LoadedConfig, options: PrepareOptions): Promise<RunPlan> {
  const { config } = loaded;
  const { registries } = options;
  checkLimits(options);
  if (options.shard !== undefined) parseShard(options.shard);
  await loadPlugins(loaded, registries);
  const agentSpec = options.agent ?? config.agent;
  if (agentSpec === undefined) {
    throw new ConfigError("no_agent", "no agent is named", {
      where: loaded.file,
      hint: "pass --agent random, or write `agent: random` into the benchmark",
    });
  }
  const agentPlace = options.agent === undefined ? loaded.locate(["agent"]) : "--agent";
  const agentOf = at(agentPlace, () => parseAgentSpec(agentSpec));
  const warnings: string[] = [];
  const tasks: TaskPlan[] = [];
  const seed = options.seed ?? config.evaluation.seed;
  const perturbation = resolvePerturbation(loaded, registries);
  const setups = resolveTasks(loaded, registries);
  if (perturbation) checkOffered(loaded, perturbation, setups);
  for (const setup of setups) {
    const { section, task, ...simulated } = setup;
    const missing = perturbation && missingFor(perturbation.axis, setup, loaded);
    if (missing !== undefined) {
      warnings.push(`${task.name} is left out: ${missing}`);
      continue;
    }
    const withAgent = () => {
      const agentRef = at(agentPlace, () => agentOf(section.name, section.type));
      return { agentRef, agent: at(agentPlace, () => findAgent(agentRef, registries)) };
    };
    // With a filter the task may be left out and need no agent. Otherwise check the name before reading data.
    if (options.filter === undefined) withAgent();
    const change = perturberOf(perturbation, task.name, seed);
    const picked = await pickEpisodes(loaded, section, task, options, change);
    if (!picked) continue;
    const { agentRef, agent } = withAgent();
    const { simulator } = simulated;
    checkEarlyStop(loaded, task);
    const { episodes, data, note } = picked;
    if (note !== undefined) warnings.push(`${task.name}: ${note}`);
    checkCriteria(loaded, section, task, simulator, episodes);
    if (!simulator) {
      warnings.push(
        `no simulator serves ${section.type}: the ${episodes.length} episodes of ${section.name} are invalid`,
      );
    }
    warnings.push(...sparseReferenceWarning(task, episodes));
    tasks.push({
      task,
      ...simulated,
      dataset: section.dataset,
      episodes,
      data,
      agentRef,
      agent,
      policy: config.policy,
      disclosed: disclosedBy(task.instance, config.evaluation.disclose),
      latency: latencyOf(perturbation) ?? config.evaluation.simulated_latency,
      perturbation,
    });
  }
  if (tasks.length === 0) {
    throw new ConfigError("no_episodes", "no episode matches the filter", {
      where: "--filter",
      hint: "see docs/command-line.md for the filter's fields; `*` stands for anything",
    });
  }
  if (options.shard !== undefined && tasks.every(({ episodes }) => episodes.length === 0)) {
    throw new ConfigError("no_episodes", `the shard ${options.shard} holds no episode`, {
      where: "--shard",
      hint: "an episode's key decides its shard, so few episodes may leave one empty: make fewer shards",
    });
  }
  const drawsOrder = options.drawsOrder ?? config.evaluation.early_stop !== undefined;
  const { shard } = options;
  return { loaded, registries, tasks, agentSpec, seed, drawsOrder, shard, warnings };
}

function latencyOf(perturbation: Perturbation | undefined): SimulatedLatency | undefined {
  const steps = perturbation?.axis.latencySteps?.(perturbation.value);
  return steps === undefined ? undefined : { steps };
}

function checkLimits({ limit, first }: PrepareOptions): void {
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

/**
 * The selected episodes of a task; undefined if the filter excludes the whole task.
 *
 * @param change changes all selected episodes before sharding; the digest is of the changed ones
 */
export async function pickEpisodes(
  loaded: LoadedConfig,
  section: BenchmarkTask,
  task: ResolvedTask,
  options: PrepareOptions,
  change?: (episodes: readonly BaseEpisode[]) => readonly BaseEpisode[],
): Promise<PickedEpisodes | undefined> {
  const wanted = options.filter === undefined ? () => true : parseFilter(options.filter);
  const { gt_path, format: named, shuffle } = section.dataset;
  const { formats } = options.registries;
  if (named !== undefined) {
    at(loaded.locate(["dataset", section.name, "format"]), () => formats.get(named));
  }
  const given = options.episodes?.[section.name];
  const path = task.dataPath;
  const format = given ? undefined : await resolveFormat({ path, format: named, formats });
  const source =
    given ??
    loadEpisodes({
      path,
      formats,
      format,
      graphs: task.graphs,
      taskType: section.type,
      gtPath: gt_path === undefined ? undefined : resolvePath(loaded, gt_path),
    });
  // Given episodes are a choice of their own, such as those of a recorded run.
  const instructions = options.episodes ? undefined : new ScoredInstructions(task.rules);
  // Recorded episodes have their goals. Early versions completed only episodes without any.
  const isComplete = ({ goals }: BaseEpisode) =>
    loaded.recorded !== undefined &&
    (options.episodes !== undefined ||
      (loaded.recorded === "early" && Object.keys(goals).length > 0));
  const complete = (episode: BaseEpisode) =>
    isComplete(episode) ? episode : withDefaultGoals(episode, section.config.goals);
  let passed = false;
  let available = 0;
  const digester = new DataDigester();
  const key = ({ sceneId, episodeId }: BaseEpisode) => episodeKey(section.name, sceneId, episodeId);
  const shard = options.shard === undefined ? undefined : parseShard(options.shard);
  const limits = limitOf(loaded, section, options);
  const selected = selectItems(source, {
    key,
    filter: (episode) => {
      if (instructions?.includes(episode) === false) return false;
      available++;
      const passes = wanted(episode, section.name);
      passed ||= passes;
      return passes;
    },
    shuffle,
    ...limits,
    // A change may depend on all selected episodes, so that sharding and digest come after it.
    ...(change
      ? {}
      : { shard, onSelected: (episode: BaseEpisode) => digester.add(complete(episode)) }),
  });
  const episodes: BaseEpisode[] = [];
  for await (const episode of selected) episodes.push(complete(episode));
  if (change) {
    // The episodes of a recorded run, and those that a worker is given, have been changed before.
    const isChanged = loaded.recorded !== undefined && options.episodes !== undefined;
    const changed = isChanged ? [...episodes] : change(episodes);
    const onSelected = (episode: BaseEpisode) => digester.add(episode);
    episodes.length = 0;
    for await (const episode of selectItems(changed, { key, shard, onSelected })) {
      episodes.push(episode);
    }
  }
  // A task without episodes in this shard is still part of the run.
  if (!passed) return undefined;
  const digest = digester.digest();
  // Reading stops at the first ones, so their total is unknown.
  const isPart = limits.first === undefined && available > digest.episodes;
  const data = isPart ? { ...digest, of: available } : digest;
  return { episodes, data, format: format?.name, note: instructions?.note };
}

/** The flags of a run replace both keys of its dataset section. */
function limitOf(
  loaded: LoadedConfig,
  { name, dataset }: BenchmarkTask,
  options: PrepareOptions,
): Pick<SelectOptions<BaseEpisode>, "first" | "sample"> {
  const isFlagged = options.limit !== undefined || options.first !== undefined;
  const { limit, first } = isFlagged ? options : dataset;
  if (limit !== undefined && first !== undefined) {
    throw new ConfigError("two_limits", `the dataset ${name} has both \`limit\` and \`first\``, {
      where: loaded.locate(["dataset", name, "first"]),
      hint: "keep `limit` for a sample over all scenes, or `first` for the first episodes of the file",
    });
  }
  if (limit === undefined) return { first };
  if (options.limitDraws === "first") return { first: limit };
  const seed = dataset.shuffle ?? options.seed ?? loaded.config.evaluation.seed;
  return { sample: { count: limit, seed, stratum: ({ sceneId }) => sceneId } };
}

interface PickedEpisodes {
  readonly episodes: readonly BaseEpisode[];
  readonly data: DataDigest;
  /** Of the dataset; undefined for episodes that were given. */
  readonly format: string | undefined;
  /** States which episodes of the dataset the profile does not score. */
  readonly note: string | undefined;
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

/** Warns that path metrics use another reference path than the profile defines. */
function sparseReferenceWarning(task: ResolvedTask, episodes: readonly BaseEpisode[]): string[] {
  const compared = task.makeMetrics().some(({ info }) => info.needs.reference === "path");
  // On a graph, the path's nodes are the complete path.
  const sparse = episodes.filter(
    ({ referenceData: path }) => path?.path && !path.dense_path && !path.nodes,
  );
  if (task.rules.reference !== "dense" || !compared || sparse.length === 0) return [];
  return [
    `${task.name}: profile ${task.profile} compares with the dense ground-truth path, which ${sparse.length} of ${episodes.length} episodes lack; their reference path is used`,
  ];
}
