import type { ActionMapping, MappingSetting, ObservationMapping } from "../../config/mapping.js";
import { StopRunError } from "../../core/errors.js";
import type { AgentTask } from "../../core/interfaces/agent.js";
import { PRESETS, type Preset } from "./presets.js";

/** How a benchmark's observations and actions become a policy's; absent is as they are. */
export interface Mapping {
  readonly observation?: ObservationMapping | undefined;
  readonly action?: ActionMapping | undefined;
}

/** The benchmark's mapping with a preset's parts filled in. */
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
  const preset = PRESETS[name];
  const observation = preset.observation[dialect];
  if (!observation && !entries) {
    throw new StopRunError("bad_mapping", `the mapping ${name} is not for ${dialect}`, {
      where: "policy.mapping",
      hint: `it is for ${Object.keys(preset.observation).join(", ")}; write what is sent under policy.mapping.observation`,
    });
  }
  if (!action) checkControl(name, preset, task);
  return {
    observation: { ...observation, ...entries },
    action: action ?? preset.action,
  };
}

function checkControl(name: string, preset: Preset, task: AgentTask | undefined): void {
  const { control_mode: mode, action_dim: dim } = task?.conventions ?? {};
  if (!task || (mode === preset.controlMode && dim === preset.actionDim)) return;
  throw new StopRunError(
    "convention_mismatch",
    `the mapping ${name} gives ${preset.actionDim} numbers of ${preset.controlMode}, but ${task.name} takes ${dim ?? "no"} of ${mode ?? "them"}`,
    {
      where: "policy.mapping",
      hint: `set control_mode: ${preset.controlMode} and robot_type: panda in the task's config, or write policy.mapping.action`,
    },
  );
}
