import type { StepRecord } from "../../core/interfaces/step.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { BaseMetric, type MetricInfo } from "../../core/metric/base.js";
import { derivative } from "../shared/derivative.js";
import { endEffectorPosition } from "../shared/end-effector.js";
import { timeOf } from "../shared/state-of.js";

/**
 * Smoothness of the end effector's motion: log dimensionless jerk of its path.
 *
 *     LDLJ = -ln( D^3 / v_peak^2 * integral of |x'''(t)|^2 dt )
 *
 * D is the duration, v_peak the highest speed. It depends on the shape of a movement only, not on its
 * size or speed. One minimum-jerk reach has -ln(204.8) = -5.32.
 *
 * Discretisation, for n samples x_i at times t_i with steps of any length: velocity, acceleration and
 * jerk are divided differences, v_i = (x_i+1 - x_i) / (t_i+1 - t_i), a_i = 2 (v_i+1 - v_i) /
 * (t_i+2 - t_i), j_i = 3 (a_i+1 - a_i) / (t_i+3 - t_i); v_peak = max |v_i|; D is the last time minus the
 * first; the integral is the sum of |j_i|^2 (t_i+3 - t_i) / 3. The jerk is that of the position vector,
 * so turns count as well as changes of speed; on a straight line it is the paper's second derivative of
 * speed. Runs at different control rates are not comparable: coarser sampling hides jerk.
 *
 * No unit, (-inf, inf), higher is smoother. Null with fewer than 4 samples, when the end effector never
 * moves, or when the jerk is zero everywhere (the logarithm is undefined). A record at the same simulated
 * time as the one before (a `stop`) is not a sample.
 *
 * Source: Balasubramanian et al. 2015, J. NeuroEng. Rehabil. 12:112; Hogan and Sternad 2009, J. Motor
 * Behavior 41(6).
 */
export class Smoothness extends BaseMetric {
  readonly info: MetricInfo = {
    name: "smoothness",
    summary: "Smoothness of the end-effector path (log dimensionless jerk).",
    unit: "1",
    direction: "higher",
    range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    kind: "mean",
    needs: { state: ["ee_pose", "time_s"] },
  };

  #times: number[] = [];
  #positions: Vec3[] = [];

  reset(): void {
    this.#times = [];
    this.#positions = [];
  }

  update(record: StepRecord): void {
    const time = timeOf(record);
    const before = this.#times.at(-1);
    if (before !== undefined && time <= before) return;
    this.#times.push(time);
    this.#positions.push(endEffectorPosition(record));
  }

  getMetric(): number | null {
    const times = this.#times;
    if (times.length < 4) return null;
    const velocity = derivative(times, this.#positions, 1);
    const jerk = derivative(times, derivative(times, velocity, 2), 3);
    const peak = velocity.reduce((most, v) => Math.max(most, Math.hypot(...v)), 0);
    const squaredJerk = jerk.reduce((sum, j, i) => {
      const span = ((times[i + 3] as number) - (times[i] as number)) / 3;
      return sum + Math.hypot(...j) ** 2 * span;
    }, 0);
    if (peak === 0 || squaredJerk === 0) return null;
    const duration = (times.at(-1) as number) - (times[0] as number);
    return -Math.log((duration ** 3 / peak ** 2) * squaredJerk);
  }
}
