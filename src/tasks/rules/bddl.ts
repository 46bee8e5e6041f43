import { DataError, show } from "../../core/errors.js";
import { isRecord } from "../../core/record.js";
import { suggestion } from "../../core/registry.js";
import type { CriteriaPreset } from "../../core/rules/criteria.js";
import type { Rule } from "../../core/rules/rule.js";

/** LIBERO's predicates by lower-case name, with their number of arguments. */
const PREDICATES: Readonly<Record<string, readonly [count: number, (...names: string[]) => Rule]>> =
  {
    on: [2, (object, base) => ({ on: { object, base } })],
    in: [2, (object, container) => ({ in: { object, container } })],
    open: [1, (fixture) => ({ open: { fixture } })],
    close: [1, (fixture) => ({ closed: { fixture } })],
    turnon: [1, (joint) => ({ turned_on: { joint } })],
    turnoff: [1, (joint) => ({ turned_off: { joint } })],
    upright: [1, (object) => ({ upright: { object } })],
  };

/**
 * A BDDL goal as the LIBERO format stores it in `success_criteria`: predicates with `predicate` and `arguments`,
 * combined with `all`, `any` and `not`.
 */
export const bddl: CriteriaPreset = {
  summary: "the goal of a LIBERO task holds",
  criteria: ({ success_criteria }) => {
    const goal = isRecord(success_criteria) ? success_criteria : {};
    return { success: ruleOfBddl(goal) };
  },
};

/** @throws DataError for predicates that LIBERO's tasks do not use */
export function ruleOfBddl(goal: unknown, path = "goals.success_criteria"): Rule {
  if (!isRecord(goal)) throw badGoal(path, `expected a BDDL condition, got ${show(goal)}`);
  const list = (key: "all" | "any") => {
    const parts = goal[key];
    if (!Array.isArray(parts)) throw badGoal(`${path}.${key}`, "expected a list of conditions");
    return parts.map((part, i) => ruleOfBddl(part, `${path}.${key}[${i}]`));
  };
  if ("all" in goal) return { all: list("all") };
  if ("any" in goal) return { any: list("any") };
  if ("not" in goal) return { not: ruleOfBddl(goal.not, `${path}.not`) };
  const { predicate, arguments: names } = goal;
  const known = typeof predicate === "string" ? PREDICATES[predicate.toLowerCase()] : undefined;
  if (!known) {
    throw badGoal(
      `${path}.predicate`,
      `the BDDL predicate ${show(predicate)} is not supported`,
      suggestion(String(predicate).toLowerCase(), Object.keys(PREDICATES)),
    );
  }
  const [count, rule] = known;
  const isNames = (list: unknown): list is string[] =>
    Array.isArray(list) && list.length === count && list.every((one) => typeof one === "string");
  if (!isNames(names)) {
    throw badGoal(
      `${path}.arguments`,
      `${predicate} takes ${count} argument${count === 1 ? "" : "s"}, got ${show(names)}`,
    );
  }
  return rule(...names);
}

function badGoal(where: string, message: string, hint?: string): DataError {
  return new DataError("bad_goals", message, { where, hint });
}
