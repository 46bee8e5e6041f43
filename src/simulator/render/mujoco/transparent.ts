import { blend, type Canvas } from "./canvas.js";
import type { Fragments } from "./fragments.js";
import type { PlacedGeom } from "./placed-geoms.js";
import type { Projection } from "./projection.js";
import type { SampleBuffer } from "./sample-buffer.js";
import { isBehind, type ViewPass } from "./view-pass.js";

/** Geoms less opaque than this are blended. */
export const OPAQUE = 0.995;
/** Factor of a plane's opacity when the camera is behind it. */
const BEHIND = 0.3;

/** Whether a geom is blended: by its opacity, or because it is a plane that the camera is behind. */
export function isTransparent(
  placed: PlacedGeom,
  head: readonly [number, number, number],
): boolean {
  const { kind, material } = placed.geom;
  return material.rgba[3] < OPAQUE || (kind === "plane" && isBehind(placed, head));
}

/** Sorts geoms as MuJoCo does for blending: by the distance of their bounding spheres, planes last. */
export function nearestFirst(
  geoms: readonly PlacedGeom[],
  head: readonly [number, number, number],
): readonly PlacedGeom[] {
  const distance = ({ geom, pose }: PlacedGeom) =>
    geom.kind === "plane"
      ? 1e10
      : Math.hypot(
          (pose[3] as number) - head[0],
          (pose[7] as number) - head[1],
          (pose[11] as number) - head[2],
        ) - geom.sortRadius;
  return geoms
    .map((placed) => ({ placed, at: distance(placed) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ placed }) => placed);
}

/**
 * Blends transparent geoms over the canvas as MuJoCo does: all from front to back, then all from back to front. Each
 * geom is blended twice, and none hides another.
 *
 * @param geoms nearest first
 */
export function drawTransparent(
  canvas: Canvas,
  image: SampleBuffer,
  pass: ViewPass,
  projection: Projection,
  fragments: Fragments,
  geoms: readonly PlacedGeom[],
): void {
  const { samples, width } = image;
  for (const placed of [...geoms, ...geoms.toReversed()]) {
    const { geom } = placed;
    const isBack = geom.kind === "plane" && isBehind(placed, projection.head);
    const opacity = geom.material.rgba[3] * (isBack ? BEHIND : 1);
    let [lastFace, lastPixel] = [0, -1];
    pass.draw(placed, projection, image, (face, sample) => {
      const pixel = Math.floor(sample / samples);
      if (face !== lastFace || pixel !== lastPixel) {
        const column = pixel % width;
        fragments.shade(face, Math.floor(pixel / width), column, column);
        [lastFace, lastPixel] = [face, pixel];
      }
      canvas[sample] = blend(
        canvas[sample] as number,
        fragments.colours[0] as number,
        (opacity * ((fragments.texels[0] as number) >>> 24)) / 255,
      );
    });
  }
}
