import type { IkOptions, Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { Random } from "../../../core/math/random.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import type { Physics } from "../physics/physics.js";
import type { Scratch } from "../physics/scratch.js";
import { dampedStep } from "./damped-step.js";
import { DofJoints, dofPositions, modelOf } from "./dofs.js";
import { type PoseError, poseError } from "./pose-error.js";

/** Default tolerance within which a pose counts as reached. */
const TOLERANCE = { m: 0.005, rad: 0.02 };
/** The descent stops here: finer than any caller's tolerance, coarser than rounding errors. */
const AIM = { m: 1e-6, rad: 1e-5 };
/** Random starts within the limits, tried after `from` and the home pose. */
const RANDOM_STARTS = 24;
const STEPS = 80;
/** A start is abandoned after this many steps without reducing the error by a tenth. */
const MAX_STALLED_STEPS = 15;
/** Largest step of a degree of freedom (metres or radians) for which the linearisation holds. */
const MAX_STEP = 0.4;
/** Share of the difference to `from` that one step removes in the null space. */
const RETURN_SHARE = 0.5;

/**
 * Inverse kinematics: degrees of freedom within their limits that bring the end effector to a pose, as close to
 * `from` (default: the current ones) as possible; undefined if none was found. The gripper's value is that of
 * `from`. Collisions are ignored. Deterministic, and without effect on the simulation.
 *
 * Levenberg-Marquardt with the error as damping (Sugihara 2011, "Solvability-unconcerned inverse kinematics"),
 * followed by a null-space descent towards `from`.
 */
export function solveIk(
  physics: Physics,
  robot: RobotDescriptor,
  target: Pose3,
  options: IkOptions = {},
): readonly number[] | undefined {
  const from = options.from ?? dofPositions(physics, robot);
  const search = new Search(physics.scratch(), robot, target, options, from);
  for (const start of search.starts()) {
    const found = search.descend(start);
    if (!found) continue;
    const solution = from.slice();
    for (const [i, dof] of search.arm.entries()) solution[dof] = found[i] as number;
    return solution;
  }
  return undefined;
}

class Search {
  /** All degrees of freedom but the gripper's. */
  readonly arm: readonly number[];
  readonly #scratch: Scratch;
  readonly #joints: DofJoints;
  readonly #site: string;
  readonly #limits: readonly (readonly [number, number])[];
  readonly #home: readonly number[];
  readonly #from: readonly number[];
  readonly #target: Pose3;
  readonly #options: IkOptions;

  constructor(
    scratch: Scratch,
    robot: RobotDescriptor,
    target: Pose3,
    options: IkOptions,
    from: readonly number[],
  ) {
    const model = modelOf(robot);
    this.#scratch = scratch;
    this.#target = target;
    this.#options = options;
    this.#site = model.endEffectorSite;
    this.arm = [...robot.dofs.keys()].filter((dof) => dof !== robot.gripperDof);
    this.#joints = new DofJoints(robot, this.arm);
    this.#limits = this.arm.map((dof) => robot.dofs[dof]?.limits ?? [-Infinity, Infinity]);
    const within = (values: readonly number[]) =>
      this.#limits.map(([low, high], i) =>
        Math.min(high, Math.max(low, values[this.arm[i] as number] ?? 0)),
      );
    this.#from = within(from);
    this.#home = within(model.home);
  }

  *starts(): Generator<readonly number[]> {
    yield this.#from;
    yield this.#home;
    const random = new Random(1);
    for (let guess = 0; guess < RANDOM_STARTS; guess++) {
      yield this.#limits.map(([low, high], i) =>
        Number.isFinite(high - low)
          ? low + (high - low) * random.uniform()
          : (this.#from[i] as number),
      );
    }
  }

  descend(start: readonly number[]): readonly number[] | undefined {
    let values = start;
    let error = this.#errorAt(values);
    let best = values;
    let bestError = error;
    let stepsLeft = MAX_STALLED_STEPS;
    for (let step = 0; step < STEPS && stepsLeft > 0 && !reached(error, AIM); step++) {
      values = this.#step(values, error, 0);
      error = this.#errorAt(values);
      stepsLeft = error.squared < 0.81 * bestError.squared ? MAX_STALLED_STEPS : stepsLeft - 1;
      if (error.squared >= bestError.squared) continue;
      best = values;
      bestError = error;
    }
    const { toleranceM: m = TOLERANCE.m, toleranceRad: rad = TOLERANCE.rad } = this.#options;
    return reached(bestError, { m, rad }) ? this.#nearer(best, bestError) : undefined;
  }

  /** Moves a solution towards `from`; steps with a larger pose error than the solution's are not kept. */
  #nearer(solution: readonly number[], error: PoseError): readonly number[] {
    let values = solution;
    let best = solution;
    let current = error;
    const good = { m: Math.max(error.moveM, AIM.m), rad: Math.max(error.turnRad, AIM.rad) };
    let shortest = this.#distance(solution);
    for (let step = 0; step < STEPS; step++) {
      const next = this.#step(values, current, RETURN_SHARE);
      const moved = Math.max(...next.map((x, i) => Math.abs(x - (values[i] as number))));
      values = next;
      current = this.#errorAt(values);
      const distance = this.#distance(values);
      if (distance < shortest && reached(current, good)) {
        best = values;
        shortest = distance;
      }
      if (moved < 1e-5) break;
    }
    return best;
  }

  #distance(values: readonly number[]): number {
    return Math.hypot(...values.map((x, i) => x - (this.#from[i] as number)));
  }

  #errorAt(values: readonly number[]): PoseError {
    this.#scratch.setJoints(this.#joints.names, this.#joints.positions(values));
    return poseError(this.#scratch.site(this.#site), this.#target, this.#options.axis ?? "all");
  }

  /** The scratch data must be at `values`, as `#errorAt` leaves it. */
  #step(values: readonly number[], error: PoseError, returnShare: number): readonly number[] {
    const jacobian = this.#joints.jacobian(this.#scratch.jacobian(this.#site, this.#joints.names));
    const step = dampedStep({
      jacobian: error.project(jacobian, this.arm.length),
      error: error.rows,
      damping: 1e-9 + error.squared / 10,
      preferred: values.map((x, i) => returnShare * ((this.#from[i] as number) - x)),
      bounds: this.#limits.map(([low, high], i) => {
        const value = values[i] as number;
        return [Math.max(low - value, -MAX_STEP), Math.min(high - value, MAX_STEP)];
      }),
    });
    return values.map((x, i) => x + (step[i] as number));
  }
}

function reached(
  { moveM, turnRad }: PoseError,
  { m, rad }: { readonly m: number; readonly rad: number },
): boolean {
  return moveM <= m && turnRad <= rad;
}
