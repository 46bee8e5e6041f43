import type { ShownWorld } from "../../../simulator/manipulation/manipulation-simulator.js";
import type { PoseTrack } from "../documents.js";

/** x, y, z, qx, qy, qz, qw */
const NUMBERS = 7;

type Visit = (physics: Pick<ShownWorld["physics"], "bodies" | "bodyPlaces">, step: number) => void;

/**
 * Poses of all bodies at each step, including fixed ones, without the world body.
 *
 * @param play calls its argument at each step, in order
 */
export async function trackOf(
  steps: number,
  play: (visit: Visit) => Promise<void>,
): Promise<PoseTrack> {
  let bodies: readonly string[] = [];
  let numbers = new Float32Array();
  await play((physics, step) => {
    if (step === 0) {
      bodies = physics
        .bodies()
        .slice(1)
        .map(({ name }) => name);
      numbers = new Float32Array(steps * bodies.length * NUMBERS);
    }
    const { positions, rotations } = physics.bodyPlaces();
    for (let i = 0; i < bodies.length; i++) {
      const at = (step * bodies.length + i) * NUMBERS;
      // Index 0 is the world body.
      const position = positions.subarray(3 * (i + 1), 3 * (i + 2));
      const [w = 1, x = 0, y = 0, z = 0] = rotations.subarray(4 * (i + 1), 4 * (i + 2));
      const pose = [...position, x, y, z, w];
      // Diverged physics may give NaN: the body keeps its last pose.
      if (pose.every(Number.isFinite)) numbers.set(pose, at);
      else numbers.copyWithin(at, at - bodies.length * NUMBERS, at - (bodies.length - 1) * NUMBERS);
    }
  });
  return { bodies, steps, poses: base64(numbers) };
}

/** Little-endian on every machine. */
function base64(numbers: Float32Array): string {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [i, value] of numbers.entries()) bytes.writeFloatLE(value, 4 * i);
  return bytes.toString("base64");
}
