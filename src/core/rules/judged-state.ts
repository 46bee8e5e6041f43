import type { StepState } from "../interfaces/step.js";

/** Fields that follow the verdict in a record; hashes of states depend on the order of keys. */
const AFTER_VERDICT = ["error", "scene_sha256", "randomization", "missing_sensors"] as const;

/** Adds the verdict to a simulator's state. Keys that the state already has keep their position. */
export function judgedState(
  state: StepState,
  verdict: Readonly<Record<string, unknown>>,
): StepState {
  const judged: Record<string, unknown> = Object.assign({}, state, verdict);
  for (const key of AFTER_VERDICT) {
    if (!(key in state) || "success" in state) continue;
    delete judged[key];
    judged[key] = state[key];
  }
  return judged;
}
