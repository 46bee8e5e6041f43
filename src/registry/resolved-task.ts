import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { taskSettings } from "../config/benchmark.js";
import { check, valueAt } from "../config/issues.js";
import type { LoadedConfig } from "../config/load.js";
import { resolvePath } from "../config/paths.js";
import type { ConfigProblems } from "../config/problems.js";
import type { BenchmarkTask, SimulatorSection } from "../config/schema.js";
import type { BaseEpisode } from "../core/episode/base.js";
import { ConfigError, RobotEvalError } from "../core/errors.js";
import type { BaseMetric, MetricInfo } from "../core/metric/base.js";
import { type Rules, rulesOf } from "../core/profiles.js";
import { isRecord } from "../core/record.js";
import type { GraphSource } from "../core/scene/graph.js";
import type { SceneDistance } from "../core/scene/scene-point.js";
import type { SceneSource } from "../core/scene/source.js";
import type { BaseTask, TaskConfig } from "../core/task/base.js";
import { MatterportGraphs } from "../dataset/formats/matterport-connectivity.js";
import { SceneFolder } from "../dataset/scenes.js";
import { isApartment } from "../simulator/navigation/find-scene.js";
import type { Registries } from "./registries.js";

/** What a summary needs to know about a task. */
export interface SummaryTask {
  readonly profile: string;
  readonly primaryMetric: string;
  readonly metrics: readonly MetricInfo[];
}

/**
 * A benchmark's task with its settings, metrics and scenes resolved and checked: everything needed to score an
 * episode, live or recorded.
 */
export class ResolvedTask {
  /** `vln` of `vln_task`. */
  readonly name: string;
  readonly type: string;
  /** The task's settings merged over the benchmark-wide ones. */
  readonly config: TaskConfig;
  /** An instance with these settings, for properties that do not depend on the episode. */
  readonly instance: BaseTask;
  readonly dataPath: string;
  readonly graphs: GraphSource | undefined;
  readonly scenes: SceneSource;
  /** False if parts of the config were wrong and are left out, so that what depends on them cannot be checked. */
  readonly isComplete: boolean;
  readonly #simulator: SimulatorSection;

  /**
   * Errors name the line of the benchmark that caused them.
   *
   * @param problems collects all errors of the task but an unknown type; the first is thrown if absent
   */
  constructor(
    loaded: LoadedConfig,
    section: BenchmarkTask,
    private readonly registries: Registries,
    problems?: ConfigProblems,
  ) {
    const attempt = <T>(work: () => T) => (problems ? problems.attempt(work) : work());
    const schema = at(loaded.locate([section.section, "type"]), () =>
      registries.tasks.configSchema(section.type),
    );
    const path = [section.section, "config"];
    const checked = schema && check(schema, valueAt(loaded.document, path) ?? {}, { base: path });
    const findings = checked && "findings" in checked ? checked.findings : [];
    attempt(() => {
      if (findings.length > 0) throw loaded.error(findings);
    });
    this.name = section.name;
    this.type = section.type;
    const wrong = findings
      .filter(({ kind }) => kind !== "unknown")
      .map((finding) => String(finding.path[path.length]));
    const settings = Object.entries(taskSettings(loaded.config, section));
    this.config = Object.fromEntries(settings.filter(([key]) => !wrong.includes(key)));
    this.isComplete = wrong.length === 0;
    this.instance = registries.tasks.get(section.type, this.config);
    for (const check of this.#metricChecks(loaded, section)) attempt(check);
    attempt(() => this.#checkDatasetType(loaded, section));
    this.dataPath = resolvePath(loaded, section.dataset.data_path);
    this.graphs = attempt(() => this.#findGraphs(loaded, section));
    this.scenes =
      attempt(() => findScenes(loaded, section)) ??
      new SceneFolder(resolvePath(loaded, "data"), loaded.within);
    this.#simulator = loaded.config.simulator;
  }

  /** The primary metric comes first, requested or not. */
  get metricNames(): readonly string[] {
    const { metricNames, primaryMetric } = this.instance;
    return [primaryMetric, ...metricNames.filter((name) => name !== primaryMetric)];
  }

  get rules(): Rules {
    return rulesOf(this.type, this.config);
  }

  /** The profile's name, with the rules that the benchmark overrides. */
  get profile(): string {
    const { name, successDistanceM } = this.rules;
    const usual = rulesOf(this.type, { profile: name }).successDistanceM;
    return successDistanceM === usual ? name : `${name}[success_distance=${successDistanceM}]`;
  }

  get summaryTask(): SummaryTask {
    return {
      profile: this.profile,
      primaryMetric: this.instance.primaryMetric,
      metrics: this.makeMetrics().map((metric) => metric.info),
    };
  }

  /** Fresh instances: metrics carry state from reset to getMetric. */
  makeMetrics(): BaseMetric[] {
    return this.metricNames.map((name) => this.#makeMetric(name));
  }

  #makeMetric(name: string): BaseMetric {
    const settings = this.config.metric_config;
    const own = isRecord(settings) ? settings[name] : undefined;
    return this.registries.metrics.get(name, isRecord(own) ? own : {});
  }

  /** The task as one episode sees it. Precedence: episode, then task, then evaluation. */
  taskFor(episode: BaseEpisode): BaseTask {
    const { max_steps, timeout } = episode.simParams;
    return this.registries.tasks.get(this.type, {
      ...this.config,
      ...(max_steps === undefined ? {} : { max_steps }),
      ...(timeout === undefined ? {} : { timeout }),
      goals: episode.goals,
    });
  }

  /** Whether a metric needs scene distances. Path metrics do under some profiles. */
  needsDistances(metrics: readonly BaseMetric[]): boolean {
    const onScene = this.rules.ground === "scene";
    return metrics.some(
      ({ info: { needs } }) => needs.distance || (onScene && needs.reference === "path"),
    );
  }

  /**
   * Distances in a scene, from its graph or its geometry; undefined for task families without scene distances.
   * The caller must release it.
   */
  async distancesIn(sceneId: string): Promise<SceneDistances | undefined> {
    const { family } = this.instance;
    const isDrivenIn = family === "manipulation" && isApartment(sceneId);
    if (this.graphs && !isDrivenIn) {
      const graph = await this.graphs.graph(sceneId);
      return { distance: (from, to) => graph.distance(from, to), release: () => {} };
    }
    if (!isDrivenIn && family !== "navigation") return undefined;
    // Recast and the image libraries are imported on demand, to keep the start fast.
    const { apartmentDistance, sceneDistance } = await import(
      "../simulator/navigation/scene-distance.js"
    );
    return isDrivenIn
      ? apartmentDistance(sceneId)
      : sceneDistance(sceneId, this.scenes, this.#simulator);
  }

  #metricChecks(loaded: LoadedConfig, section: BenchmarkTask): (() => void)[] {
    const own = section.config.metrics !== undefined;
    const path = own ? [section.section, "config", "metrics"] : ["evaluation", "metrics"];
    return this.instance.metricNames.map(
      (name, i) => () => at(loaded.locate([...path, i]), () => this.#checkMetric(name)),
    );
  }

  /** Results and thresholds use `info.name`, so a metric must be registered under it. */
  #checkMetric(name: string): void {
    const own = this.#makeMetric(name).info.name;
    if (own === name) return;
    throw new ConfigError("metric_name", `the metric "${name}" calls itself "${own}" in its info`, {
      hint: `set info.name of its class to "${name}", or register it as "${own}"`,
    });
  }

  /** Checks the dataset's declared task type or family before reading it. */
  #checkDatasetType(loaded: LoadedConfig, section: BenchmarkTask): void {
    const { type } = section.dataset;
    if (type === this.type || type === this.instance.family || type === section.dataset.format)
      return;
    throw new ConfigError(
      "wrong_dataset_type",
      `dataset.${this.name} is for ${type}, and ${section.section} is of type ${this.type}`,
      {
        where: loaded.locate(["dataset", this.name, "type"]),
        hint: `valid: ${this.type}, or ${this.instance.family} for any task of that family`,
      },
    );
  }

  /** Graphs are in the benchmark's folder, else in `connectivity` beside the episodes. */
  #findGraphs(loaded: LoadedConfig, section: BenchmarkTask): GraphSource | undefined {
    const named = section.dataset.connectivity ?? loaded.config.simulator.connectivity;
    if (named !== undefined) {
      const folder = resolvePath(loaded, named);
      if (existsSync(folder)) return new MatterportGraphs(folder);
      const path = section.dataset.connectivity ? ["dataset", section.name] : ["simulator"];
      throw new ConfigError("missing_directory", `no such folder: ${named}`, {
        where: loaded.locate([...path, "connectivity"]),
        hint: "it should hold the scenes' navigation graphs, <scene>_connectivity.json",
      });
    }
    const beside = join(dirname(this.dataPath), "connectivity");
    return existsSync(beside) ? new MatterportGraphs(beside) : undefined;
  }
}

export interface SceneDistances {
  readonly distance: SceneDistance;
  /** Hash of the scene's geometry; absent for a graph. */
  readonly sha256?: string;
  release(): void;
}

/** Scenes are in the benchmark's folder, else in `data`. */
function findScenes(loaded: LoadedConfig, section: BenchmarkTask): SceneSource {
  const named = section.dataset.scenes ?? loaded.config.simulator.scenes;
  const folder = resolvePath(loaded, named ?? "data");
  if (named === undefined || existsSync(folder)) {
    return new SceneFolder(folder, loaded.within);
  }
  const path = section.dataset.scenes ? ["dataset", section.name] : ["simulator"];
  throw new ConfigError("missing_directory", `no such folder: ${named}`, {
    where: loaded.locate([...path, "scenes"]),
    hint: "it should hold the files that the episodes' scene ids name, such as mp3d/<scan>/<scan>.glb",
  });
}

/** Adds a location to errors that have none. */
export function at<T>(where: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RobotEvalError) || error.where !== undefined) throw error;
    throw new ConfigError(error.code, error.message, { where, hint: error.hint, cause: error });
  }
}
