import { DataError, show } from "../../core/errors.js";
import { isRecord } from "../../core/record.js";
import { suggestion } from "../../core/registry.js";
import type { CriteriaPresets, SuccessCriteria } from "../../core/rules/criteria.js";
import type { Rule } from "../../core/rules/rule.js";
import type { TaskConfig } from "../../core/task/base.js";

/** The `success_criteria` of the episode, overridden by those of the benchmark. */
export function criteriaSettings({ goals, success_criteria }: TaskConfig) {
  const episode = isRecord(goals) && isRecord(goals.success_criteria) ? goals.success_criteria : {};
  const own = isRecord(success_criteria) ? success_criteria : {};
  const { rule: _, type: __, stages: ___, ...numbers } = episode;
  return "rule" in own || "type" in own ? { ...numbers, ...own } : { ...episode, ...own };
}

/** Whether the criteria are an explicit rule instead of a preset. */
export function hasOwnRule(config: TaskConfig): boolean {
  return criteriaSettings(config).rule !== undefined;
}

/**
 * The success criteria of a task's config and an episode's goals: their rule, their preset, or the task's preset.
 *
 * @param ownPreset the task's preset, if it has one
 */
export function criteriaOf(
  taskType: string,
  config: TaskConfig,
  presets: CriteriaPresets,
  ownPreset: string | undefined,
): SuccessCriteria {
  const settings = criteriaSettings(config);
  const { rule, stages, type = ownPreset } = settings;
  if (rule !== undefined) return explicit(rule, stages);
  if (type === undefined) {
    throw new DataError("no_rule", `this ${taskType} task has no success criteria`, {
      where: "goals.success_criteria",
      hint: `set a preset ({type: ...}; valid: ${presets.list().join(", ")}) or a rule ({rule: ...}) in the episode's goals or in the task's config`,
    });
  }
  const preset = typeof type === "string" ? presets.find(type) : undefined;
  if (!preset) {
    throw new DataError("unknown_criteria", `${show(type)} is not a preset of success criteria`, {
      where: "goals.success_criteria.type",
      hint: `${suggestion(String(type), presets.list())}; or write a rule ({rule: ...})`,
    });
  }
  const goals = isRecord(config.goals) ? config.goals : {};
  return preset.criteria({ ...goals, success_criteria: settings });
}

/** Names of the stages, if they are known without an episode's goals. */
export function stagesOf(
  config: TaskConfig,
  presets: CriteriaPresets,
  ownPreset: string | undefined,
): readonly string[] {
  const { rule, stages, type = ownPreset } = criteriaSettings(config);
  if (rule !== undefined) return isRecord(stages) ? Object.keys(stages) : [];
  return (typeof type === "string" ? presets.find(type)?.stages : undefined) ?? [];
}

/** The rule is checked when it is compiled. */
function explicit(rule: unknown, stages: unknown): SuccessCriteria {
  return {
    success: rule as Rule,
    ...(isRecord(stages) ? { stages: stages as Readonly<Record<string, Rule>> } : {}),
  };
}
