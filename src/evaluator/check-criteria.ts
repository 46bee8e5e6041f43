import type { LoadedConfig } from "../config/load.js";
import type { BenchmarkTask } from "../config/schema.js";
import type { BaseEpisode } from "../core/episode/base.js";
import { ConfigError, DataError } from "../core/errors.js";
import type { SimulatorFactory } from "../core/interfaces/simulator.js";
import { isRecord } from "../core/record.js";
import { compileCriteria } from "../core/rules/compile.js";
import type { FactNeeds } from "../core/rules/needs.js";
import type { BaseTask } from "../core/task/base.js";
import { at, type ResolvedTask } from "../registry/resolved-task.js";

/** Mistakes in a rule. Goals that do not fit a preset cost their own episode, at its reset. */
const OF_THE_AUTHOR = ["bad_rule", "unknown_predicate", "unknown_criteria", "no_rule"];

/**
 * Throws before anything runs where a success rule is wrong or missing, or names what an episode shows to be absent.
 */
export function checkCriteria(
  loaded: LoadedConfig,
  section: BenchmarkTask,
  task: ResolvedTask,
  simulator: SimulatorFactory | undefined,
  episodes: readonly BaseEpisode[],
): void {
  if (!simulator) return;
  const criteria = task.config.success_criteria;
  const written = isRecord(criteria) && ("rule" in criteria || "type" in criteria);
  for (const episode of episodes) {
    // A rule of the benchmark's is wrong there, and not in its episodes.
    const place = written
      ? loaded.locate([section.section, "config", "success_criteria"])
      : `${task.dataPath}, episode ${episode.episodeId}`;
    const own = task.taskFor(episode);
    const needs = needsOf(own, simulator, place);
    if (needs) at(place, () => simulator.checkFacts?.(needs, episode, own));
  }
}

function needsOf(
  task: BaseTask,
  simulator: SimulatorFactory,
  place: string,
): FactNeeds | undefined {
  try {
    const criteria = simulator.recordsFacts ? task.successCriteria : task.reportedCriteria;
    if (criteria) return compileCriteria(criteria, task.predicates).needs;
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    if (!OF_THE_AUTHOR.includes(error.code)) return undefined;
    const { code, message, where, hint } = error;
    throw new ConfigError(code, message, { where: where ? `${place}, ${where}` : place, hint });
  }
  if (!simulator.recordsFacts || task.family !== "manipulation") return undefined;
  throw new ConfigError("no_rule", `the task ${task.taskType} has no success rule`, {
    where: place,
    hint: "extend ManipulationTask, or give the task `successCriteria`; see docs/plugins.md",
  });
}
