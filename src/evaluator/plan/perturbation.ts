import { checkSection, type LoadedConfig } from "../../config/load.js";
import { resolvePath } from "../../config/paths.js";
import { type BaseEpisode, episodeKey } from "../../core/episode/base.js";
import { ConfigError } from "../../core/errors.js";
import type { PerturbationAxis } from "../../core/perturbation/axis.js";
import { withRecord } from "../../core/perturbation/record.js";
import type { Registries } from "../../registry/registries.js";
import { at } from "../../registry/resolved-task.js";
import type { TaskSetup } from "./resolve-tasks.js";
import { perturbationSeed } from "./seeding.js";

const SECTION = ["evaluation", "perturbation"] as const;

/** A benchmark's `evaluation.perturbation`. */
export interface Perturbation {
  readonly name: string;
  readonly axis: PerturbationAxis;
  readonly level: number;
  /** Value of the axis's parameter. */
  readonly value: number;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Finds the axis and checks its level and settings. Undefined if the benchmark perturbs nothing. */
export function resolvePerturbation(
  loaded: LoadedConfig,
  { axes }: Registries,
): Perturbation | undefined {
  const { perturbation } = loaded.config.evaluation;
  if (!perturbation) return undefined;
  const { axis: name, level } = perturbation;
  const axis = at(loaded.locate([...SECTION, "axis"]), () => axes.get(name));
  const value = level === 0 ? axis.neutral : axis.levels[level - 1];
  if (value === undefined) {
    const { length } = axis.levels;
    throw new ConfigError("bad_level", `the axis ${name} has no level ${level}`, {
      where: loaded.locate([...SECTION, "level"]),
      hint: length === 1 ? "it has level 1 only" : `it has levels 1 to ${length}`,
    });
  }
  return { name, axis, level, value, settings: settingsOf(loaded, name, axis) };
}

function settingsOf(
  loaded: LoadedConfig,
  name: string,
  axis: PerturbationAxis,
): Perturbation["settings"] {
  const { settings = {} } = loaded.config.evaluation.perturbation ?? {};
  const path = [...SECTION, "settings"];
  if (axis.settings) checkSection(loaded, path, axis.settings, settings);
  else if (Object.keys(settings).length > 0) {
    throw new ConfigError("bad_settings", `the axis ${name} has no settings`, {
      where: loaded.locate(path),
      hint: "remove them",
    });
  }
  const { file } = settings;
  return typeof file === "string" ? { ...settings, file: resolvePath(loaded, file) } : settings;
}

/** Why an axis cannot perturb a task of a benchmark; undefined if it can. */
export function missingFor(
  axis: PerturbationAxis,
  { task, simulator, simulatorName, sensors }: TaskSetup,
  { config }: LoadedConfig,
): string | undefined {
  return axis.missing({
    task: task.instance,
    simulatorName,
    simulatorAxes: simulator?.axes ?? [],
    sensors: sensors.received,
    hasLatency: config.evaluation.simulated_latency !== undefined,
  });
}

/** Rejects an axis that can perturb none of the tasks. */
export function checkOffered(
  loaded: LoadedConfig,
  { name, axis }: Perturbation,
  setups: readonly TaskSetup[],
): void {
  const reasons = setups.map((setup) => missingFor(axis, setup, loaded));
  if (reasons.includes(undefined)) return;
  throw new ConfigError(
    "axis_not_offered",
    `the axis ${name} cannot be used here: ${[...new Set(reasons)].join("; ")}`,
    { where: loaded.locate([...SECTION, "axis"]), hint: "see `robot-eval list axes`" },
  );
}

/**
 * What perturbs the episodes of a task, given all selected ones; undefined if nothing does. Each episode records the
 * axis, its level and what was drawn, so that the run's trajectories say what happened and workers need nothing else.
 */
export function perturberOf(
  perturbation: Perturbation | undefined,
  task: string,
  benchmarkSeed: number,
): ((episodes: readonly BaseEpisode[]) => BaseEpisode[]) | undefined {
  if (!perturbation) return undefined;
  const { name, axis, level, value, settings } = perturbation;
  return (episodes) =>
    episodes.map((original) => {
      const key = episodeKey(task, original.sceneId, original.episodeId);
      const seed = perturbationSeed(benchmarkSeed, name, key);
      const draw = { value, level, seed, settings, episodeKey: key, episodes };
      const { episode, parameters } = axis.perturb?.(original, draw) ?? { episode: original };
      return withRecord(episode, {
        ...{ axis: name, level, value, seed },
        ...(parameters ? { parameters } : {}),
      });
    });
}
