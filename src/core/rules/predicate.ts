import type { z } from "zod";
import type { Measurement } from "./measurement.js";
import type { Moment } from "./moment.js";
import type { Need } from "./needs.js";
import type { Rule } from "./rule.js";

interface NamedPredicate<P> {
  /** As rules name it. */
  readonly name: string;
  /** One sentence: what it measures and when it holds. */
  readonly summary: string;
  /** Checks and completes a rule's parameters. */
  readonly params: z.ZodType<P>;
}

/** A condition that rules can name: a pure function of the facts. */
export interface MeasuredPredicate<P = unknown> extends NamedPredicate<P> {
  needs(params: P): readonly Need[];
  measure(params: P, moment: Moment): Measurement;
}

/** A name for a rule of other predicates; those are what is reported. */
export interface CompoundPredicate<P = unknown> extends NamedPredicate<P> {
  rule(params: P): Rule;
}

export type Predicate<P = unknown> = MeasuredPredicate<P> | CompoundPredicate<P>;

/** The predicates that rules may name. */
export interface Predicates {
  find(name: string): Predicate | undefined;
  list(): readonly string[];
}
