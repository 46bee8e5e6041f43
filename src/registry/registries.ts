import type { AgentFactory } from "../core/interfaces/agent.js";
import type { SimulatorFactory } from "../core/interfaces/simulator.js";
import { MetricRegistry } from "../core/metric/registry.js";
import type { PerturbationAxis } from "../core/perturbation/axis.js";
import { Registry } from "../core/registry.js";
import type { CriteriaPreset } from "../core/rules/criteria.js";
import type { Predicate } from "../core/rules/predicate.js";
import { TaskRegistry } from "../core/task/registry.js";
import type { DatasetFormat } from "../dataset/format.js";
import type { ResultsFormat } from "../dataset/results/format.js";
import type { RobotDescriptor } from "../robots/descriptor.js";
import { registerAgents } from "./agents.js";
import { registerAxes } from "./axes.js";
import { registerFormats } from "./formats.js";
import { registerMetrics } from "./metrics.js";
import { registerResults } from "./results.js";
import { RobotRegistry } from "./robots.js";
import { PredicateRegistry, registerRules } from "./rules.js";
import { registerSimulators } from "./simulators.js";
import { registerTasks } from "./tasks.js";

/** All registries. Plugins add to them; an evaluation reads them. */
export interface Registries {
  readonly tasks: TaskRegistry;
  readonly metrics: MetricRegistry;
  readonly simulators: Registry<SimulatorFactory>;
  readonly agents: Registry<AgentFactory>;
  readonly formats: Registry<DatasetFormat>;
  /** Formats of results that other tools computed. */
  readonly results: Registry<ResultsFormat>;
  readonly robots: Registry<RobotDescriptor>;
  /** Ways to perturb episodes, as in `evaluation.perturbation`. */
  readonly axes: Registry<PerturbationAxis>;
  /** Conditions that success rules may name. */
  readonly predicates: Registry<Predicate>;
  /** Success criteria by name, as in `success_criteria.type`. */
  readonly presets: Registry<CriteriaPreset>;
}

/**
 * Creates registries with the built-in entries. Two sets share nothing, so a plugin loaded for one evaluation does
 * not affect another.
 *
 * @example
 * const registries = createRegistries();
 * registries.agents.list(); // ["random", "forward", "shortest-path", ...]
 * const config = loadConfig("vln_challenge");
 * await new UnifiedRobotEvaluator(config, { registries, agent: "random" }).run();
 */
export function createRegistries(): Registries {
  const metrics = new MetricRegistry();
  const robots = new RobotRegistry();
  const predicates = new PredicateRegistry();
  const presets = new Registry<CriteriaPreset>("preset");
  const registries: Registries = {
    tasks: new TaskRegistry({
      metricClass: (name) => metrics.get(name),
      robots: lookup(robots),
      predicates: lookup(predicates),
      presets: lookup(presets),
    }),
    metrics,
    simulators: new Registry("simulator"),
    agents: new Registry("agent"),
    formats: new Registry("format"),
    results: new Registry("format"),
    robots,
    axes: new Registry("axis"),
    predicates,
    presets,
  };
  registerTasks(registries.tasks);
  registerMetrics(registries.metrics);
  registerSimulators(registries.simulators);
  registerAgents(registries.agents);
  registerFormats(registries.formats);
  registerResults(registries.results);
  registerAxes(registries.axes);
  registerRules(registries);
  return registries;
}

/** Reads the registry at each call, so that entries of plugins loaded later are found. */
function lookup<T>(registry: Registry<T>) {
  return {
    find: (name: string) => (registry.has(name) ? registry.get(name) : undefined),
    list: () => registry.list(),
  };
}
