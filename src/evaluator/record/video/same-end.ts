import type { StepRecord } from "../../../core/interfaces/step.js";

/** Whether a replay ended in the recorded state. The first state is not compared: it also lists the sensors. */
export function isSameEnd(records: readonly StepRecord[], state: StepRecord["state"]): boolean {
  const last = records.at(-1);
  return records.length < 2 || JSON.stringify(last?.state) === JSON.stringify(state);
}
