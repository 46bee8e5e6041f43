import { check, type Finding, valueAt } from "../../../config/issues.js";
import type { LoadedConfig } from "../../../config/load.js";
import type { BenchmarkTask } from "../../../config/schema.js";
import type { SimulatorFactory } from "../../../core/interfaces/simulator.js";
import { suggestion } from "../../../core/registry.js";
import type { Registries } from "../../../registry/registries.js";
import type { ResolvedTask } from "../../../registry/resolved-task.js";

/**
 * Throws if the goals or metrics of a task cannot work: they would leave every episode without a result. Recorded runs
 * are not checked, because earlier versions ran them.
 */
export function checkSettings(
  loaded: LoadedConfig,
  section: BenchmarkTask,
  task: ResolvedTask,
  simulator: [name: string, factory: SimulatorFactory | undefined],
  registries: Registries,
): void {
  const findings = [
    ...badGoals(loaded, section, task),
    ...badMetrics(loaded, section, task, simulator, registries),
  ];
  if (findings.length > 0) throw loaded.error(findings);
}

function badGoals(
  loaded: LoadedConfig,
  { section }: BenchmarkTask,
  { instance }: ResolvedTask,
): readonly Finding[] {
  const base = [section, "config"];
  const schema = instance.goalsSchema;
  if (!schema) return [];
  const result = check(schema, valueAt(loaded.document, base) ?? {}, { base });
  return "findings" in result ? result.findings : [];
}

/** Metrics whose inputs the simulator does not record. */
function badMetrics(
  { config }: LoadedConfig,
  section: BenchmarkTask,
  { instance }: ResolvedTask,
  [name, simulator]: [name: string, factory: SimulatorFactory | undefined],
  { metrics }: Registries,
): Finding[] {
  const states = simulator?.states;
  // A list for several tasks may have metrics of each.
  const isShared = config.tasks.filter(({ config: own }) => !own.metrics).length > 1;
  const isOwn = section.config.metrics !== undefined;
  if (!states || (isShared && !isOwn)) return [];
  const lacking = (metric: string) =>
    metrics.get(metric, {}).info.needs.state.filter((field) => !states.includes(field));
  const asked = (isOwn ? section.config.metrics : config.evaluation.metrics) ?? [];
  return asked.flatMap((metric, i): Finding[] => {
    if (metric === instance.primaryMetric || !metrics.has(metric)) return [];
    const fields = lacking(metric);
    if (fields.length === 0) return [];
    const path = isOwn ? [section.section, "config", "metrics"] : ["evaluation", "metrics"];
    return [
      {
        path: [...path, i],
        problem: `the metric "${metric}" needs ${fields.join(" and ")}, which ${name} does not record for ${section.type}`,
        hint: nearest(
          metric,
          metrics.list().filter((other) => lacking(other).length === 0),
        ),
      },
    ];
  });
}

/** Suggests `manip_success` for `success`, which is too far for a typing mistake. */
function nearest(name: string, valid: readonly string[]): string {
  const longer = valid.find((other) => other.endsWith(`_${name}`));
  const text = suggestion(name, valid);
  return longer === undefined || text.startsWith("did")
    ? text
    : `did you mean "${longer}"? ${text}`;
}
