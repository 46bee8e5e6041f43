import { cylinderVolume, ring, roundFault, type Shape } from "./shape.js";

/** A can. */
export const cylinder: Shape = {
  sizeM: [0.055, 0.055, 0.1],
  massKg: 0.25,
  fault: roundFault,
  parts: ([d, , h]) => [
    {
      type: "cylinder",
      size: [d / 2, h / 2],
      volumeM3: cylinderVolume(d / 2, h),
      use: "both",
    },
  ],
  outline: (size) => ring(24, size),
};
