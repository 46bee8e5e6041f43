/** One step of degrees of freedom towards a task, from a linear picture of it. */
export interface StepProblem {
  /** rows x count, row by row. */
  readonly jacobian: Float64Array;
  /** What the task is away by, a number each row. */
  readonly error: readonly number[];
  /** Added to the diagonal of J J^T; above 0. */
  readonly damping: number;
  /** Where each degree would go if the task did not mind. */
  readonly pull: readonly number[];
  /** How far each degree may go down and up. */
  readonly room: readonly (readonly [low: number, high: number])[];
}

/**
 * Damped least squares (Wampler 1986; Nakamura and Hanafusa 1986) with the pull in the task's null space:
 *   step = pull + J^T (J J^T + damping I)^-1 (error - J pull)
 * A degree that would leave its room goes to the end of it, and the others make up for what it leaves undone.
 */
export function dampedStep({ jacobian, error, damping, pull, room }: StepProblem): number[] {
  const rows = error.length;
  const count = pull.length;
  const at = (row: number, dof: number) => jacobian[row * count + dof] as number;
  const step = pull.slice();
  const free = new Array<boolean>(count).fill(true);
  for (let round = 0; round <= count; round++) {
    const rest = error.slice();
    const square = new Float64Array(rows * rows);
    for (let i = 0; i < rows; i++) {
      for (let dof = 0; dof < count; dof++) {
        const planned = free[dof] ? (pull[dof] as number) : (step[dof] as number);
        rest[i] = (rest[i] as number) - at(i, dof) * planned;
      }
      for (let j = 0; j <= i; j++) {
        let sum = i === j ? damping : 0;
        for (let dof = 0; dof < count; dof++) if (free[dof]) sum += at(i, dof) * at(j, dof);
        square[i * rows + j] = sum;
      }
    }
    const weights = solveCholesky(square, rest);
    let left = false;
    for (let dof = 0; dof < count; dof++) {
      if (!free[dof]) continue;
      let value = pull[dof] as number;
      for (let i = 0; i < rows; i++) value += at(i, dof) * (weights[i] as number);
      const [low, high] = room[dof] ?? [-Infinity, Infinity];
      step[dof] = Math.min(high, Math.max(low, value));
      if (step[dof] !== value) {
        free[dof] = false;
        left = true;
      }
    }
    if (!left) break;
  }
  return step;
}

/** Solves A x = b for a positive definite A, of which the lower half is given (and used up). */
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
