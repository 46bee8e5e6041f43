import type { z } from "zod";
import type { Measurement } from "./measurement.js";
import type { Moment } from "./moment.js";
import type { Need } from "./needs.js";
import type { Rule } from "./rule.js";

interface NamedPredicate<P> {
  /** Key in rules. */
  readonly name: string;
  /** One sentence: what it measures and when it holds. */
  readonly summary: string;
  /** Checks and completes a rule's parameters. */
  readonly params: z.ZodType<P>;
}

/** A condition that is a pure function of the facts. */
export interface MeasuredPredicate<P = unknown> extends NamedPredicate<P> {
  needs(params: P): readonly Need[];
  measure(params: P, moment: Moment): Measurement;
}

/** A predicate that expands to a rule of others, whose conditions are reported instead. */
export interface CompoundPredicate<P = unknown> extends NamedPredicate<P> {
  rule(params: P): Rule;
}

export type Predicate<P = unknown> = MeasuredPredicate<P> | CompoundPredicate<P>;

/** The available predicates. */
export interface Predicates {
  find(name: string): Predicate | undefined;
  list(): readonly string[];
}
