import type { TaskConfig } from "../core/task/base.js";
import { schemaAt } from "./expectation.js";
import { check, type Finding } from "./issues.js";
import { benchmarkJsonSchema, type JsonSchema } from "./json-schema.js";
import { checkPairs } from "./pairs.js";
import {
  type BenchmarkConfig,
  type BenchmarkTask,
  type ConfigDocument,
  isTaskSection,
  sectionsSchema,
  type TaskSection,
  taskNameOf,
  taskSectionSchema,
} from "./schema.js";
import { hintForUnknownKey } from "./unknown-key.js";

/** Validates a benchmark; returns it, or all problems found. */
export function validateBenchmark(
  document: ConfigDocument,
): { readonly config: BenchmarkConfig } | { readonly findings: readonly Finding[] } {
  /** Provides the texts of findings. Built only if there are any, because building takes as long as all checks. */
  let made: JsonSchema | undefined;
  const json = () => (made ??= benchmarkJsonSchema());
  const fixed: [string, unknown][] = [];
  const taskSections = new Map<string, TaskSection>();
  const findings: Finding[] = [];
  for (const [key, value] of Object.entries(document)) {
    if (!isTaskSection(key)) {
      fixed.push([key, value]);
      continue;
    }
    const task = check(taskSectionSchema, value, {
      base: [key],
      json: () => schemaAt(json(), [key]) ?? {},
    });
    if ("data" in task) taskSections.set(key, task.data);
    else findings.push(...task.findings);
  }
  const sections = check(sectionsSchema, Object.fromEntries(fixed), { json });
  if ("findings" in sections) findings.push(...sections.findings);
  findings.push(...checkPairs(document, findings));
  if (findings.length > 0 || "findings" in sections) {
    return { findings: findings.map((finding) => hintForUnknownKey(finding, document, json())) };
  }
  const tasks: BenchmarkTask[] = [];
  for (const [section, task] of taskSections) {
    const name = taskNameOf(section);
    const dataset = sections.data.dataset[name];
    if (dataset) tasks.push({ name, section, ...task, dataset });
  }
  return { config: { ...sections.data, tasks } };
}

/** Merges a task's config over the evaluation's values; the task's own values win. */
export function taskSettings(config: BenchmarkConfig, task: BenchmarkTask): TaskConfig {
  const { max_steps, timeout, profile, success_distance, metrics } = config.evaluation;
  return {
    timeout,
    ...(max_steps === undefined ? {} : { max_steps }),
    ...(profile === undefined ? {} : { profile }),
    ...(success_distance === undefined ? {} : { success_distance }),
    ...(metrics === undefined ? {} : { metrics }),
    ...task.config,
  };
}

/** The benchmark in file form with all defaults written out; also a valid benchmark file. */
export function resolvedDocument(config: BenchmarkConfig): Record<string, unknown> {
  const { benchmark, tasks, ...rest } = config;
  const sections = tasks.map(({ section, type, config: own }) => [section, { type, config: own }]);
  return { benchmark, ...Object.fromEntries(sections), ...rest };
}
