type Ground = readonly [x: number, z: number];

const MOST_CORNERS = 6;
/** Twice the area below which a piece is a line. */
const LEAST = 1e-6;

/**
 * Cuts a convex polygon, of whose corners some may lie on a straight edge, into pieces of at most six
 * corners. Pieces of the same polygon share the cuts.
 */
export function cutPolygon(
  corners: readonly number[],
  ground: (vertex: number) => Ground,
): (readonly number[])[] {
  const out: (readonly number[])[] = [];
  let rest = corners;
  while (rest.length > MOST_CORNERS) {
    const cut = cutOff(rest, ground);
    if (cut === undefined) break;
    out.push(cut.piece);
    rest = cut.rest;
  }
  out.push(rest);
  return out;
}

/** A quadrilateral, or else a triangle, from anywhere along the outline, such that both parts have an area. */
function cutOff(corners: readonly number[], ground: (vertex: number) => Ground) {
  for (const size of [4, 3]) {
    for (let i = 0; i < corners.length; i++) {
      const turned = [...corners.slice(i), ...corners.slice(0, i)];
      const piece = turned.slice(0, size);
      const rest = [turned[0] as number, ...turned.slice(size - 1)];
      if (area(piece, ground) > LEAST && area(rest, ground) > LEAST) return { piece, rest };
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
