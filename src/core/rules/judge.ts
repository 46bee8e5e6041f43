import { DataError } from "../errors.js";
import type { Condition, StepState } from "../interfaces/step.js";
import { type CompiledCriteria, compileCriteria, type NamedNode } from "./compile.js";
import type { SuccessCriteria } from "./criteria.js";
import { type Facts, FLAGS, type ReportedFacts, type ThingFacts } from "./facts.js";
import { StepFacts } from "./moment.js";
import type { FactNeeds } from "./needs.js";
import type { Predicates } from "./predicate.js";

/** Fields that follow the verdict in a record; hashes of states depend on the order of keys. */
const AFTER_VERDICT = ["error", "scene_sha256", "randomization", "missing_sensors"] as const;

/** The part of BaseTask that a judge needs. */
export interface JudgedByRules {
  readonly taskType: string;
  /** Undefined if metrics decide, as in navigation. */
  readonly successCriteria: SuccessCriteria | undefined;
  /** Criteria for simulators that record no facts but report success themselves. */
  readonly reportedCriteria: SuccessCriteria | undefined;
  readonly predicates: Predicates;
}

/** A simulator's frame or a recorded step. */
interface Observed {
  readonly state: StepState;
  readonly facts?: Facts | undefined;
}

interface Judged {
  /** With conditions, stages and success. */
  readonly state: StepState;
  /** Facts to record. */
  readonly facts: Facts | undefined;
}

/**
 * Evaluates the success rule of one episode at every control step. This is the only place that decides success. It reads
 * states and facts, so live and recorded episodes are judged by the same code.
 */
export class SuccessJudge {
  readonly #task: JudgedByRules;
  #criteria: CompiledCriteria | undefined;
  #compiled: CompiledCriteria | undefined;
  #things: Readonly<Record<string, ThingFacts>> = {};
  #first: StepFacts | undefined;
  #before: StepFacts | undefined;
  #step = 0;

  constructor(task: JudgedByRules) {
    this.#task = task;
  }

  /**
   * The facts that the simulator must record; undefined without a rule.
   *
   * @throws DataError if the rule is invalid
   */
  needs(): FactNeeds | undefined {
    const { successCriteria, predicates } = this.#task;
    this.#compiled ??= successCriteria && compileCriteria(successCriteria, predicates);
    return this.#compiled?.needs;
  }

  /** Evaluates the next step of the episode; the first one is its reset. */
  update({ state, facts }: Observed): Judged {
    if (this.#step === 0) this.#criteria = this.#choose(state, facts);
    const criteria = this.#criteria;
    if (!criteria) return { state, facts };
    const recorded = facts ?? { reported: reportedBy(state) };
    if (recorded.things) this.#things = recorded.things;
    const now = new StepFacts(state, recorded, this.#things);
    this.#first ??= now;
    const moment = { now, before: this.#before, first: this.#first };
    const step = this.#step++;
    this.#before = now;
    const at = ({ name, node }: NamedNode) => ({ name, ...node.at(moment, step) });
    const verdict: Record<string, unknown> = {};
    if (criteria.conditions.length > 0) {
      verdict.conditions = criteria.conditions.map((named): Condition => {
        const { name, value, threshold, holds } = at(named);
        return { name, value, threshold, holds };
      });
      const stages: Record<string, boolean> = {};
      for (const stage of criteria.stages) stages[stage.name] = at(stage).holds;
      verdict.stages = stages;
    }
    verdict.success = criteria.success.at(moment, step).holds;
    if (criteria.target !== undefined) verdict.target = criteria.target;
    for (const measure of criteria.measures) verdict[measure.name] = at(measure).value;
    for (const flag of criteria.flags) verdict[flag.name] = at(flag).holds;
    return { state: judgedState(state, verdict), facts: recorded };
  }

  /** A simulator that records no facts must report success itself. */
  #choose(state: StepState, facts: Facts | undefined): CompiledCriteria | undefined {
    const { predicates, taskType } = this.#task;
    if (facts && !isOnlyReported(facts)) {
      this.needs();
      return this.#compiled;
    }
    const criteria = this.#task.reportedCriteria;
    if (!criteria) return undefined;
    const compiled = compileCriteria(criteria, predicates);
    if (!compiled.needs.onlyReported) {
      throw new DataError(
        "no_facts",
        `the rule of this ${taskType} task needs facts, but its simulator records none`,
        {
          hint: "use a simulator that records facts, or a rule with only reported_success and flag",
        },
      );
    }
    const reported = facts?.reported ?? reportedBy(state);
    if (Object.keys(reported).length === 0) {
      throw new DataError(
        "no_success",
        `the simulator of this ${taskType} task records neither facts nor success, so success cannot be evaluated`,
        { hint: "make it record `facts`, or set `success` in its states" },
      );
    }
    return compiled;
  }
}

/** Success and flags in the state of a simulator that reports them itself. */
function reportedBy(state: StepState): ReportedFacts {
  const reported: Record<string, boolean> = {};
  for (const key of ["success", ...FLAGS]) {
    const value = state[key];
    if (typeof value === "boolean") reported[key] = value;
  }
  return reported;
}

function isOnlyReported(facts: Facts): boolean {
  return facts.reported !== undefined && Object.keys(facts).length === 1;
}

/** Adds the verdict to a simulator's state. Keys that the state already has keep their position. */
export function judgedState(
  state: StepState,
  verdict: Readonly<Record<string, unknown>>,
): StepState {
  const judged: Record<string, unknown> = Object.assign({}, state, verdict);
  for (const key of AFTER_VERDICT) {
    if (!(key in state) || "success" in state) continue;
    delete judged[key];
    judged[key] = state[key];
  }
  return judged;
}
