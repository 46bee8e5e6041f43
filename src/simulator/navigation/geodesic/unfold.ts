/**
 * Plane geometry in the frame of a half-edge (see TriangleMesh): the edge runs from (0, 0) to (l, 0), the
 * triangle's apex (cx, cy) lies above it, and rays come from a root (ix, iy) on or below it.
 */

export function span(ax: number, ay: number, bx: number, by: number): number {
  const dx = ax - bx;
  const dy = ay - by;
  return Math.sqrt(dx * dx + dy * dy);
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** Where the line from the root to (x, y), y >= 0, crosses the edge's line. */
export function crossing(ix: number, iy: number, x: number, y: number): number {
  const rise = y - iy;
  // Both on the edge's line: the way runs along it, and any point between them will do.
  return rise > 0 ? ix + ((x - ix) * -iy) / rise : x;
}

/** Where the ray through (at, 0) meets the edge from (l, 0) to the apex, as a share of it from (l, 0). */
export function onRightEdge(
  at: number,
  ix: number,
  iy: number,
  l: number,
  cx: number,
  cy: number,
): number {
  return share(-iy * (at - l), sideOf(at, ix, iy, cx, cy));
}

/** Where the ray through (at, 0) meets the edge from the apex to (0, 0), as a share of it from the apex. */
export function onLeftEdge(at: number, ix: number, iy: number, cx: number, cy: number): number {
  return share(sideOf(at, ix, iy, cx, cy), -iy * at);
}

/**
 * Where a ray from a corner meets the far edge, as a share of it from the end at distance `near`, when
 * the ray leaves the side of length `near` by `angle` of the corner's `width` radians.
 */
export function throughEdge(angle: number, width: number, near: number, other: number): number {
  const a = near * Math.sin(angle);
  const b = other * Math.sin(width - angle);
  return a + b > 0 ? a / (a + b) : 0;
}

/** Positive when (x, y) lies left of the ray from the root through (at, 0). */
function sideOf(at: number, ix: number, iy: number, x: number, y: number): number {
  return (at - ix) * (y - iy) + iy * (x - ix);
}

/** Where between two points on different sides of a line, at signed distances a and b, the line passes. */
function share(a: number, b: number): number {
  const d = a - b;
  return d === 0 ? 0 : Math.min(1, Math.max(0, a / d));
}
