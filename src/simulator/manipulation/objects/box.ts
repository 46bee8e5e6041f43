import type { Shape } from "./shape.js";

export const box: Shape = {
  sizeM: [0.05, 0.05, 0.08],
  massKg: 0.2,
  fault: () => undefined,
  parts: ([x, y, z]) => [
    { type: "box", size: [x / 2, y / 2, z / 2], volumeM3: x * y * z, use: "both" },
  ],
  outline: ([x, y]) => [
    [-x / 2, -y / 2],
    [x / 2, -y / 2],
    [x / 2, y / 2],
    [-x / 2, y / 2],
  ],
};
