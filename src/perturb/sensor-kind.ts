import type { AxisTarget } from "../core/perturbation/axis.js";

/** Why a task cannot be perturbed: its policy has no sensor of this kind. */
export function missingCamera({ sensors }: AxisTarget, kind: "rgb" | "depth"): string | undefined {
  if (sensors === null) return undefined;
  const isKind = ([name, { type }]: readonly [string, { readonly type?: unknown }]) => {
    const called = typeof type === "string" ? type : name;
    return called === kind || called.startsWith(`${kind}_`);
  };
  if (Object.entries(sensors).some(isKind)) return undefined;
  const what = kind === "rgb" ? "colour image" : "depth image";
  return `the policy receives no ${what}; add one under simulator.sensors`;
}

/** Why a task cannot be perturbed: its policy receives no instruction. */
export function missingInstruction({ sensors, task }: AxisTarget): string | undefined {
  if (sensors === null || Object.hasOwn(sensors, "instruction")) return undefined;
  // Policies also receive it at the start of an episode, whether it is observed or not.
  if (task.family !== "navigation" || task.sensorSuite.has("instruction")) return undefined;
  return `the task ${task.taskType} has no instruction`;
}
