import type { AgentFactory } from "../core/interfaces/agent.js";
import type { SimulatorFactory } from "../core/interfaces/simulator.js";
import { MetricRegistry } from "../core/metric/registry.js";
import { Registry } from "../core/registry.js";
import { TaskRegistry } from "../core/task/registry.js";
import type { DatasetFormat } from "../dataset/format.js";
import type { ResultsFormat } from "../dataset/results/format.js";
import type { RobotDescriptor } from "../robots/descriptor.js";
import { registerAgents } from "./agents.js";
import { registerFormats } from "./formats.js";
import { registerMetrics } from "./metrics.js";
import { registerResults } from "./results.js";
import { RobotRegistry, registerRobots } from "./robots.js";
import { registerSimulators } from "./simulators.js";
import { registerTasks } from "./tasks.js";

/** Everything that has a name. Plugins add to it; an evaluation reads it. */
export interface Registries {
  readonly tasks: TaskRegistry;
  readonly metrics: MetricRegistry;
  readonly simulators: Registry<SimulatorFactory>;
  readonly agents: Registry<AgentFactory>;
  readonly formats: Registry<DatasetFormat>;
  /** Formats of results that others computed. */
  readonly results: Registry<ResultsFormat>;
  readonly robots: Registry<RobotDescriptor>;
}

/**
 * A fresh set with the built-ins. Two sets share nothing, so a plugin loaded for one evaluation is not
 * seen by another.
 *
 * @example
 * const registries = createRegistries();
 * registries.metrics.register("my_metric")(MyMetric);
 * await new UnifiedRobotEvaluator(config, { registries }).run();
 */
export function createRegistries(): Registries {
  const metrics = new MetricRegistry();
  const robots = new RobotRegistry();
  const registries: Registries = {
    tasks: new TaskRegistry({
      metricClass: (name) => metrics.get(name),
      robots: {
        find: (type) => (robots.has(type) ? robots.get(type) : undefined),
        list: () => robots.list(),
      },
    }),
    metrics,
    simulators: new Registry("simulator"),
    agents: new Registry("agent"),
    formats: new Registry("format"),
    results: new Registry("format"),
    robots,
  };
  registerTasks(registries.tasks);
  registerMetrics(registries.metrics);
  registerSimulators(registries.simulators);
  registerAgents(registries.agents);
  registerFormats(registries.formats);
  registerResults(registries.results);
  registerRobots(registries.robots);
  return registries;
}
