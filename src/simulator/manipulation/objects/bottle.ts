import { revolve } from "./revolve.js";
import { cylinderVolume, ring, roundFault, type Shape } from "./shape.js";

/** Heights at which shoulder, neck and cap begin, as shares of the whole height. */
const SHOULDER = 0.6;
const NECK = 0.78;
const CAP = 0.88;
/** Shares of the body's radius. */
const NECK_RADIUS = 0.4;
const CAP_RADIUS = 0.5;
const SEGMENTS = 24;

/** A cylindrical body, a conical shoulder, a neck and a cap. */
export const bottle: Shape = {
  sizeM: [0.06, 0.06, 0.18],
  massKg: 0.3,
  fault: roundFault,
  parts: ([d, , h]) => {
    const r = d / 2;
    const at = (share: number) => (share - 0.5) * h;
    const upright = (radius: number, from: number, to: number) => ({
      type: "cylinder" as const,
      size: [radius, ((to - from) * h) / 2],
      position: [0, 0, at((from + to) / 2)] as const,
      volumeM3: cylinderVolume(radius, (to - from) * h),
      use: "both" as const,
    });
    const shoulder = revolve(
      [
        [0, at(SHOULDER)],
        [r, at(SHOULDER)],
        [NECK_RADIUS * r, at(NECK)],
        [0, at(NECK)],
      ],
      SEGMENTS,
    );
    const cone = (1 + NECK_RADIUS + NECK_RADIUS * NECK_RADIUS) / 3;
    return [
      upright(r, 0, SHOULDER),
      {
        type: "mesh",
        mesh: shoulder,
        volumeM3: cylinderVolume(r, (NECK - SHOULDER) * h) * cone,
        use: "both",
      },
      upright(NECK_RADIUS * r, NECK, CAP),
      { ...upright(CAP_RADIUS * r, CAP, 1), shade: 0.55 },
    ];
  },
  outline: (size) => ring(24, size),
};
