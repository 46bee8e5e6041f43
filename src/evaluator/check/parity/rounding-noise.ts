import { Random } from "../../../core/math/random.js";
import type { StateNoise } from "../../../simulator/manipulation/physics/physics.js";

/**
 * About nine times the rounding error of a number of size 1. Two builds of MuJoCo differ by 1e-16 in a position and up to 5e-14 in a
 * velocity after one physics step from equal states.
 */
const SIZE = 1e-15;

/** Changes the state at every physics step by what two builds of an engine may differ in: their rounding errors. */
export function roundingNoise(seed: number): StateNoise {
  const random = new Random(seed);
  const disturb = (values: Float64Array) => {
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as number;
      // Poses in the world are sums of numbers of size 1, whatever the size of this one.
      values[i] = value + SIZE * Math.max(1, Math.abs(value)) * (2 * random.uniform() - 1);
    }
  };
  return (qpos, qvel) => {
    disturb(qpos);
    disturb(qvel);
  };
}
