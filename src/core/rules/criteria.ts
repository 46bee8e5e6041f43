import type { FlagName } from "./facts.js";
import type { Rule } from "./rule.js";

/** What success and its stages mean for one episode. All of it is data. */
export interface SuccessCriteria {
  readonly success: Rule;
  /** By name, in the order in which they are reached; the conditions of `success` where absent. */
  readonly stages?: Readonly<Record<string, Rule>>;
  /** The three flags that the original design names. */
  readonly flags?: { readonly [flag in FlagName]?: Rule };
  /** Numbers that are recorded beside the conditions: each the value of a predicate. */
  readonly measures?: Readonly<Record<string, Rule>>;
  /** The object or fixture that the task is about; the first that `success` names where absent. */
  readonly target?: string;
}

/** Criteria that have a name: `goals.success_criteria.type`. */
export interface CriteriaPreset {
  /** One sentence. */
  readonly summary: string;
  /** The names of its stages in their order; where absent, those of an episode's first record count. */
  readonly stages?: readonly string[];
  /**
   * @param goals the episode's, with the benchmark's `success_criteria` merged in
   * @throws DataError where the goals lack what the rule needs
   */
  criteria(goals: Readonly<Record<string, unknown>>): SuccessCriteria;
}

export interface CriteriaPresets {
  find(name: string): CriteriaPreset | undefined;
  list(): readonly string[];
}
