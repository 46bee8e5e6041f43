import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { conjugate, rotate } from "../../../core/math/quat-wxyz.js";
import { add, dot, scale, subtract, type Vec3 } from "../../../core/math/vec3.js";
import type { ViewFacts } from "../../../core/rules/facts.js";
import type { Physics } from "../physics/physics.js";
import { imageHalves } from "./image.js";
import { type SurfacePoint, surfacePoints } from "./surface-points.js";

/** Points per object. About half of them face the camera and cost a ray, 10 to 30 us each in an apartment. */
const POINTS = 32;
/** Farther away, an object counts as out of view, so that driving through an apartment costs no rays. */
const FAR_M = 5;
/** Rays end this far before their point, which may be inside a curved surface that was split into triangles. */
const SLACK_M = 0.005;

/** A point that faces the camera. */
interface Facing {
  readonly direction: Vec3;
  readonly distanceM: number;
  /** Solid angle of the part of the surface that the point represents. */
  readonly solidAngle: number;
  /** Share of the image that it fills; 0 outside the image. */
  readonly imageShare: number;
}

/** Measures by ray casts how much of an object a camera sees. Nothing is rendered. */
export class ViewReader {
  readonly #physics: Physics;
  readonly #points = new Map<string, readonly SurfacePoint[]>();
  readonly #geoms = new Map<string, ReadonlySet<number>>();

  constructor(physics: Physics) {
    this.#physics = physics;
  }

  read(object: string, camera: string): ViewFacts {
    const facing = this.#facing(object, camera);
    const inImage = facing.filter(({ imageShare }) => imageShare > 0);
    const hits = this.#physics.look(
      camera,
      inImage.map(({ direction }) => direction),
      // MuJoCo leaves out geoms beyond this distance, so a near object costs less.
      Math.max(0, ...inImage.map(({ distanceM }) => distanceM)),
    );
    const own = this.#geomsOf(object);
    const isFirst = inImage.map(({ distanceM }, i) => {
      const hit = hits[i];
      return !hit || hit.geom < 0 || hit.distanceM > distanceM - SLACK_M;
    });
    const first = inImage.filter((_, i) => isFirst[i]);
    // A part of the object that another part hides counts for its share: what is there is the object.
    const seen = inImage.filter((_, i) => isFirst[i] || own.has(hits[i]?.geom ?? -1));
    const whole = sum(facing, ({ solidAngle }) => solidAngle);
    return {
      share: whole > 0 ? rounded(sum(seen, ({ solidAngle }) => solidAngle) / whole, 3) : 0,
      image_share: rounded(
        Math.min(
          1,
          sum(first, ({ imageShare }) => imageShare),
        ),
        5,
      ),
    };
  }

  #facing(object: string, camera: string): readonly Facing[] {
    const { pose, fovyDeg } = this.#physics.camera(camera);
    const poses = new Map<number, Pose3>();
    return this.#pointsOf(object).flatMap((point): readonly Facing[] => {
      const geom = poses.get(point.geom) ?? this.#physics.geomPose(point.geom);
      poses.set(point.geom, geom);
      const at = add(geom.position, rotate(geom.rotation_wxyz, point.position));
      const ray = subtract(at, pose.position);
      const distanceM = Math.sqrt(dot(ray, ray));
      if (distanceM === 0) return [];
      const direction = scale(ray, 1 / distanceM);
      const slope = -dot(direction, rotate(geom.rotation_wxyz, point.normal));
      if (slope <= 0) return [];
      const [x, y, z] = rotate(conjugate(pose.rotation_wxyz), ray);
      const depth = -z;
      const { width, height } = imageHalves(fovyDeg, Math.max(depth, 0));
      const isInside = depth > 0 && Math.abs(x) <= width && Math.abs(y) <= height;
      const solidAngle = (point.areaM2 * slope) / distanceM ** 2;
      // Projection onto the plane of the image enlarges a solid angle by (distance / depth)^3.
      const imageShare =
        isInside && distanceM <= FAR_M
          ? (solidAngle * (distanceM / depth) ** 3 * depth ** 2) / (4 * width * height)
          : 0;
      return [{ direction, distanceM, solidAngle, imageShare }];
    });
  }

  #pointsOf(object: string): readonly SurfacePoint[] {
    const known = this.#points.get(object);
    if (known) return known;
    const all = this.#physics.geoms();
    const geoms = [...this.#geomsOf(object)].flatMap((index) => {
      const geom = all[index];
      return geom ? [[index, geom] as const] : [];
    });
    const points = surfacePoints(geoms, POINTS);
    this.#points.set(object, points);
    return points;
  }

  #geomsOf(object: string): ReadonlySet<number> {
    const known = this.#geoms.get(object) ?? new Set(this.#physics.solidGeoms(object));
    this.#geoms.set(object, known);
    return known;
  }
}

function sum<T>(list: readonly T[], value: (one: T) => number): number {
  return list.reduce((total, one) => total + value(one), 0);
}

/** Measured with few points, so more digits would only fill the record. */
function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
