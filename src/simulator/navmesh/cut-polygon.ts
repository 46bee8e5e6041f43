type Ground = readonly [x: number, z: number];

const MAX_CORNERS = 6;
/** Pieces below this doubled area count as lines. */
const MIN_DOUBLED_AREA = 1e-6;

/**
 * Cuts a convex polygon into pieces of at most six corners. Some of its corners may lie on a straight edge.
 * Pieces of one polygon share the cut edges.
 */
export function cutPolygon(
  corners: readonly number[],
  ground: (vertex: number) => Ground,
): (readonly number[])[] {
  const out: (readonly number[])[] = [];
  let rest = corners;
  while (rest.length > MAX_CORNERS) {
    const cut = cutOff(rest, ground);
    if (cut === undefined) break;
    out.push(cut.piece);
    rest = cut.rest;
  }
  out.push(rest);
  return out;
}

/** Cuts off a quadrilateral, or else a triangle, at any position where both parts have an area. */
function cutOff(corners: readonly number[], ground: (vertex: number) => Ground) {
  for (const size of [4, 3]) {
    for (let i = 0; i < corners.length; i++) {
      const turned = [...corners.slice(i), ...corners.slice(0, i)];
      const piece = turned.slice(0, size);
      const rest = [turned[0] as number, ...turned.slice(size - 1)];
      if (area(piece, ground) > MIN_DOUBLED_AREA && area(rest, ground) > MIN_DOUBLED_AREA)
        return { piece, rest };
    }
  }
  return undefined;
}

function area(corners: readonly number[], ground: (vertex: number) => Ground): number {
  let sum = 0;
  corners.forEach((vertex, i) => {
    const [ax, az] = ground(vertex);
    const [bx, bz] = ground(corners[(i + 1) % corners.length] as number);
    sum += ax * bz - az * bx;
  });
  return Math.abs(sum);
}
