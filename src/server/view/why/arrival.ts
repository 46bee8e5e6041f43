import { type Explain, metres, plain, put } from "./input.js";
import { arrival, lengthOf, positions, stopped, withDistances } from "./path.js";

/** Metrics of a navigation episode's end and path. */

const success = withDistances(({ last }, input) => {
  const { records, rules } = input;
  const r = rules.successDistanceM;
  const near = `${put(last)} ${last < r ? "<" : "≥"} ${put(r)}`;
  const said = stopped(records) ? "stop was called" : "stop was not called";
  return {
    value: arrival(input) ?? 0,
    formula: rules.stopRequired ? "success = stop ∧ d < r" : "success = d < r",
    substituted: rules.stopRequired ? `${said}, ${near}` : near,
    inWords: true,
    terms: [metres("d", last), metres("r", r)],
  };
});

const oracleSuccess = withDistances(({ least }, { rules }) => {
  const r = rules.successDistanceM;
  const value = least < r ? 1 : 0;
  return {
    value,
    formula: "oracle success = min d < r",
    substituted: `${put(least)} ${value === 1 ? "<" : "≥"} ${put(r)}`,
    inWords: true,
    terms: [metres("min d", least), metres("r", r)],
  };
});

const navigationError = withDistances(({ last }, { records }) => ({
  value: last,
  formula: "d at the last step",
  substituted: `step ${records.length - 1} of ${records.length - 1}: d`,
  terms: [metres("d", last)],
}));

const oracleError = withDistances(({ least }, { records }) => {
  const step = records.findIndex(({ state }) => state.distance_to_goal === least);
  return {
    value: least,
    formula: "min over all steps of d",
    substituted: `step ${step} of ${records.length - 1}: d`,
    terms: [metres("min d", least), plain("step", step)],
  };
});

const pathLength: Explain = ({ records }) => {
  const path = positions(records);
  if (!path) return undefined;
  const value = lengthOf(path);
  return {
    value,
    formula: "sum of the distances between consecutive positions",
    substituted: `over ${path.length} positions`,
    inWords: true,
    terms: [metres("L", value)],
  };
};

const spl = withDistances(({ start: l }, input) => {
  const path = positions(input.records);
  const s = arrival(input);
  if (!path || s === undefined || !(l > 0)) return undefined;
  const p = lengthOf(path);
  return {
    value: (s * l) / Math.max(l, p),
    formula: "SPL = S × l / max(l, p)",
    substituted: `${s} × ${put(l)} / max(${put(l)}, ${put(p)})`,
    terms: [plain("S", s), metres("l", l), metres("p", p)],
  };
});

const softSpl = withDistances(({ start: l, last: d }, { records }) => {
  const path = positions(records);
  if (!path || !(l > 0)) return undefined;
  const p = lengthOf(path);
  return {
    value: (Math.max(0, 1 - d / l) * l) / Math.max(l, p),
    formula: "soft SPL = max(0, 1 − d / l) × l / max(l, p)",
    substituted: `max(0, 1 − ${put(d)} / ${put(l)}) × ${put(l)} / max(${put(l)}, ${put(p)})`,
    terms: [metres("d", d), metres("l", l), metres("p", p)],
  };
});

const stepsTaken: Explain = ({ records, rules }) => {
  const actions = records.filter(({ action }) => action !== null).length;
  const stops = records.filter(({ action }) => action === "stop").length;
  return {
    value: rules.countsStop ? actions : actions - stops,
    formula: rules.countsStop ? "actions, stop among them" : "actions without stop",
    substituted: rules.countsStop ? put(actions) : `${put(actions)} − ${put(stops)}`,
    terms: [plain("actions", actions), plain("stops", stops)],
  };
};

const collisions: Explain = ({ records }) => {
  const blocked = records.filter(({ state }) => state.collided === true).length;
  return {
    value: blocked,
    formula: "steps in which the robot was blocked",
    substituted: `${put(blocked)} of ${put(records.length - 1)} steps`,
    inWords: true,
    terms: [plain("blocked", blocked)],
  };
};

export const ARRIVAL: Readonly<Record<string, Explain>> = {
  success,
  oracle_success: oracleSuccess,
  navigation_error: navigationError,
  distance_to_goal: navigationError,
  oracle_navigation_error: oracleError,
  path_length: pathLength,
  spl,
  soft_spl: softSpl,
  steps_taken: stepsTaken,
  collisions,
};
