import type { WheeledBase } from "./descriptor.js";

/** A named action of a base that drives: metres ahead, or radians to the left. */
export interface BaseMove {
  readonly kind: "straight" | "turn";
  readonly amount: number;
}

/** The named actions of a base, by name. */
export type BaseMoves = ReadonlyMap<string, BaseMove>;

export const FORWARD_STEP_M = 0.25;
export const TURN_ANGLE_DEG = 30;

/** The names are those of navigation; `move_backward` is for a robot that has driven into a corner. */
export function baseMoves(forwardStepM: number, turnAngleDeg: number): BaseMoves {
  const turnRad = (turnAngleDeg * Math.PI) / 180;
  return new Map<string, BaseMove>([
    ["move_forward", { kind: "straight", amount: forwardStepM }],
    ["move_backward", { kind: "straight", amount: -forwardStepM }],
    ["turn_left", { kind: "turn", amount: turnRad }],
    ["turn_right", { kind: "turn", amount: -turnRad }],
  ]);
}

/** Turning rate in place at the wheels' highest speed. */
export function maxTurnRadps({ trackM, wheelMps }: WheeledBase): number {
  return wheelMps / (trackM / 2);
}
