import type { GripperView, Pose3 } from "../../core/interfaces/manipulation-view.js";
import { JointPath } from "./joint-path.js";
import { line } from "./pose.js";

/** Yields one action per control step and returns its result. Resumed after each step. */
export type Script<T> = Generator<readonly number[], T, void>;

export interface MoveOptions {
  /** Share of the speed limits; low values near objects. */
  readonly pace?: number;
  /** Ends the move early if true. Called after every step. */
  readonly until?: () => boolean;
}

/** Metres between the poses at which a straight move is solved. */
const LINE_STEP_M = 0.025;
/** A solution farther from the previous one than this is another IK branch, in seconds at full speed. */
const JUMP_S = 1;
/** The same limit while anchored joints return to their positions; the base alone may need two seconds. */
const BRANCH_S = 3;
/**
 * How often a pose is solved again to keep the anchored joints still, and the remaining motion that is small enough,
 * in seconds at full speed.
 */
const ANCHOR_ROUNDS = 5;
const ANCHORED_S = 0.08;
/** Steps for the joints to reach the last command. */
const SETTLE_STEPS = 20;
/** Joints count as arrived within this distance of the command, in seconds at full speed. */
const SETTLED_S = 0.02;

/** Moves the robot through its action vector and keeps the last command. */
export class Driver {
  readonly view: GripperView;
  /** Name of the current phase, shown to the user. */
  phase = "start";
  /** Moves degrees of freedom that should stay still back to their places; the others keep their values. */
  anchor: (joints: readonly number[]) => readonly number[] = (joints) => joints;
  readonly #speeds: readonly number[];
  readonly #stepS: number;
  #command: readonly number[];

  constructor(view: GripperView, speedLimits: readonly number[], stepS: number) {
    this.view = view;
    this.#speeds = speedLimits;
    this.#stepS = stepS;
    this.#command = view.joints();
  }

  get command(): readonly number[] {
    return this.#command;
  }

  /** True if the gripper is fully open. */
  isOpen(): boolean {
    const { gripper, gripperDof, joints } = this.view;
    const at = joints()[gripperDof] as number;
    return (at - gripper.closed) / (gripper.open - gripper.closed) > 0.95;
  }

  /**
   * Solves the joints for a pose near `from`, with the anchored degrees of freedom as close to their places as the
   * pose allows. Each solution starts from the anchored values, which halves the remaining motion.
   */
  solvePose(pose: Pose3, from: readonly number[]): readonly number[] | undefined {
    let solved = this.view.solveIk(pose, { from });
    for (let i = 0; solved && i < ANCHOR_ROUNDS; i++) {
      const back = this.anchor(solved);
      if (this.#seconds(back, solved) < ANCHORED_S) break;
      const nearer = this.view.solveIk(pose, { from: back });
      // A jump to another IK branch is not an improvement.
      if (!nearer || this.#seconds(nearer, solved) > BRANCH_S) break;
      solved = nearer;
    }
    return solved;
  }

  /** Solves the joints that move the end effector through poses, starting from the last command. */
  solve(poses: readonly Pose3[], from: readonly number[] = this.#command): number[][] | undefined {
    const points: number[][] = [];
    let last = from;
    for (const pose of poses) {
      const solved = this.solvePose(pose, last);
      if (!solved) return undefined;
      if (points.length > 0 && this.#seconds(last, solved) > JUMP_S) return undefined;
      points.push([...solved]);
      last = solved;
    }
    return points;
  }

  /** Solves a straight line in space; undefined if that is impossible. */
  solveLine(from: Pose3, to: Pose3, start?: readonly number[]): number[][] | undefined {
    return this.solve(line(from, to, LINE_STEP_M), start);
  }

  *follow(points: readonly (readonly number[])[], options: MoveOptions = {}): Script<boolean> {
    const { gripperDof } = this.view;
    const gripper = this.#command[gripperDof] as number;
    const way = [this.#command, ...points].map((point) => {
      return point.map((value, i) => (i === gripperDof ? gripper : value));
    });
    const path = new JointPath(way, this.#speeds, options.pace);
    for (let t = this.#stepS; t < path.durationS + this.#stepS; t += this.#stepS) {
      if (options.until?.()) return true;
      yield* this.#send(path.at(t));
    }
    for (let i = 0; i < SETTLE_STEPS && !this.#settled(); i++) {
      if (options.until?.()) return true;
      yield* this.#send(this.#command);
    }
    return options.until?.() ?? true;
  }

  /**
   * Moves straight to a pose, or through joint space if no straight line can be solved; false if the pose is out of
   * reach.
   */
  *moveTo(to: Pose3, options: MoveOptions = {}): Script<boolean> {
    const points = this.solveLine(this.view.endEffector(), to) ?? this.solve([to]);
    if (!points) return false;
    yield* this.follow(points, options);
    return true;
  }

  /** Opens (1) or closes (0) the gripper and waits for `steps` steps. */
  *grip(openness: number, steps: number): Script<void> {
    const { gripperDof, gripper } = this.view;
    const from = this.#command[gripperDof] as number;
    const to = gripper.closed + openness * (gripper.open - gripper.closed);
    const ramp = Math.ceil(steps / 2);
    for (let i = 1; i <= steps; i++) {
      const value = from + (to - from) * Math.min(1, i / ramp);
      yield* this.#send(this.#command.map((old, k) => (k === gripperDof ? value : old)));
    }
  }

  *hold(steps: number): Script<void> {
    for (let i = 0; i < steps; i++) yield* this.#send(this.#command);
  }

  *#send(command: readonly number[]): Script<void> {
    this.#command = command;
    yield command;
  }

  #settled(): boolean {
    return this.#seconds(this.view.joints(), this.#command) < SETTLED_S;
  }

  #seconds(a: readonly number[], b: readonly number[]): number {
    return a.reduce((most, value, i) => {
      if (i === this.view.gripperDof) return most;
      return Math.max(most, Math.abs(value - (b[i] ?? value)) / (this.#speeds[i] ?? 1));
    }, 0);
  }
}
