import type { StepRecord, StepState } from "../interfaces/step.js";
import type { ManipulationSummary, StageHistory } from "./base.js";

/** A joint that moves less than this in a step, in metres or radians, counts as still. */
const STILL = 1e-3;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Collects from a manipulation episode's records what its explanation needs. */
export class ManipulationSummaryBuilder {
  #any = false;
  #closestReachM = Number.POSITIVE_INFINITY;
  readonly #stages = new Map<string, Writable<StageHistory>>();
  #held: readonly string[] = [];
  #qpos: readonly number[] = [];
  #stillSteps: number[] = [];
  #lastAction: StepRecord["action"] = null;

  add({ step, action, state }: StepRecord): void {
    const { reach_m, stages, qpos } = state;
    this.#lastAction = action;
    if (typeof reach_m === "number" && reach_m < this.#closestReachM) this.#closestReachM = reach_m;
    if (stages) this.#addStages(step, stages, state);
    if (qpos) this.#addJoints(qpos);
    this.#any ||= stages !== undefined || qpos !== undefined;
  }

  /** Undefined if no record has stages or joints. */
  get summary(): ManipulationSummary | undefined {
    if (!this.#any) return undefined;
    return {
      closestReachM: this.#closestReachM,
      stages: Object.fromEntries(this.#stages),
      stillSteps: this.#stillSteps,
      lastAction: this.#lastAction,
    };
  }

  #addStages(step: number, stages: NonNullable<StepState["stages"]>, state: StepState): void {
    const held = Object.keys(stages).filter((name) => stages[name]);
    for (const name of held) {
      const first = this.#stages.get(name)?.first ?? step;
      this.#stages.set(name, { first, last: step, state });
    }
    for (const name of this.#held) {
      const history = this.#stages.get(name);
      if (history && !stages[name]) history.after = state;
    }
    this.#held = held;
  }

  #addJoints(qpos: readonly number[]): void {
    const before = this.#qpos;
    this.#stillSteps = qpos.map((value, i) =>
      Math.abs(value - (before[i] ?? Number.NaN)) < STILL ? (this.#stillSteps[i] ?? 0) + 1 : 0,
    );
    this.#qpos = qpos;
  }
}
