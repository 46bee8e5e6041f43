import { cylinderVolume, ring, roundFault, type Shape } from "./shape.js";

/** Radius and height of the foot, as shares of the radius. */
const FOOT_RADIUS = 0.85;
const FOOT_HEIGHT = 0.5;
/** Gap between the round end and the ground, so that only the foot carries the weight. */
const LIFT_M = 0.001;

/** A capsule on a flat foot, without which it could not stand. */
export const capsule: Shape = {
  sizeM: [0.05, 0.05, 0.12],
  massKg: 0.15,
  fault: (size) =>
    roundFault(size) ??
    (size[2] > size[0] + LIFT_M
      ? undefined
      : "a capsule stands upright: its height must exceed its width"),
  parts: ([d, , h]) => {
    const r = d / 2;
    const straight = h - LIFT_M - d;
    const foot = { radius: FOOT_RADIUS * r, height: FOOT_HEIGHT * r };
    return [
      {
        type: "capsule",
        size: [r, straight / 2],
        position: [0, 0, LIFT_M / 2],
        volumeM3: cylinderVolume(r, straight + (4 / 3) * r),
        use: "both",
      },
      {
        type: "cylinder",
        size: [foot.radius, foot.height / 2],
        position: [0, 0, (foot.height - h) / 2],
        volumeM3: cylinderVolume(foot.radius, foot.height) / 2,
        use: "both",
        shade: 0.7,
      },
    ];
  },
  outline: (size) => ring(24, size),
};
