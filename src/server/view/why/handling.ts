import type { Condition, StepRecord } from "../../../core/interfaces/step.js";
import { type Explain, plain, put } from "./input.js";

/** Metrics of success and progress of a manipulation episode. */

const manipSuccess: Explain = ({ records }) => {
  const last = records.at(-1);
  if (last?.state.success === undefined) return undefined;
  const value = last.state.success ? 1 : 0;
  const conditions = last.state.conditions ?? [];
  const holding = conditions.filter(({ holds }) => holds);
  return {
    value,
    formula: "the success condition holds at the last step",
    substituted:
      conditions.length === 0
        ? `step ${last.step}`
        : `${holding.length} of ${conditions.length} parts hold at step ${last.step}${missing(conditions)}`,
    inWords: true,
    terms: conditions.map(({ name, value: now }) => plain(name, now)),
  };
};

/** The parts that do not hold, with their values and thresholds. */
function missing(conditions: readonly Condition[]): string {
  const parts = conditions
    .filter(({ holds }) => !holds)
    .map(({ name, value, threshold }) => `${name} ${put(value)} (needs ${put(threshold)})`);
  return parts.length === 0 ? "" : `; not: ${parts.join(", ")}`;
}

const successOnce: Explain = ({ records }) => {
  if (records[0]?.state.success === undefined) return undefined;
  const first = firstSuccess(records);
  return {
    value: first ? 1 : 0,
    formula: "the success condition holds at some step",
    substituted: first ? `first at step ${first.step}` : `at none of ${records.length} records`,
    inWords: true,
    terms: first ? [plain("step", first.step)] : [],
  };
};

const timeToSuccess: Explain = ({ records }) => {
  const first = firstSuccess(records);
  if (first?.time_s === undefined) return undefined;
  return {
    value: first.time_s,
    formula: "simulated time at the first success",
    substituted: `step ${first.step}`,
    inWords: true,
    terms: [{ name: "t", value: first.time_s, unit: "s" }, plain("step", first.step)],
  };
};

function firstSuccess(records: readonly StepRecord[]): StepRecord | undefined {
  return records.find(({ state }) => state.success === true);
}

const completionRate: Explain = ({ records }) => {
  const stages = Object.keys(records[0]?.state.stages ?? {});
  if (stages.length === 0) return undefined;
  const reached = (stage: string) => records.some(({ state }) => state.stages?.[stage] === true);
  const missed = stages.findIndex((stage) => !reached(stage));
  const done = missed === -1 ? stages.length : missed;
  const until = missed === -1 ? "all are reached" : `${stages[missed]} is not reached`;
  return {
    value: done / stages.length,
    formula: "completion = leading stages reached / stages",
    substituted: `${until}: ${done} / ${stages.length}`,
    terms: [plain("reached", done), plain("stages", stages.length)],
  };
};

export const HANDLING: Readonly<Record<string, Explain>> = {
  manip_success: manipSuccess,
  success_once: successOnce,
  time_to_success: timeToSuccess,
  completion_rate: completionRate,
};
