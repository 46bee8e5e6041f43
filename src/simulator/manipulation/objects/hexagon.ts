import type { Vec3 } from "../../../core/math/vec3.js";
import { ring, type Shape } from "./shape.js";

/** A hexagonal prism with two corners on the x axis; regular only if its size is. */
export const hexagon: Shape = {
  sizeM: [0.06, 0.052, 0.09],
  massKg: 0.2,
  fault: () => undefined,
  parts: (size) => {
    const [x, y, z] = size;
    return [
      {
        type: "mesh",
        mesh: {
          vertices: corners(size).flatMap(([cx, cy]): Vec3[] => [
            [cx, cy, -z / 2],
            [cx, cy, z / 2],
          ]),
        },
        volumeM3: 0.75 * x * y * z,
        use: "both",
      },
    ];
  },
  outline: corners,
};

/** Corners at 60 degrees reach sin 60 of the half width, so y is stretched to fill the box. */
function corners([x, y, z]: Vec3): [x: number, y: number][] {
  return ring(6, [x, (2 * y) / Math.sqrt(3), z]);
}
