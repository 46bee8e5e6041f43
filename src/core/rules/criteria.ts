import type { ZodType } from "zod";
import type { FlagName } from "./facts.js";
import type { Rule } from "./rule.js";

/** Rules for success and stages of one episode, as data. */
export interface SuccessCriteria {
  readonly success: Rule;
  /** Rules of the stages, in order, keyed by name; default: the conditions of `success`. */
  readonly stages?: Readonly<Record<string, Rule>>;
  /** Rules of the flags `object_grasped`, `object_lifted` and `object_placed`. */
  readonly flags?: { readonly [flag in FlagName]?: Rule };
  /** Values of predicates that are recorded in addition to the conditions. */
  readonly measures?: Readonly<Record<string, Rule>>;
  /** The object or fixture of the task; default: the first one in `success`. */
  readonly target?: string;
}

/** Named criteria, selected with `goals.success_criteria.type`. */
export interface CriteriaPreset {
  /** One sentence. */
  readonly summary: string;
  /** Names of its stages in order; default: those of an episode's first record. */
  readonly stages?: readonly string[];
  /** Schemas of its settings in `success_criteria`, by name, each optional; anything is allowed if absent. */
  readonly settings?: Readonly<Record<string, ZodType>>;
  /** Schemas of the goals that it reads, by name. A benchmark may give parts of them, and episodes the rest. */
  readonly goals?: Readonly<Record<string, ZodType>>;
  /**
   * @param goals the episode's, with the benchmark's `success_criteria` merged in
   * @throws DataError if the goals lack a value that the rule needs
   */
  criteria(goals: Readonly<Record<string, unknown>>): SuccessCriteria;
}

export interface CriteriaPresets {
  find(name: string): CriteriaPreset | undefined;
  list(): readonly string[];
}
