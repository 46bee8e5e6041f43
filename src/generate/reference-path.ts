import { distance3, type Vec3 } from "../core/math/vec3.js";
import { type Ground, roundedPoint } from "./ground.js";
import { densified, type Polyline, simplified } from "./polyline.js";

/** Bends that are no corners, metres. */
const TOLERANCE_M = 0.1;
/** Longest stretch without a point, metres; R2R's viewpoints are about as far apart. */
const STRETCH_M = 2.25;

/** A way as the few points that tell it: its corners, and one every 2 m or so between them. */
export function referencePath(ground: Ground, path: Polyline): Vec3[] {
  const [first, last] = [path[0], path.at(-1)];
  const points = densified(simplified(path, TOLERANCE_M), STRETCH_M);
  return points.map((point) => {
    if (first && last && (point === first || point === last)) return point;
    // Between corners the floor need not be even.
    const snapped = ground.snap(point);
    return roundedPoint(snapped && distance3(snapped, point) < 0.5 ? snapped : point);
  });
}
