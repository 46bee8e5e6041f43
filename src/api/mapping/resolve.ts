import type {
  ActionMapping,
  MappingPreset,
  MappingSetting,
  ObservationMapping,
} from "../../config/mapping.js";
import { StopRunError } from "../../core/errors.js";
import type { AgentTask } from "../../core/interfaces/agent.js";
import { PRESETS } from "./presets.js";

/** Converts a benchmark's observations and actions to a policy's; an undefined part changes nothing. */
export interface Mapping {
  readonly observation?: ObservationMapping | undefined;
  readonly action?: ActionMapping | undefined;
}

/** Fills the parts that a benchmark's mapping takes from a preset. */
export function resolveMapping(
  setting: MappingSetting | undefined,
  dialect: string,
  task: AgentTask | undefined,
): Mapping {
  if (setting === undefined) return {};
  const own: Exclude<MappingSetting, string> =
    typeof setting === "string" ? { preset: setting } : setting;
  const { preset: name, observation: entries, action } = own;
  if (name === undefined) return { observation: entries, action };
  const { control_mode: mode, action_dim: dim } = task?.conventions ?? {};
  const [usual, ...others] = PRESETS[name];
  const fitting = others.find((one) => one.controlMode === mode && one.actionDim === dim);
  const preset = fitting ?? usual;
  const observation = preset.observation[dialect];
  if (!observation && !entries) {
    throw new StopRunError("bad_mapping", `the mapping ${name} does not support ${dialect}`, {
      where: "policy.mapping",
      hint: `it supports ${Object.keys(preset.observation).join(", ")}; otherwise write policy.mapping.observation`,
    });
  }
  if (!action) checkControl(name, task);
  return {
    observation: { ...observation, ...entries },
    action: action ?? preset.action,
  };
}

function checkControl(name: MappingPreset, task: AgentTask | undefined): void {
  const { control_mode: mode, action_dim: dim } = task?.conventions ?? {};
  const presets = PRESETS[name];
  const fits = presets.some((one) => one.controlMode === mode && one.actionDim === dim);
  if (!task || fits) return;
  const [preset] = presets;
  throw new StopRunError(
    "convention_mismatch",
    `the mapping ${name} gives ${preset.actionDim} numbers of ${preset.controlMode}, but ${task.name} takes ${dim ?? "no"} of ${mode ?? "them"}`,
    {
      where: "policy.mapping",
      hint: `set control_mode: ${preset.controlMode} and robot_type: panda in the task's config, or write policy.mapping.action`,
    },
  );
}
