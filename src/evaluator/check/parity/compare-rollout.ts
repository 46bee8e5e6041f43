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
/** The error that is allowed where disturbed replays differ, as a multiple of that difference. */
const ALLOWED_MULTIPLE = 10;

/**
 * Compares a replay with its original, number by number and step by step.
 *
 * Contacts amplify rounding errors a billionfold, so that no build of an engine reproduces the positions of another one.
 * Replays with errors of that size measure by how much: where a number is off by more than `TOLERANCE`, the error may be at most
 * `ALLOWED_MULTIPLE` times the largest difference between them and the replay so far.
 *
 * @param disturbed replays with the errors of another build; none suffice where everything is equal
 */
export function compareRollout(
  original: readonly PlayedStep[],
  replay: readonly PlayedStep[],
  disturbed: readonly (readonly PlayedStep[])[],
): Omit<RolloutParity, "episode_id" | "source" | "steps" | "disturbed_replays"> {
  const comparisons = new Map<string, Comparison>();
  const positions = new Comparison();
  comparisons.set(QPOS, positions);
  let failure: ParityFailure | null = null;
  let different = 0;
  // The state after the reset, which a warm-up can make chaotic, is no control step.
  let chaoticSteps = 0;
  for (const [step, expected] of original.entries()) {
    const own = replay[step];
    const before = positions.chaotic;
    for (const [quantity, values] of Object.entries(expected.quantities)) {
      const comparison = comparisons.get(quantity) ?? new Comparison();
      comparisons.set(quantity, comparison);
      const ours = own?.quantities[quantity] ?? [];
      for (const path of disturbed) {
        comparison.addDisturbed(ours, path[step]?.quantities[quantity] ?? []);
      }
      const off = comparison.add(values, ours);
      if (off) failure ??= { step, quantity, ...off };
    }
    const isChaotic = positions.chaotic > before;
    if (isChaotic && step > 0) chaoticSteps++;
    if (expected.success === own?.success) continue;
    different++;
    // Chaotic positions may pass a threshold a step earlier or later.
    const near = isChaotic ? [replay[step - 1], replay[step + 1]] : [];
    const others = [...near, ...disturbed.map((path) => path[step])];
    if (others.some((other) => other?.success === expected.success)) continue;
    failure ??= { step, quantity: "success", error: 1, allowed: 0, sensitivity: 0 };
  }
  const steps = original.length - 1;
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
    sensitivity: disturbed.length > 0 ? positions.sensitivity : null,
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
  /** For each number, the largest difference between the replay and disturbed ones so far. */
  readonly #sensitivity: number[] = [];
  /** How many numbers are chaotic: off by more than the tolerance, and by no more than the sensitivity allows. */
  chaotic = 0;
  mostChaotic = 0;
  /** The others, and their largest error. */
  compared = 0;
  mostCompared = 0;

  get sensitivity(): number {
    return Math.max(0, ...this.#sensitivity);
  }

  addDisturbed(ours: readonly number[], theirs: readonly number[]): void {
    for (const [i, value] of ours.entries()) {
      this.#sensitivity[i] = Math.max(this.#sensitivity[i] ?? 0, distance(value, theirs[i]));
    }
  }

  /** Returns the first error that is not allowed. */
  add(expected: readonly number[], ours: readonly number[]): NumberFailure | undefined {
    let off: NumberFailure | undefined;
    for (let i = 0; i < Math.max(expected.length, ours.length); i++) {
      const error = distance(expected[i], ours[i]);
      const sensitivity = this.#sensitivity[i] ?? 0;
      const allowed = Math.max(TOLERANCE, ALLOWED_MULTIPLE * sensitivity);
      // A number that is missing is an error, even if it is chaotic.
      const isOff = error > allowed || error === Number.POSITIVE_INFINITY;
      if (isOff) off ??= { error, allowed, sensitivity };
      if (error > TOLERANCE && !isOff) {
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

type NumberFailure = Omit<ParityFailure, "step" | "quantity">;

/** Infinite if a number is missing or not finite. */
function distance(one = Number.NaN, other = Number.NaN): number {
  const difference = Math.abs(one - other);
  return Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference;
}
