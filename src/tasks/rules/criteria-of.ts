import { DataError, show } from "../../core/errors.js";
import { isRecord } from "../../core/record.js";
import { suggestion } from "../../core/registry.js";
import type { CriteriaPresets, SuccessCriteria } from "../../core/rules/criteria.js";
import type { Rule } from "../../core/rules/rule.js";
import type { TaskConfig } from "../../core/task/base.js";

/** The `success_criteria` that hold: the episode's, with the benchmark's own on top. */
export function criteriaSettings({ goals, success_criteria }: TaskConfig) {
  const episode = isRecord(goals) && isRecord(goals.success_criteria) ? goals.success_criteria : {};
  const own = isRecord(success_criteria) ? success_criteria : {};
  const { rule: _, type: __, stages: ___, ...numbers } = episode;
  return "rule" in own || "type" in own ? { ...numbers, ...own } : { ...episode, ...own };
}

/** Whether the author wrote a rule out, in place of naming a preset. */
export function hasOwnRule(config: TaskConfig): boolean {
  return criteriaSettings(config).rule !== undefined;
}

/**
 * What success means by a task's config and an episode's goals: the rule that they write out, the preset that they
 * name, or else the task's own.
 *
 * @param ownPreset the task's; undefined for a task that has none
 */
export function criteriaOf(
  taskType: string,
  config: TaskConfig,
  presets: CriteriaPresets,
  ownPreset: string | undefined,
): SuccessCriteria {
  const settings = criteriaSettings(config);
  const { rule, stages, type = ownPreset } = settings;
  if (rule !== undefined) return written(rule, stages);
  if (type === undefined) {
    throw new DataError("no_rule", `no rule says when a ${taskType} task has succeeded`, {
      where: "goals.success_criteria",
      hint: `name a preset ({type: ...}; ${presets.list().join(", ")}) or write a rule ({rule: ...}), in the episode's goals or in the task's config`,
    });
  }
  const preset = typeof type === "string" ? presets.find(type) : undefined;
  if (!preset) {
    throw new DataError("unknown_criteria", `there are no success criteria ${show(type)}`, {
      where: "goals.success_criteria.type",
      hint: suggestion(String(type), presets.list()),
    });
  }
  const goals = isRecord(config.goals) ? config.goals : {};
  return preset.criteria({ ...goals, success_criteria: settings });
}

/** The stages' names, as far as they are known without an episode's goals. */
export function stagesOf(
  config: TaskConfig,
  presets: CriteriaPresets,
  ownPreset: string | undefined,
): readonly string[] {
  const { rule, stages, type = ownPreset } = criteriaSettings(config);
  if (rule !== undefined) return isRecord(stages) ? Object.keys(stages) : [];
  return (typeof type === "string" ? presets.find(type)?.stages : undefined) ?? [];
}

/** Its content is checked when it is compiled, with the predicates that there are. */
function written(rule: unknown, stages: unknown): SuccessCriteria {
  return {
    success: rule as Rule,
    ...(isRecord(stages) ? { stages: stages as Readonly<Record<string, Rule>> } : {}),
  };
}
