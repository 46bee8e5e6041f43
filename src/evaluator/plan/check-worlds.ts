import type { LoadedConfig } from "../../config/load.js";
import type { BaseEpisode } from "../../core/episode/base.js";
import type { WorldProblem } from "../../core/interfaces/simulator.js";
import { suggestion } from "../../core/registry.js";
import type { TaskSetup } from "./resolve-tasks.js";

/** A problem that a run of the benchmark would meet. */
export interface TaskProblem extends WorldProblem {
  readonly task: string;
}

export type CheckedTask = Omit<TaskSetup, "section"> & {
  readonly episodes: readonly BaseEpisode[];
};

/**
 * Finds what keeps episodes from running before any of them runs: scenes that are missing, sensors that no simulator
 * has, robots that do not fit their model. All problems of all tasks.
 */
export async function checkWorlds(
  loaded: LoadedConfig,
  tasks: readonly CheckedTask[],
): Promise<readonly TaskProblem[]> {
  const problems: TaskProblem[] = [];
  for (const { task, simulator, simulatorName, simulatorConfig, episodes, sensors } of tasks) {
    const add = (problem: WorldProblem) => problems.push({ task: task.name, ...problem });
    if (!simulator) {
      const { backend } = loaded.config.simulator;
      add({
        level: "error",
        code: "no_simulator",
        message: `no simulator serves tasks of the type ${task.type} (simulator.backend: ${backend}), so all ${episodes.length} episodes would be invalid`,
        where: loaded.locate(["simulator", "backend"]),
        hint: "add the plugin that registers one, or set simulator.backend; see `robot-eval list simulators`",
      });
      continue;
    }
    for (const name of sensors.missing) {
      // Tasks share the list of sensors, so that one of them may lack what another has.
      const isUnknown = tasks.every((other) => other.sensors.missing.includes(name));
      add({
        level: isUnknown ? "error" : "warning",
        code: "unknown_sensor",
        message: `${simulatorName} has no sensor "${name}"`,
        where: loaded.locate(["simulator", "sensors", name]),
        hint: suggestion(name, simulator.sensors),
      });
    }
    if (!task.isComplete) continue;
    const { instance, graphs, scenes, name: taskName } = task;
    const options = { task: instance, taskName, config: simulatorConfig, graphs, scenes };
    for (const found of (await simulator.checkWorlds?.(options, episodes)) ?? []) add(found);
  }
  return problems;
}
