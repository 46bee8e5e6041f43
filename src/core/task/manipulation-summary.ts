import type { StepRecord, StepState } from "../interfaces/step.js";
import type { ManipulationSummary, StageHistory } from "./base.js";

/** A joint that moves less than this in a step, in metres or radians, counts as still. */
const STILL = 1e-3;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** When each of some named flags held. */
class Histories {
  readonly #known = new Map<string, Writable<StageHistory>>();
  #held: readonly string[] = [];

  add(step: number, flags: Readonly<Record<string, boolean>>, state: StepState): void {
    const held = Object.keys(flags).filter((name) => flags[name]);
    for (const name of held) {
      const first = this.#known.get(name)?.first ?? step;
      this.#known.set(name, { first, last: step, state });
    }
    for (const name of this.#held) {
      const history = this.#known.get(name);
      if (history && !flags[name]) history.after = state;
    }
    this.#held = held;
  }

  get histories(): Readonly<Record<string, StageHistory>> {
    return Object.fromEntries(this.#known);
  }
}

/** Collects from a manipulation episode's records what its explanation needs. */
export class ManipulationSummaryBuilder {
  #any = false;
  #closestReachM = Number.POSITIVE_INFINITY;
  readonly #stages = new Histories();
  readonly #carried = new Histories();
  #qpos: readonly number[] = [];
  #stillSteps: number[] = [];
  #lastAction: StepRecord["action"] = null;
  readonly #extremes: Record<string, { least: number; most: number }> = {};

  add({ step, action, state }: StepRecord): void {
    const { reach_m, stages, qpos } = state;
    this.#lastAction = action;
    if (typeof reach_m === "number" && reach_m < this.#closestReachM) this.#closestReachM = reach_m;
    if (stages) this.#stages.add(step, stages, state);
    this.#carried.add(step, { carried: state.carried === 1 }, state);
    if (qpos) this.#addJoints(qpos);
    this.#addNumbers(state);
    this.#any ||= stages !== undefined || qpos !== undefined;
  }

  /** Undefined if no record has stages or joints. */
  get summary(): ManipulationSummary | undefined {
    if (!this.#any) return undefined;
    const { carried } = this.#carried.histories;
    return {
      closestReachM: this.#closestReachM,
      stages: this.#stages.histories,
      ...(carried ? { carried } : {}),
      extremes: this.#extremes,
      stillSteps: this.#stillSteps,
      lastAction: this.#lastAction,
    };
  }

  #addNumbers(state: StepState): void {
    for (const key in state) {
      const value = state[key];
      if (typeof value !== "number") continue;
      const known = this.#extremes[key];
      if (!known) this.#extremes[key] = { least: value, most: value };
      else if (value < known.least) known.least = value;
      else if (value > known.most) known.most = value;
    }
  }

  #addJoints(qpos: readonly number[]): void {
    const before = this.#qpos;
    this.#stillSteps = qpos.map((value, i) =>
      Math.abs(value - (before[i] ?? Number.NaN)) < STILL ? (this.#stillSteps[i] ?? 0) + 1 : 0,
    );
    this.#qpos = qpos;
  }
}
