import type { Grasp, Made } from "../model.js";
import { handle, type Look, post, turned, WHITE, wall } from "../parts.js";

/** Gap between a wall and the ground, so that a vessel stands on its foot alone. */
const FOOT_GAP_M = 0.001;
/** Height of the grasp of a rim, as a share of the height. */
const RIM_HEIGHT = 0.8;

interface Vessel {
  readonly color: string;
  readonly massKg: number;
  /** Outer radius of the foot and of the mouth, height and thickness of the wall. */
  readonly footM: number;
  readonly mouthM: number;
  readonly highM: number;
  readonly thickM: number;
  readonly inside?: Look;
  /** How far a handle reaches; none without. */
  readonly handleM?: number;
  /** Height, as a share, up to which another colour reaches. */
  readonly dipped?: readonly [share: number, look: Look];
}

/** A hollow vessel with a round mouth: a mug, a cup, a bowl, a plate. Things can be put into it. */
export function vessel(spec: Vessel, kind: Grasp["kind"]): Made {
  const { color, massKg, footM, mouthM, highM, thickM, handleM } = spec;
  const reach = handleM === undefined ? 0 : mouthM + handleM;
  const middleX = handleM === undefined ? 0 : (reach - mouthM) / 2;
  const rimM = radiusAt(spec, RIM_HEIGHT * highM) - thickM / 2;
  const rim = { at: [rimM, 0, (RIM_HEIGHT - 0.5) * highM] as const, widthM: thickM };
  const sides = {
    at: [-middleX, 0, 0] as const,
    widthM: 2 * mouthM,
    // Beside the handle.
    ...(handleM === undefined ? {} : { closingYawsRad: [Math.PI / 2] }),
  };
  return {
    color,
    massKg,
    min: [-mouthM, -mouthM, 0],
    max: [Math.max(mouthM, reach), mouthM, highM],
    parts: [
      post(footM - thickM / 2, 0, bottomOf(spec)),
      ...wall({ from: [footM, FOOT_GAP_M], to: [mouthM, highM], thickM }),
      ...looks(spec),
      ...(handleM === undefined
        ? []
        : handle((footM + mouthM) / 2, [0.22 * highM, 0.85 * highM], reach - (footM + mouthM) / 2)),
    ],
    grasp: { kind, ...(kind === "rim" ? rim : sides) },
  };
}

/** Radius of the outer face. */
function radiusAt({ footM, mouthM, highM }: Vessel, z: number): number {
  return footM + ((mouthM - footM) * z) / highM;
}

const bottomOf = ({ highM, thickM }: Vessel) => Math.max(thickM, 0.08 * highM);

/** The outside up to half of the wall, and the inside, which may have a colour of its own. */
function looks(spec: Vessel) {
  const { footM, mouthM, highM, thickM, inside = WHITE, dipped } = spec;
  const bottom = bottomOf(spec);
  const half = thickM / 2;
  const outer = turned([
    [footM, 0],
    [mouthM, highM],
    [mouthM - half, highM],
    [radiusAt(spec, bottom) - half, bottom - half],
  ]);
  const lining = turned(
    [
      [radiusAt(spec, bottom) - half, bottom - half],
      [mouthM - half, highM],
      [mouthM - thickM, highM],
      [radiusAt(spec, bottom) - thickM, bottom],
    ],
    inside,
  );
  if (!dipped) return [outer, lining];
  const [share, look] = dipped;
  const [z, skin] = [share * highM, 0.0004];
  const coat = turned(
    [
      [footM + skin, 0.0003],
      [radiusAt(spec, z) + skin, z],
      [radiusAt(spec, z) - half, z],
      [footM - half, 0.0003],
    ],
    look,
  );
  return [outer, lining, coat];
}
