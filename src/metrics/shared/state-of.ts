import { DataError } from "../../core/errors.js";
import type { StepRecord, StepState } from "../../core/interfaces/step.js";
import type { StateNeed } from "../../core/metric/base.js";

/**
 * A field of a step's state. The scorer checks the first record; a gap further on is an error too,
 * since skipping the record would shorten the path or hide a step without anybody noticing.
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
  throw new DataError("missing_state", `a metric needs ${field}, which the step record lacks`, {
    where: `step ${record.step}`,
    hint: `record ${field} at every step, or leave out the metrics that need it`,
  });
}
