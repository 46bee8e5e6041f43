import type { StepState } from "../interfaces/step.js";

/** Fields that stand behind the verdict in a record: hashes of states depend on the order of their keys. */
const BEHIND = ["error", "scene_sha256", "randomization", "missing_sensors"] as const;

/** A simulator's state with the verdict; what the state has of the verdict already is replaced in its place. */
export function judgedState(
  state: StepState,
  verdict: Readonly<Record<string, unknown>>,
): StepState {
  const judged: Record<string, unknown> = Object.assign({}, state, verdict);
  for (const key of BEHIND) {
    if (!(key in state) || "success" in state) continue;
    delete judged[key];
    judged[key] = state[key];
  }
  return judged;
}
