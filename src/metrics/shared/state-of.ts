import { DataError } from "../../core/errors.js";
import type { StepRecord, StepState } from "../../core/interfaces/step.js";
import type { StateNeed } from "../../core/metric/base.js";

/**
 * A field of a step's state. The scorer checks the first record; a missing field in a later one is an
 * error too, because skipping that record would silently shorten the path or hide a step.
 */
export function stateOf<K extends Exclude<StateNeed, "time_s">>(
  record: StepRecord,
  field: K,
): NonNullable<StepState[K]> {
  return present(record, field, record.state[field]);
}

/** Seconds of simulated time since reset. */
export function timeOf(record: StepRecord): number {
  return present(record, "time_s", record.time_s);
}

function present<T>(record: StepRecord, field: StateNeed, value: T): NonNullable<T> {
  if (value !== undefined && value !== null) return value;
  throw new DataError("missing_state", `a metric needs ${field}, but the step record has none`, {
    where: `step ${record.step}`,
    hint: `record ${field} at every step, or leave out the metrics that need it`,
  });
}
