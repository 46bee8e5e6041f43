import { revolve } from "./revolve.js";
import { cylinderVolume, ring, roundFault, type Shape, type ShapePart } from "./shape.js";

/** Number of boxes that form the collision shape of the wall. */
const PIECES = 12;
/** Thickness of the wall, as a share of the radius. */
const WALL = 0.12;
/** Thickness of the bottom, as a share of the height. */
const BOTTOM = 0.08;
/** Gap between the wall and the ground, so that the cup stands on its foot alone. */
const FOOT_M = 0.001;
const SEGMENTS = 32;

/**
 * A tumbler. It is hollow, so that objects can be put into it. Its collision shape is a ring of boxes whose corners are
 * on the circle; its visual shape is round.
 */
export const cup: Shape = {
  sizeM: [0.065, 0.065, 0.09],
  massKg: 0.15,
  fault: roundFault,
  parts: ([d, , h]) => {
    const r = d / 2;
    const wall = WALL * r;
    const bottom = BOTTOM * h;
    const outerFace = r * Math.cos(Math.PI / PIECES);
    const halfLength = r * Math.sin(Math.PI / PIECES);
    const pieces = Array.from({ length: PIECES }, (_, i): ShapePart => {
      const angle = (2 * Math.PI * (i + 0.5)) / PIECES;
      const radius = outerFace - wall / 2;
      return {
        type: "box",
        size: [wall / 2, halfLength, (h - FOOT_M) / 2],
        position: [radius * Math.cos(angle), radius * Math.sin(angle), FOOT_M / 2],
        yawRad: angle,
        volumeM3: wall * 2 * halfLength * (h - FOOT_M),
        use: "touch",
      };
    });
    const foot = r - wall / 2;
    return [
      {
        type: "cylinder",
        size: [foot, bottom / 2],
        position: [0, 0, (bottom - h) / 2],
        volumeM3: cylinderVolume(foot, bottom),
        use: "touch",
      },
      ...pieces,
      {
        type: "mesh",
        mesh: revolve(
          [
            [0, -h / 2],
            [r, -h / 2],
            [r, h / 2],
            [r - wall, h / 2],
            [r - wall, bottom - h / 2],
            [0, bottom - h / 2],
          ],
          SEGMENTS,
        ),
        volumeM3: 0,
        use: "see",
      },
    ];
  },
  outline: (size) => ring(24, size),
};
