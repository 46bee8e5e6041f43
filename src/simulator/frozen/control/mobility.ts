import { cholesky, forwardSolve, type Matrix, SymmetricSolver } from "./matrix.js";

/** J M^-1 J^T: the inverse of the inertia that is felt at the end effector. Its memory is reused at every physics step. */
export class Mobility {
  readonly #joints: number;
  readonly #factor: Matrix;
  readonly #half: Matrix;
  readonly #matrix = new Float64Array(36);
  readonly #solver = new SymmetricSolver(6);
  readonly #block = new Float64Array(9);
  readonly #part = new Float64Array(3);
  readonly #partSolver = new SymmetricSolver(3);

  /** @param joints how many joints the arm has */
  constructor(joints: number) {
    this.#joints = joints;
    this.#factor = new Float64Array(joints * joints);
    this.#half = new Float64Array(6 * joints);
  }

  update(inertia: Matrix, jacobian: Matrix): void {
    const [n, half, matrix] = [this.#joints, this.#half, this.#matrix];
    if (!cholesky(inertia, n, this.#factor)) {
      // MuJoCo's inertia matrix is positive definite unless the state has diverged.
      matrix.fill(Number.NaN);
      return;
    }
    for (let row = 0; row < 6; row++) {
      for (let i = 0; i < n; i++) half[i * 6 + row] = jacobian[row * n + i] as number;
    }
    forwardSolve(this.#factor, n, half, 6);
    for (let row = 0; row < 6; row++) {
      for (let column = 0; column < 6; column++) {
        let sum = 0;
        for (let i = 0; i < n; i++) {
          sum += (half[i * 6 + row] as number) * (half[i * 6 + column] as number);
        }
        matrix[row * 6 + column] = sum;
      }
    }
  }

  /** Replaces an acceleration of the end effector (x, y, z, rx, ry, rz) by the force and torque that cause it. */
  toWrench(motion: Float64Array): void {
    this.#solver.solve(this.#matrix, motion);
  }

  /** Like `toWrench`, but ignores the coupling of translation and rotation. */
  toUncoupledWrench(motion: Float64Array): void {
    for (const start of [0, 3]) {
      for (let i = 0; i < 3; i++) {
        this.#part[i] = motion[start + i] as number;
        for (let k = 0; k < 3; k++) {
          this.#block[3 * i + k] = this.#matrix[(start + i) * 6 + start + k] as number;
        }
      }
      this.#partSolver.solve(this.#block, this.#part);
      motion.set(this.#part, start);
    }
  }
}
