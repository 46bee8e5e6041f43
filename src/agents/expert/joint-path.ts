/** Seconds to accelerate to full speed, and to stop. */
const RAMP_S = 0.3;

/**
 * A path through joint space: linear between its points, at the speed of the slowest degree of freedom, with a ramp
 * at both ends. No degree of freedom exceeds its limit.
 */
export class JointPath {
  readonly durationS: number;
  readonly #points: readonly (readonly number[])[];
  /** Seconds at full speed from the start to each point. */
  readonly #at: readonly number[];
  readonly #total: number;

  /** @param pace share of the speed limits to use. */
  constructor(
    points: readonly (readonly number[])[],
    speedLimits: readonly number[],
    pace: number = 1,
  ) {
    this.#points = points;
    const at = [0];
    for (let i = 1; i < points.length; i++) {
      const [from = [], to = []] = [points[i - 1], points[i]];
      const seconds = to.map((value, k) => {
        return Math.abs(value - (from[k] ?? value)) / ((speedLimits[k] ?? 1) * pace);
      });
      at.push((at[i - 1] as number) + Math.max(0, ...seconds));
    }
    this.#at = at;
    this.#total = at[at.length - 1] ?? 0;
    this.durationS =
      this.#total >= RAMP_S ? this.#total + RAMP_S : 2 * Math.sqrt(this.#total * RAMP_S);
  }

  /** Joint values after `timeS` seconds; the end point from `durationS` on. */
  at(timeS: number): readonly number[] {
    const s = this.#progress(timeS);
    const next = this.#at.findIndex((mark, i) => i > 0 && mark >= s);
    const last = this.#points[this.#points.length - 1] ?? [];
    if (next === -1 || timeS >= this.durationS) return last;
    const [from = last, to = last] = [this.#points[next - 1], this.#points[next]];
    const [start, end] = [this.#at[next - 1] as number, this.#at[next] as number];
    const share = end > start ? (s - start) / (end - start) : 1;
    return to.map((value, k) => (from[k] ?? value) + share * (value - (from[k] ?? value)));
  }

  /** Converts elapsed time, including ramps, to seconds at full speed. */
  #progress(timeS: number): number {
    const t = Math.min(Math.max(timeS, 0), this.durationS);
    const ramp = Math.min(RAMP_S, this.durationS / 2);
    const left = this.durationS - t;
    if (t < ramp) return (t * t) / (2 * RAMP_S);
    if (left < ramp) return this.#total - (left * left) / (2 * RAMP_S);
    return t - RAMP_S / 2;
  }
}
