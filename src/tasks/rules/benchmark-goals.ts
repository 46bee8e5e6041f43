import { z } from "zod";
import { isRecord } from "../../core/record.js";
import { suggestion } from "../../core/registry.js";
import type { CriteriaPreset, CriteriaPresets } from "../../core/rules/criteria.js";
import type { TaskConfig } from "../../core/task/base.js";

/**
 * The schema of `goals` and `success_criteria` in the config of a manipulation task. Episodes may give the rest of a
 * goal, so every part may be missing; what is there must fit the preset.
 *
 * @param ownPreset the task's preset, if it has one
 */
export function benchmarkGoals(
  config: TaskConfig,
  presets: CriteriaPresets,
  ownPreset: string | undefined,
): z.ZodType {
  const { goals, success_criteria } = config;
  const find = (...criteria: readonly unknown[]) => {
    const types = criteria.map((one) => (isRecord(one) ? one.type : undefined));
    const known = [...types, ownPreset].find(
      (type) => typeof type === "string" && presets.find(type) !== undefined,
    );
    return typeof known === "string" ? presets.find(known) : undefined;
  };
  const inGoals = isRecord(goals) ? goals.success_criteria : undefined;
  const judging = find(success_criteria, inGoals);
  return z.looseObject({
    goals: loose({
      ...judging?.goals,
      success_criteria: criteriaSchema(find(inGoals), presets),
    }).optional(),
    success_criteria: criteriaSchema(judging, presets).optional(),
  });
}

function criteriaSchema(preset: CriteriaPreset | undefined, presets: CriteriaPresets): z.ZodType {
  const common = {
    type: z.enum(presets.list()).optional(),
    rule: z.unknown().optional(),
    stages: z.unknown().optional(),
  };
  return preset?.settings
    ? z.strictObject({ ...common, ...preset.settings })
    : z.looseObject(common);
}

/** Goals may have further keys, but not ones that are nearly the name of a known key. */
export function loose(shape: Readonly<Record<string, z.ZodType>>): z.ZodType {
  const known = Object.keys(shape);
  const optional = known.map((key) => [key, shape[key]?.optional()]);
  return z.looseObject(Object.fromEntries(optional)).superRefine((goals, context) => {
    for (const key of Object.keys(goals)) {
      if (known.includes(key)) continue;
      const near = suggestion(key, known);
      if (!near.startsWith("did you mean")) continue;
      context.addIssue({ code: "custom", path: [key], message: `unknown key, ${near}` });
    }
  });
}
