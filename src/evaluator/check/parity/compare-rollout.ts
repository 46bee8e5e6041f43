import type { ParityFailure, RolloutParity } from "./documents.js";

/** What is compared at one step: lists of numbers by name, and the success flag. */
export interface PlayedStep {
  readonly quantities: Readonly<Record<string, readonly number[]>>;
  readonly success: boolean;
}

export const QPOS = "qpos";
export const END_EFFECTOR = "end effector";

/** Numbers of the same engine differ in the last digits. */
export const TOLERANCE = 1e-6;
/** The error that is allowed where replays from nearly the same state differ, as a multiple of that difference. */
const ALLOWED_MULTIPLE = 100;
/** Up to this difference between such replays, a number is compared with the tolerance. */
const CHAOTIC_FROM = TOLERANCE / ALLOWED_MULTIPLE;

/**
 * Compares a replay with its original, number by number and step by step.
 *
 * Contacts amplify rounding errors a billionfold, so that no build of an engine reproduces the positions of another one.
 * Replays from nearly the same state measure by how much: the error of a number may be at most `ALLOWED_MULTIPLE` times the
 * largest difference between them so far, or `TOLERANCE` if that is more.
 */
export function compareRollout(
  original: readonly PlayedStep[],
  replay: readonly PlayedStep[],
  nudged: readonly (readonly PlayedStep[])[],
): Omit<RolloutParity, "episode_id" | "source" | "steps"> {
  const comparisons = new Map<string, Comparison>();
  let failure: ParityFailure | null = null;
  let different = 0;
  for (const [step, expected] of original.entries()) {
    const own = replay[step];
    for (const [quantity, values] of Object.entries(expected.quantities)) {
      const comparison = comparisons.get(quantity) ?? new Comparison();
      comparisons.set(quantity, comparison);
      const ours = own?.quantities[quantity] ?? [];
      for (const path of nudged) comparison.addNudged(ours, path[step]?.quantities[quantity] ?? []);
      const off = comparison.add(values, ours);
      if (off) failure ??= { step, quantity, ...off };
    }
    if (expected.success === own?.success) continue;
    different++;
    const isChaotic = comparisons.get(QPOS)?.isChaotic ?? false;
    // Chaotic positions may pass a threshold a step earlier or later.
    const near = [replay[step - 1], replay[step + 1], ...nudged.map((path) => path[step])];
    if (isChaotic && near.some((other) => other?.success === expected.success)) continue;
    failure ??= { step, quantity: "success", error: 1, allowed: 0 };
  }
  const positions = comparisons.get(QPOS) ?? new Comparison();
  const steps = original.length - 1;
  // The state after the reset, which a warm-up can make chaotic, is no control step.
  const chaoticSteps = Math.min(steps, positions.chaoticSteps);
  const observed = [...comparisons].filter(([name]) => name !== QPOS && name !== END_EFFECTOR);
  return {
    compared_steps: steps - chaoticSteps,
    chaotic_steps: chaoticSteps,
    compared_positions: positions.compared / Math.max(1, positions.compared + positions.chaotic),
    max_qpos_error: positions.mostCompared,
    max_ee_error_m: comparisons.get(END_EFFECTOR)?.mostCompared ?? 0,
    max_observation_error:
      observed.length > 0
        ? Math.max(...observed.map(([, { mostCompared }]) => mostCompared))
        : null,
    max_chaotic_qpos_error: positions.chaotic > 0 ? positions.mostChaotic : null,
    sensitivity: positions.sensitivity,
    success_steps_different: different,
    success: { original: succeeds(original), replay: succeeds(replay) },
    failure,
  };
}

function succeeds(steps: readonly PlayedStep[]): boolean {
  return steps.some(({ success }) => success);
}

/** One list of numbers, over the steps of a rollout. */
class Comparison {
  /** For each number, the largest difference between the replay and nudged ones so far. */
  readonly #sensitivity: number[] = [];
  /** How many numbers were compared with the tolerance, and how many with a multiple of their sensitivity. */
  compared = 0;
  chaotic = 0;
  mostCompared = 0;
  mostChaotic = 0;
  /** Steps with any chaotic number. */
  chaoticSteps = 0;

  get sensitivity(): number {
    return Math.max(0, ...this.#sensitivity);
  }

  get isChaotic(): boolean {
    return this.sensitivity > CHAOTIC_FROM;
  }

  addNudged(ours: readonly number[], theirs: readonly number[]): void {
    for (const [i, value] of ours.entries()) {
      this.#sensitivity[i] = Math.max(this.#sensitivity[i] ?? 0, distance(value, theirs[i]));
    }
  }

  /** Returns the first error that is not allowed. */
  add(
    expected: readonly number[],
    ours: readonly number[],
  ): Pick<ParityFailure, "error" | "allowed"> | undefined {
    if (this.isChaotic) this.chaoticSteps++;
    let off: Pick<ParityFailure, "error" | "allowed"> | undefined;
    for (let i = 0; i < Math.max(expected.length, ours.length); i++) {
      const error = distance(expected[i], ours[i]);
      const sensitivity = this.#sensitivity[i] ?? 0;
      const allowed = Math.max(TOLERANCE, ALLOWED_MULTIPLE * sensitivity);
      // A number that is missing is an error, even if it is chaotic.
      if (error > allowed || error === Number.POSITIVE_INFINITY) off ??= { error, allowed };
      if (sensitivity > CHAOTIC_FROM) {
        this.chaotic++;
        this.mostChaotic = Math.max(this.mostChaotic, error);
      } else {
        this.compared++;
        this.mostCompared = Math.max(this.mostCompared, error);
      }
    }
    return off;
  }
}

/** Infinite if a number is missing or not finite. */
function distance(one = Number.NaN, other = Number.NaN): number {
  const difference = Math.abs(one - other);
  return Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference;
}
