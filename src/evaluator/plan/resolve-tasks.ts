import { checkSection, type LoadedConfig } from "../../config/load.js";
import { ConfigProblems } from "../../config/problems.js";
import type { BenchmarkTask, SimulatorSection } from "../../config/schema.js";
import type { SimulatorFactory } from "../../core/interfaces/simulator.js";
import type { Registries } from "../../registry/registries.js";
import { at, ResolvedTask } from "../../registry/resolved-task.js";
import { checkSettings } from "./check/settings.js";
import { checkSimulatorKeys } from "./check/simulator-keys.js";
import { checkSwitches, sensorsOf, type TaskSensors } from "./sensors.js";

/** A task of a benchmark with its simulator, before its episodes are read. */
export interface TaskSetup {
  readonly section: BenchmarkTask;
  readonly task: ResolvedTask;
  readonly simulatorName: string;
  /** Undefined if no registered simulator serves the task. */
  readonly simulator: SimulatorFactory | undefined;
  /** The `simulator:` section, with exactly the sensors to observe. */
  readonly simulatorConfig: SimulatorSection;
  readonly sensors: TaskSensors;
}

/**
 * Resolves all tasks of a benchmark.
 *
 * @param collected collects all problems that can be found without reading episodes; they are thrown if absent
 */
export function resolveTasks(
  loaded: LoadedConfig,
  registries: Registries,
  collected?: ConfigProblems,
): TaskSetup[] {
  const problems = collected ?? new ConfigProblems();
  const setups = loaded.config.tasks.flatMap((section): TaskSetup[] => {
    const task = problems.attempt(() => new ResolvedTask(loaded, section, registries, problems));
    const simulated = task && problems.attempt(() => simulate(loaded, task, registries));
    if (!simulated) return [];
    const { simulatorName, simulator } = simulated;
    if (!loaded.recorded && task.isComplete) {
      problems.attempt(() =>
        checkSettings(loaded, section, task, [simulatorName, simulator], registries),
      );
    }
    return [{ section, task, ...simulated }];
  });
  problems.attempt(() => checkSwitches(loaded, setups, registries));
  if (!loaded.recorded) problems.attempt(() => checkSimulatorKeys(loaded, setups, registries));
  if (!collected) problems.throwAll();
  return setups;
}

function simulate(
  loaded: LoadedConfig,
  task: ResolvedTask,
  registries: Registries,
): Omit<TaskSetup, "section" | "task"> {
  const [simulatorName, simulator] = pickSimulator(loaded, task, registries);
  const sensors = sensorsOf(loaded, task, simulator);
  const { sensors: _, ...section } = loaded.config.simulator;
  const { requested } = sensors;
  const simulatorConfig = requested ? { ...section, sensors: requested } : section;
  if (simulator?.configSchema) {
    checkSection(loaded, ["simulator"], simulator.configSchema, simulatorConfig);
  }
  return { simulatorName, simulator, simulatorConfig, sensors };
}

/** `abstract` picks the first simulator that serves the task's family and has what it needs. */
function pickSimulator(
  loaded: LoadedConfig,
  { instance, graphs }: ResolvedTask,
  registries: Registries,
): [name: string, factory: SimulatorFactory | undefined] {
  const { backend } = loaded.config.simulator;
  const serves = ({ families, needsGraphs }: SimulatorFactory) =>
    families.includes(instance.family) && !(needsGraphs && !graphs);
  if (backend === "abstract") {
    const found = [...registries.simulators.entries()].find(([, entry]) => serves(entry));
    return found ?? ["none", undefined];
  }
  const where = loaded.locate(["simulator", "backend"]);
  return [backend, at(where, () => registries.simulators.get(backend))];
}
