import { wrapAngle } from "../../../core/math/rotation.js";
import type { BaseMove, BaseMoves } from "../../../robots/base-moves.js";
import type { WheeledBase } from "../../../robots/descriptor.js";
import type { Physics } from "../physics/physics.js";
import { type BaseVelocity, brakingSpeed, ramped, withinWheelSpeed } from "./wheel-speeds.js";

export type BasePose = readonly [x: number, y: number, theta: number];

/** A named action has arrived when this much of the wheels' way remains, in metres. */
const ARRIVED_M = 5e-4;
/** Commanded wheel speeds below this do not show whether the base is blocked, in m/s. */
const SLOW_MPS = 0.02;
/** A base that makes less than this share of its commanded way is blocked. */
const BLOCKED_SHARE = 0.1;
/** Consecutive blocked control steps that end a named action. */
const BLOCKED_STEPS = 5;
/** The brake returns the base to its place with this share of the distance per control step, up to 1 cm/s. */
const BRAKE_SHARE = 0.2;
const BRAKE_MPS = 0.01;
const BRAKE_RADPS = 0.05;
/** Wheels that were pushed further than this slipped: the brake then holds the new place. */
const SLIP_M = 0.02;

const STILL: BaseVelocity = { forwardMps: 0, turnRadps: 0 };

/** A named action that is under way. */
interface Move {
  readonly move: BaseMove;
  readonly from: BasePose;
  /** Whether the robot touched no obstacle at some time since the action began. A robot that leans on one may drive off. */
  wasFree: boolean;
  blockedSteps: number;
}

/**
 * Drives a base with two wheels at velocity level. Wheels accelerate and brake within their limits, slide neither
 * ahead nor sideways while the robot stands, and are stopped by what the robot hits.
 *
 * A named action (0.25 m, 30 degrees) takes several control steps. It ends on arrival, when the robot touches something
 * that cannot move (not the floor), or when the base does not get on.
 */
export class BaseDrive {
  readonly #physics: Physics;
  readonly #base: WheeledBase;
  /** The robot's topmost body. */
  readonly #body: string;
  readonly #moves: BaseMoves;
  readonly #stepS: number;
  #velocity = STILL;
  #wanted = STILL;
  #move: Move | undefined;
  /** Where the brake holds the base. */
  #held: BasePose | undefined;
  #before: BasePose;
  #blocked = false;

  /** @param stepS duration of a control step */
  constructor(physics: Physics, base: WheeledBase, body: string, moves: BaseMoves, stepS: number) {
    this.#physics = physics;
    this.#base = base;
    this.#body = body;
    this.#moves = moves;
    this.#stepS = stepS;
    this.#before = this.#place();
  }

  /** In the world; the rotation in (-pi, pi]. */
  pose(): BasePose {
    const [x, y, yaw] = this.#place();
    return [x, y, wrapAngle(yaw)];
  }

  /** Whether a named action is under way. */
  get inProgress(): boolean {
    return this.#move !== undefined;
  }

  /** Whether something kept the base from moving as commanded in the last control step. */
  get blocked(): boolean {
    return this.#blocked;
  }

  /** Begins a named action; false if it has no such name. One that is under way continues. */
  drive(name: string): boolean {
    if (this.#move) return true;
    const move = this.#moves.get(name);
    if (!move) return false;
    this.#move = { move, from: this.#place(), wasFree: !this.#touches(), blockedSteps: 0 };
    return true;
  }

  /** Sets the velocity to keep; nothing else moves the base. */
  keep(velocity: BaseVelocity): void {
    if (!this.#move) this.#wanted = withinWheelSpeed(velocity, this.#base);
  }

  /** To be called before the physics steps of a control step. */
  beforeStep(): void {
    this.#before = this.#place();
    this.#velocity = this.#move
      ? this.#moveVelocity(this.#move)
      : ramped(this.#velocity, this.#wanted, this.#base, this.#stepS);
    const { forwardMps, turnRadps } = this.#velocity;
    const stands = forwardMps === 0 && turnRadps === 0;
    if (stands) this.#brake();
    else {
      this.#held = undefined;
      this.#command(forwardMps, 0, turnRadps);
    }
  }

  /** To be called after the physics steps of a control step. */
  afterStep(): void {
    this.#blocked = this.#isBlocked();
    const going = this.#move;
    if (!going) return;
    const touches = this.#touches();
    if (!touches) going.wasFree = true;
    going.blockedSteps = this.#blocked ? going.blockedSteps + 1 : 0;
    const hit = touches && going.wasFree;
    this.#blocked ||= hit;
    if (hit || going.blockedSteps >= BLOCKED_STEPS || this.#remainingM(going) <= ARRIVED_M) {
      this.#move = undefined;
      this.#velocity = STILL;
      this.#wanted = STILL;
      this.#command(0, 0, 0);
    }
  }

  /** The joints' values: the rotation counts full turns. */
  #place(): BasePose {
    const [x, y, yaw] = this.#base.joints;
    const physics = this.#physics;
    return [physics.joint(x), physics.joint(y), physics.joint(yaw)];
  }

  #touches(): boolean {
    return this.#physics.touchingObstacle(this.#body);
  }

  #moveVelocity(going: Move): BaseVelocity {
    const { trackM, wheelMps, wheelMps2 } = this.#base;
    const half = trackM / 2;
    const isTurn = going.move.kind === "turn";
    const last = isTurn ? this.#velocity.turnRadps * half : this.#velocity.forwardMps;
    const sign = Math.sign(going.move.amount);
    const speed = Math.min(
      wheelMps,
      Math.max(0, last * sign) + wheelMps2 * this.#stepS,
      brakingSpeed(this.#remainingM(going), this.#base, this.#stepS),
    );
    return isTurn
      ? { forwardMps: 0, turnRadps: (sign * speed) / half }
      : { forwardMps: sign * speed, turnRadps: 0 };
  }

  /** The way that a wheel has still to go. */
  #remainingM({ move, from }: Move): number {
    const sign = Math.sign(move.amount);
    const [x, y, yaw] = this.#place();
    if (move.kind === "turn") {
      return (Math.abs(move.amount) - sign * (yaw - from[2])) * (this.#base.trackM / 2);
    }
    const along = (x - from[0]) * Math.cos(from[2]) + (y - from[1]) * Math.sin(from[2]);
    return Math.abs(move.amount) - sign * along;
  }

  #isBlocked(): boolean {
    const half = this.#base.trackM / 2;
    const commanded =
      Math.abs(this.#velocity.forwardMps) + Math.abs(this.#velocity.turnRadps) * half;
    if (commanded < SLOW_MPS) return false;
    const [x, y, theta] = this.#place();
    const [fromX, fromY, fromTheta] = this.#before;
    const way = Math.hypot(x - fromX, y - fromY) + Math.abs(theta - fromTheta) * half;
    return way < BLOCKED_SHARE * commanded * this.#stepS;
  }

  /** Holds the place against a steady push, under which a velocity servo alone would creep. */
  #brake(): void {
    const [x, y, theta] = this.#place();
    const held = this.#held;
    if (!held || Math.hypot(held[0] - x, held[1] - y) > SLIP_M) {
      this.#held = [x, y, theta];
      this.#command(0, 0, 0);
      return;
    }
    const back = (distance: number, limit: number) =>
      Math.min(limit, Math.max(-limit, (BRAKE_SHARE * distance) / this.#stepS));
    const [dx, dy] = [held[0] - x, held[1] - y];
    const [cos, sin] = [Math.cos(theta), Math.sin(theta)];
    this.#command(
      back(cos * dx + sin * dy, BRAKE_MPS),
      back(cos * dy - sin * dx, BRAKE_MPS),
      back(held[2] - theta, BRAKE_RADPS),
    );
  }

  #command(forwardMps: number, sidewaysMps: number, turnRadps: number): void {
    const [forward, sideways, turn] = this.#base.actuators;
    this.#physics.setControl(forward, forwardMps);
    this.#physics.setControl(sideways, sidewaysMps);
    this.#physics.setControl(turn, turnRadps);
  }
}
