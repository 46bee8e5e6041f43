import type { ManipulationView, Pose3 } from "../../core/interfaces/manipulation-view.js";
import { JointPath } from "./joint-path.js";
import { line } from "./pose.js";

/** Yields an action a control step and is resumed when that step has been made; returns how it went. */
export type Script<T> = Generator<readonly number[], T, void>;

export interface MoveOptions {
  /** Share of the speed limits; near things it goes slowly. */
  readonly pace?: number;
  /** Ends the move early. Asked after every step. */
  readonly until?: () => boolean;
}

/** Metres between the points that a straight move is solved at. */
const LINE_STEP_M = 0.025;
/** A solution that is farther than this from the one before is another branch: seconds at full speed. */
const JUMP_S = 1;
/** The same where the anchored go back at once: the base alone may need two seconds for that. */
const BRANCH_S = 3;
/** Times that a pose is solved again to keep the anchored still, and seconds at full speed that are still enough. */
const ANCHOR_ROUNDS = 5;
const ANCHORED_S = 0.08;
/** Steps that the joints have to catch up with the last command. */
const SETTLE_STEPS = 20;
/** Seconds at full speed that the joints may be from the command to count as there. */
const SETTLED_S = 0.02;

/** Moves the robot through its action vector, and remembers what was commanded last. */
export class Driver {
  readonly view: ManipulationView;
  /** What it is doing, for people who look on. */
  phase = "start";
  /** Degrees of freedom, by index, that should stay where this says if they can. */
  anchored: ReadonlyMap<number, number> = new Map();
  readonly #speeds: readonly number[];
  readonly #stepS: number;
  #command: readonly number[];

  constructor(view: ManipulationView, speedLimits: readonly number[], stepS: number) {
    this.view = view;
    this.#speeds = speedLimits;
    this.#stepS = stepS;
    this.#command = view.joints();
  }

  get command(): readonly number[] {
    return this.#command;
  }

  /** The gripper is as open as it goes. */
  isOpen(): boolean {
    const { gripper, gripperDof, joints } = this.view;
    const at = joints()[gripperDof] as number;
    return (at - gripper.closed) / (gripper.open - gripper.closed) > 0.95;
  }

  /**
   * Joints for a pose, near to `from`, with the anchored degrees of freedom as near to where they are anchored
   * as the pose lets them: solved again and again from there, what they have to give halves every time.
   */
  solvePose(pose: Pose3, from: readonly number[]): readonly number[] | undefined {
    let solved = this.view.solveIk(pose, { from });
    for (let i = 0; solved && i < ANCHOR_ROUNDS; i++) {
      const back = solved.map((value, k) => this.anchored.get(k) ?? value);
      if (this.#seconds(back, solved) < ANCHORED_S) break;
      const nearer = this.view.solveIk(pose, { from: back });
      // A leap to another branch is no step nearer.
      if (!nearer || this.#seconds(nearer, solved) > BRANCH_S) break;
      solved = nearer;
    }
    return solved;
  }

  /** Joint vectors that lead the end effector through poses, from where the last command left it. */
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

  /** Straight in space where that can be done. */
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

  /** Straight to a pose, or through joint space where no straight line leads; false when out of reach. */
  *moveTo(to: Pose3, options: MoveOptions = {}): Script<boolean> {
    const points = this.solveLine(this.view.endEffector(), to) ?? this.solve([to]);
    if (!points) return false;
    yield* this.follow(points, options);
    return true;
  }

  /** Opens (1) or closes (0) the gripper, and gives it so many steps to do it. */
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
