/** A corner in homogeneous coordinates, and its distance from a further clipping plane. */
export type ClipCorner = readonly [x: number, y: number, z: number, w: number, distance: number];

/**
 * The part of a convex polygon between the near (z = w) and far (z = 0) plane and on the positive side of the further
 * plane.
 */
export function clipped(polygon: readonly ClipCorner[]): readonly ClipCorner[] {
  let out = cut(polygon, ([, , z, w]) => w - z);
  out = cut(out, ([, , z]) => z);
  return cut(out, ([, , , , distance]) => distance);
}

/** The part where `distance`, linear in the corners, is not negative. */
function cut(
  polygon: readonly ClipCorner[],
  distance: (corner: ClipCorner) => number,
): readonly ClipCorner[] {
  const out: ClipCorner[] = [];
  for (const [i, to] of polygon.entries()) {
    const from = polygon[(i + polygon.length - 1) % polygon.length] ?? to;
    const [d0, d1] = [distance(from), distance(to)];
    if (d0 >= 0 !== d1 >= 0) {
      const t = d0 / (d0 - d1);
      const mix = (k: 0 | 1 | 2 | 3 | 4) => from[k] + t * (to[k] - from[k]);
      out.push([mix(0), mix(1), mix(2), mix(3), mix(4)]);
    }
    if (d1 >= 0) out.push(to);
  }
  return out;
}
