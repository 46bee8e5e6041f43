/** One step of inverse kinematics, with the task linearised. */
export interface StepProblem {
  /** rows x count, row-major. */
  readonly jacobian: Float64Array;
  /** Remaining task error, one value per row. */
  readonly error: readonly number[];
  /** Added to the diagonal of J J^T; above 0. */
  readonly damping: number;
  /** The preferred step of each degree of freedom, followed in the null space of the task. */
  readonly preferred: readonly number[];
  /** Lowest and highest allowed step of each degree of freedom. */
  readonly bounds: readonly (readonly [low: number, high: number])[];
}

/**
 * Damped least squares (Wampler 1986; Nakamura and Hanafusa 1986) with a preferred step in the null space:
 *   step = preferred + J^T (J J^T + damping I)^-1 (error - J preferred)
 * A degree of freedom that would leave its bounds is fixed at the bound, and the others are solved again.
 */
export function dampedStep(problem: StepProblem): number[] {
  const { jacobian, error, damping, preferred, bounds } = problem;
  const rows = error.length;
  const count = preferred.length;
  const at = (row: number, dof: number) => jacobian[row * count + dof] as number;
  const step = preferred.slice();
  const free = new Array<boolean>(count).fill(true);
  for (let round = 0; round <= count; round++) {
    const rest = error.slice();
    const square = new Float64Array(rows * rows);
    for (let i = 0; i < rows; i++) {
      for (let dof = 0; dof < count; dof++) {
        const planned = free[dof] ? (preferred[dof] as number) : (step[dof] as number);
        rest[i] = (rest[i] as number) - at(i, dof) * planned;
      }
      for (let j = 0; j <= i; j++) {
        let sum = i === j ? damping : 0;
        for (let dof = 0; dof < count; dof++) if (free[dof]) sum += at(i, dof) * at(j, dof);
        square[i * rows + j] = sum;
      }
    }
    const weights = solveCholesky(square, rest);
    let clamped = false;
    for (let dof = 0; dof < count; dof++) {
      if (!free[dof]) continue;
      let value = preferred[dof] as number;
      for (let i = 0; i < rows; i++) value += at(i, dof) * (weights[i] as number);
      const [low, high] = bounds[dof] ?? [-Infinity, Infinity];
      step[dof] = Math.min(high, Math.max(low, value));
      if (step[dof] !== value) {
        free[dof] = false;
        clamped = true;
      }
    }
    if (!clamped) break;
  }
  return step;
}

/** Solves A x = b for a positive definite A. Only its lower half is read; it is overwritten. */
function solveCholesky(a: Float64Array, b: readonly number[]): number[] {
  const n = b.length;
  const x = b.slice();
  const at = (i: number, j: number) => a[i * n + j] as number;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = at(i, j);
      for (let k = 0; k < j; k++) sum -= at(i, k) * at(j, k);
      a[i * n + j] = i === j ? Math.sqrt(Math.max(sum, 1e-300)) : sum / at(j, j);
    }
  }
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] = (x[i] as number) - at(i, k) * (x[k] as number);
    x[i] = (x[i] as number) / at(i, i);
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] = (x[i] as number) - at(k, i) * (x[k] as number);
    x[i] = (x[i] as number) / at(i, i);
  }
  return x;
}
