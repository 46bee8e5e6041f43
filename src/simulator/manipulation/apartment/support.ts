import type { SceneModel } from "../../scenes/model.js";
import { toScene } from "../visual/axes.js";

/** Objects above this are out of reach, so nothing is placed there without its height. */
const HIGHEST_M = 1.4;
/** MuJoCo may compute a deep overlap for a hull that is touched exactly. */
const GAP_M = 1e-3;

/**
 * Height on which an object stands at a place whose height an episode leaves open: the highest surface that faces up,
 * below lamps and wall cabinets.
 */
export function supportHeightM(model: SceneModel, [x, y]: readonly [number, number]): number {
  const [px, , pz] = toScene([x, y, 0]);
  let highest = 0;
  for (const { mesh, solid } of model.parts) {
    if (solid === false) continue;
    const { positions: p, indices } = mesh;
    for (let t = 0; t + 2 < indices.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => 3 * (indices[t + k] as number)) as [
        number,
        number,
        number,
      ];
      const at = (i: number) => p[i] as number;
      // Twice the signed areas of the triangles with the point, from above; of a surface that faces up, all negative.
      const side = (i: number, j: number) =>
        (at(j) - at(i)) * (pz - at(i + 2)) - (at(j + 2) - at(i + 2)) * (px - at(i));
      const [ab, bc, ca] = [side(a, b), side(b, c), side(c, a)];
      const whole = ab + bc + ca;
      if (whole > -1e-9 || ab > 0 || bc > 0 || ca > 0) continue;
      const height = (ab * at(c + 1) + bc * at(a + 1) + ca * at(b + 1)) / whole;
      if (height > highest && height <= HIGHEST_M) highest = height;
    }
  }
  return highest + GAP_M;
}
