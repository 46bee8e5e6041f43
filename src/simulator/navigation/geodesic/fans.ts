/** The corners of triangles around each vertex, in order, with their angles: a vertex's surroundings laid flat. */
export interface Fans {
  readonly vertexCount: number;
  /** The vertex where each half-edge starts. */
  readonly origin: Int32Array;
  /** Radians between a half-edge and the one that ends where it starts. */
  readonly angle: Float64Array;
  /** Radians from the fan's first edge to the half-edge, counter-clockwise around their vertex. */
  readonly fanAngle: Float64Array;
  /** The half-edges that start at vertex v: `fanCorners[fanStart[v]]` to before `fanCorners[fanStart[v + 1]]`. */
  readonly fanStart: Int32Array;
  readonly fanCorners: Int32Array;
  /** Radians around each vertex. */
  readonly totalAngle: Float64Array;
  readonly onBorder: Uint8Array;
  /**
   * 1 where a shortest way can bend: at the border with more than half a turn of floor, inside with more
   * than a full turn (a saddle).
   */
  readonly bends: Uint8Array;
}

/** Radians by which an angle must pass a half or full turn to count; below, rounding decides. */
const ANGLE_TOLERANCE = 1e-9;

export function fansOf(opposite: Int32Array, apexX: Float64Array, apexY: Float64Array): Fans {
  const edges = opposite.length;
  const origin = new Int32Array(edges).fill(-1);
  const angle = new Float64Array(edges);
  const fanAngle = new Float64Array(edges);
  for (let h = 0; h < edges; h++) angle[h] = Math.atan2(apexY[h] as number, apexX[h] as number);
  const fanStart: number[] = [];
  const fanCorners: number[] = [];
  const totals: number[] = [];
  const border: number[] = [];
  for (let h = 0; h < edges; h++) {
    if (origin[h] !== -1) continue;
    const { first, closed } = firstOfFan(h, opposite);
    const vertex = fanStart.length;
    fanStart.push(fanCorners.length);
    let total = 0;
    let corner = first;
    do {
      origin[corner] = vertex;
      fanAngle[corner] = total;
      total += angle[corner] as number;
      fanCorners.push(corner);
      corner = counterClockwise(corner, opposite);
    } while (corner >= 0 && corner !== first);
    totals.push(total);
    border.push(closed ? 0 : 1);
  }
  const totalAngle = Float64Array.from(totals);
  const onBorder = Uint8Array.from(border);
  fanStart.push(fanCorners.length);
  return {
    vertexCount: totals.length,
    origin,
    angle,
    fanAngle,
    fanStart: Int32Array.from(fanStart),
    fanCorners: Int32Array.from(fanCorners),
    totalAngle,
    onBorder,
    bends: Uint8Array.from(totals, (total, v) =>
      total > (onBorder[v] ? Math.PI : 2 * Math.PI) + ANGLE_TOLERANCE ? 1 : 0,
    ),
  };
}

function counterClockwise(corner: number, opposite: Int32Array): number {
  return opposite[corner % 3 === 0 ? corner + 2 : corner - 1] as number;
}

/** Backs up clockwise to the border, or once around. */
function firstOfFan(h: number, opposite: Int32Array): { first: number; closed: boolean } {
  let corner = h;
  for (;;) {
    const across = opposite[corner] as number;
    if (across < 0) return { first: corner, closed: false };
    corner = across % 3 === 2 ? across - 2 : across + 1;
    if (corner === h) return { first: h, closed: true };
  }
}
