import type { LintRule } from "../types.js";

const MAX_DEPTH = 12;

/**
 * Finds NaN and infinity in fields that no schema checks: settings and additional fields of a dataset.
 * Positions, rotations, paths and demonstrations are checked when they are read.
 */
export const nonFinite: LintRule = {
  code: "non_finite",
  severity: "error",
  why: "NaN makes every sum and mean that includes it NaN, and JSON can represent neither NaN nor infinity",
  *check(episode) {
    const { startState, goals, instruction, referenceData, taskConfig, simParams } = episode;
    const parts = {
      start_state: startState,
      goals,
      instruction,
      reference_data: referenceData,
      task_config: taskConfig,
      sim_params: simParams,
    };
    for (const [name, part] of Object.entries(parts)) {
      const bad = findIn(part, name, 0);
      // The `geodesic_distance` rule reports these.
      if (!bad || bad.field === "task_config.geodesic_distance") continue;
      yield { ...bad, message: `${bad.value} is not a finite number` };
    }
  },
};

function findIn(
  value: unknown,
  field: string,
  depth: number,
): { readonly field: string; readonly value: number } | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : { field, value };
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value) || isNumbers(value)) {
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      if (typeof item === "number" && Number.isFinite(item)) continue;
      const found = findIn(item, `${field}[${i}]`, depth + 1);
      if (found) return found;
    }
    return undefined;
  }
  for (const [key, item] of Object.entries(value)) {
    const found = findIn(item, `${field}.${key}`, depth + 1);
    if (found) return found;
  }
  return undefined;
}

function isNumbers(value: object): value is Float32Array | Float64Array {
  return value instanceof Float32Array || value instanceof Float64Array;
}
