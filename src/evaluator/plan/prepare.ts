import type { LoadedConfig } from "../../config/load.js";
import type { PolicySettings } from "../../config/policy.js";
import { ConfigProblems } from "../../config/problems.js";
import type { DatasetSection, SimulatorSection } from "../../config/schema.js";
import type { BaseEpisode } from "../../core/episode/base.js";
import { type Disclosed, disclosedBy } from "../../core/episode/disclosure.js";
import { ConfigError } from "../../core/errors.js";
import type { AgentFactory } from "../../core/interfaces/agent.js";
import type { DataDigest } from "../../core/interfaces/result.js";
import type { SimulatorFactory } from "../../core/interfaces/simulator.js";
import type { Registries } from "../../registry/registries.js";
import type { ResolvedTask } from "../../registry/resolved-task.js";
import type { SimulatedLatency } from "../execute/simulated-latency.js";
import type { AgentRef } from "./agent-spec.js";
import type { Perturbation } from "./perturbation.js";
import { type ReadTasks, readTasks } from "./read-tasks.js";
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
 *
 * @throws ConfigError with all problems that need no data, else with those of the data
 */
export async function prepareRun(loaded: LoadedConfig, options: PrepareOptions): Promise<RunPlan> {
  const problems = new ConfigProblems();
  const read = await readTasks(loaded, withAgent(loaded, options), problems, { endsEarly: true });
  problems.throwAll();
  return planOf(loaded, read, options);
}

/** @throws ConfigError if neither the options nor the benchmark name an agent */
export function withAgent(loaded: LoadedConfig, options: PrepareOptions): PrepareOptions {
  const agent = options.agent ?? loaded.config.agent;
  if (agent !== undefined) return options;
  throw new ConfigError("no_agent", "no agent is named", {
    where: loaded.file,
    hint: "pass --agent random, or write `agent: random` into the benchmark",
  });
}

/** The plan of tasks that were read without problems. */
export function planOf(
  loaded: LoadedConfig,
  { tasks: read, perturbation, warnings: earlier }: ReadTasks,
  options: PrepareOptions,
): RunPlan {
  const { config } = loaded;
  const { registries, shard } = options;
  const warnings = [...earlier];
  const tasks = read.flatMap(({ setup, picked, agent }): TaskPlan[] => {
    if (!picked || !agent) return [];
    const { section, task, ...simulated } = setup;
    const { episodes, data, note } = picked;
    if (note !== undefined) warnings.push(`${task.name}: ${note}`);
    if (!simulated.simulator) {
      warnings.push(
        `no simulator serves ${section.type}: the ${episodes.length} episodes of ${section.name} are invalid`,
      );
    }
    warnings.push(...sparseReferenceWarning(task, episodes));
    return [
      {
        task,
        ...simulated,
        dataset: section.dataset,
        episodes,
        data,
        ...agent,
        policy: config.policy,
        disclosed: disclosedBy(task.instance, config.evaluation.disclose),
        latency: latencyOf(perturbation) ?? config.evaluation.simulated_latency,
        perturbation,
      },
    ];
  });
  if (tasks.length === 0) {
    throw new ConfigError("no_episodes", "no episode matches the filter", {
      where: "--filter",
      hint: "see docs/command-line.md for the filter's fields; `*` matches anything",
    });
  }
  if (shard !== undefined && tasks.every(({ episodes }) => episodes.length === 0)) {
    throw new ConfigError("no_episodes", `the shard ${shard} holds no episode`, {
      where: "--shard",
      hint: "an episode's key decides its shard, so few episodes may leave one empty: make fewer shards",
    });
  }
  return {
    loaded,
    registries,
    tasks,
    agentSpec: options.agent ?? config.agent ?? "",
    seed: options.seed ?? config.evaluation.seed,
    drawsOrder: options.drawsOrder ?? config.evaluation.early_stop !== undefined,
    shard,
    warnings,
  };
}

function latencyOf(perturbation: Perturbation | undefined): SimulatedLatency | undefined {
  const steps = perturbation?.axis.latencySteps?.(perturbation.value);
  return steps === undefined ? undefined : { steps };
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
