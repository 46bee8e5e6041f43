import { cylinderVolume, ring, roundFault, type Shape } from "./shape.js";

/** Of the radius: the foot's, and its height. */
const FOOT_RADIUS = 0.85;
const FOOT_HEIGHT = 0.5;
/** Metres by which the round end is above the ground: the foot alone carries. */
const LIFT_M = 0.001;

/** A pill on a flat foot, without which it could not stand. */
export const capsule: Shape = {
  sizeM: [0.05, 0.05, 0.12],
  massKg: 0.15,
  fault: (size) =>
    roundFault(size) ??
    (size[2] > size[0] + LIFT_M
      ? undefined
      : "it stands upright: its height must exceed its width"),
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
