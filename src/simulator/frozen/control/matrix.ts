/** Small matrices: row by row in one array. */
export type Matrix = Float64Array;

/** Writes the Cholesky factor L of a symmetric matrix into `l`. False if it is not positive definite to working precision. */
export function cholesky(a: Matrix, n: number, l: Matrix): boolean {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * n + j] as number;
      for (let k = 0; k < j; k++) sum -= (l[i * n + k] as number) * (l[j * n + k] as number);
      if (i !== j) l[i * n + j] = sum / (l[j * n + j] as number);
      else if (sum > 1e-14 * (a[i * n + i] as number)) l[i * n + i] = Math.sqrt(sum);
      else return false;
    }
  }
  return true;
}

/** Solves L y = b in place for each of `columns` right sides, which are columns of b. */
export function forwardSolve(l: Matrix, n: number, b: Matrix, columns: number): void {
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < columns; c++) {
      let sum = b[i * columns + c] as number;
      for (let k = 0; k < i; k++) sum -= (l[i * n + k] as number) * (b[k * columns + c] as number);
      b[i * columns + c] = sum / (l[i * n + i] as number);
    }
  }
}

/** Writes the product of a matrix and a vector into `out`. */
export function product(matrix: Matrix, vector: Float64Array, out: Float64Array): void {
  const [rows, columns] = [out.length, vector.length];
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    for (let i = 0; i < columns; i++) {
      sum += (matrix[row * columns + i] as number) * (vector[i] as number);
    }
    out[row] = sum;
  }
}

/** Solves a x = b for symmetric matrices of one size, in reused memory. */
export class SymmetricSolver {
  readonly #n: number;
  readonly #factor: Matrix;

  constructor(n: number) {
    this.#n = n;
    this.#factor = new Float64Array(n * n);
  }

  /** Replaces b by x. Where the matrix is singular, by the shortest x of least squares. */
  solve(a: Matrix, b: Float64Array): void {
    const [n, l] = [this.#n, this.#factor];
    if (!cholesky(a, n, l)) {
      b.set(leastSquares(a, n, b));
      return;
    }
    forwardSolve(l, n, b, 1);
    for (let i = n - 1; i >= 0; i--) {
      let sum = b[i] as number;
      for (let k = i + 1; k < n; k++) sum -= (l[k * n + i] as number) * (b[k] as number);
      b[i] = sum / (l[i * n + i] as number);
    }
  }
}

/** Singular values below this share of the largest one count as zero, as in `numpy.linalg.pinv`. */
const RCOND = 1e-15;
const MAX_SWEEPS = 50;

/** Solves by the eigenvectors, found with Jacobi's rotations (Golub and Van Loan, section 8.5). */
function leastSquares(a: Matrix, n: number, b: ArrayLike<number>): Float64Array {
  const d = Float64Array.from(a);
  const v = new Float64Array(n * n);
  for (let i = 0; i < n; i++) v[i * n + i] = 1;
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let rotated = false;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) rotated = rotate(d, v, n, p, q) || rotated;
    }
    if (!rotated) break;
  }
  const values = Array.from({ length: n }, (_, i) => d[i * n + i] as number);
  const cutOff = RCOND * Math.max(...values.map(Math.abs));
  const x = new Float64Array(n);
  for (const [i, value] of values.entries()) {
    if (Math.abs(value) <= cutOff) continue;
    let along = 0;
    for (let k = 0; k < n; k++) along += (v[k * n + i] as number) * (b[k] as number);
    for (let k = 0; k < n; k++)
      x[k] = (x[k] as number) + ((v[k * n + i] as number) * along) / value;
  }
  return x;
}

/** Zeroes one pair of elements off the diagonal. False if it is zero already. */
function rotate(d: Matrix, v: Matrix, n: number, p: number, q: number): boolean {
  const off = d[p * n + q] as number;
  const [dp, dq] = [d[p * n + p] as number, d[q * n + q] as number];
  if (Math.abs(off) <= 1e-18 * (Math.abs(dp) + Math.abs(dq))) return false;
  const theta = (dq - dp) / (2 * off);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  const turn = (m: Matrix, i: number, j: number) => {
    const [x, y] = [m[i] as number, m[j] as number];
    m[i] = c * x - s * y;
    m[j] = s * x + c * y;
  };
  for (let k = 0; k < n; k++) turn(d, k * n + p, k * n + q);
  for (let k = 0; k < n; k++) turn(d, p * n + k, q * n + k);
  for (let k = 0; k < n; k++) turn(v, k * n + p, k * n + q);
  return true;
}
