import type { WheeledBase } from "../../../robots/descriptor.js";

/** Speeds of a base: ahead in m/s, and to the left in rad/s. */
export interface BaseVelocity {
  readonly forwardMps: number;
  readonly turnRadps: number;
}

type Limits = Pick<WheeledBase, "trackM" | "wheelMps" | "wheelMps2">;

/** The wanted velocity, slowed down on the same arc so that neither wheel exceeds its speed. */
export function withinWheelSpeed(
  { forwardMps, turnRadps }: BaseVelocity,
  limits: Limits,
): BaseVelocity {
  const fastest = Math.abs(forwardMps) + Math.abs(turnRadps) * (limits.trackM / 2);
  const share = fastest > limits.wheelMps ? limits.wheelMps / fastest : 1;
  return { forwardMps: forwardMps * share, turnRadps: turnRadps * share };
}

/** The velocity after `seconds` on the way from `from` to `to`, with each wheel's acceleration limited. */
export function ramped(
  from: BaseVelocity,
  to: BaseVelocity,
  { trackM, wheelMps2 }: Limits,
  seconds: number,
): BaseVelocity {
  const half = trackM / 2;
  const wheel = (side: 1 | -1) => {
    const speed = (v: BaseVelocity) => v.forwardMps + side * v.turnRadps * half;
    const now = speed(from);
    const wanted = speed(to);
    const change = wheelMps2 * seconds;
    return Math.min(now + change, Math.max(now - change, wanted));
  };
  const [right, left] = [wheel(1), wheel(-1)];
  return { forwardMps: (right + left) / 2, turnRadps: (right - left) / (2 * half) };
}

/**
 * The highest speed at which a wheel still comes to rest within `remainingM` of its way if it keeps the speed for
 * `seconds` and then brakes.
 */
export function brakingSpeed(remainingM: number, { wheelMps2 }: Limits, seconds: number): number {
  if (remainingM <= 0) return 0;
  return wheelMps2 * (Math.sqrt(seconds ** 2 + (2 * remainingM) / wheelMps2) - seconds);
}
