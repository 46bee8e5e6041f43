import type { Vec3 } from "../../../core/math/vec3.js";
import type { SurfacePolygon, WalkableSurface } from "../navmesh/surface.js";

/** Polygons given by their corners' positions, joined wherever two run along one edge in opposite directions. */
export function surfaceOf(polygons: readonly (readonly Vec3[])[]): WalkableSurface {
  const vertices: number[] = [];
  const known = new Map<string, number>();
  const corners = polygons.map((polygon) =>
    polygon.map((point) => {
      const at = point.map(Math.fround).join();
      const index = known.get(at) ?? known.size;
      if (!known.has(at)) {
        known.set(at, index);
        vertices.push(...point);
      }
      return index;
    }),
  );
  return { vertices: Float32Array.from(vertices), polygons: joined(corners) };
}

/** Finds the neighbours: the polygon that has the same two corners one after the other, in either direction. */
export function joined(corners: readonly (readonly number[])[]): SurfacePolygon[] {
  const byEdge = new Map<string, number[]>();
  const key = (list: readonly number[], i: number) => {
    const a = list[i] ?? -1;
    const b = list[(i + 1) % list.length] ?? -1;
    return a < b ? `${a},${b}` : `${b},${a}`;
  };
  for (const [p, list] of corners.entries()) {
    for (const i of list.keys()) byEdge.set(key(list, i), [...(byEdge.get(key(list, i)) ?? []), p]);
  }
  return corners.map((list, p) => ({
    corners: list,
    neighbours: list.map((_, i) => byEdge.get(key(list, i))?.find((q) => q !== p) ?? -1),
  }));
}

export interface GridShape {
  /** Rows of cells one metre wide, `.` floor, anything else none; rows run along z, columns along x. */
  readonly rows: readonly string[];
  /** Height of the grid's vertices. */
  readonly height?: (column: number, row: number) => number;
  /** How far the vertex is moved in plan, to make other shapes than squares. */
  readonly shift?: (column: number, row: number) => readonly [number, number];
  /** Cuts each cell in two triangles along one of its diagonals. */
  readonly cut?: (column: number, row: number) => "none" | "rising" | "falling";
}

/** A floor plan drawn in characters. */
export function gridSurface({ rows, height, shift, cut }: GridShape): WalkableSurface {
  const at = (column: number, row: number): Vec3 => {
    const [dx, dz] = shift?.(column, row) ?? [0, 0];
    return [column + dx, height?.(column, row) ?? 0, row + dz];
  };
  const polygons: Vec3[][] = [];
  for (const [r, row] of rows.entries()) {
    for (const [c, cell] of [...row].entries()) {
      if (cell !== ".") continue;
      const corners = [at(c, r), at(c + 1, r), at(c + 1, r + 1), at(c, r + 1)] as const;
      const how = cut?.(c, r) ?? "none";
      if (how === "none") polygons.push([...corners]);
      else if (how === "rising") {
        polygons.push([corners[0], corners[1], corners[3]], [corners[1], corners[2], corners[3]]);
      } else {
        polygons.push([corners[0], corners[1], corners[2]], [corners[0], corners[2], corners[3]]);
      }
    }
  }
  return surfaceOf(polygons);
}

export function cornerAt(surface: WalkableSurface, corner: number): Vec3 {
  const [x = 0, y = 0, z = 0] = surface.vertices.subarray(3 * corner, 3 * corner + 3);
  return [x, y, z];
}

/** A point of the first triangle of a polygon, by weights of its first three corners. */
export function pointIn(surface: WalkableSurface, polygon: number, u: number, v: number): Vec3 {
  const corners = surface.polygons[polygon % surface.polygons.length]?.corners ?? [];
  const [a, b, c] = corners.slice(0, 3).map((corner) => cornerAt(surface, corner));
  if (!a || !b || !c) throw new Error("a polygon has at least three corners");
  const [s, t] = u + v > 1 ? [1 - u, 1 - v] : [u, v];
  const mix = (i: 0 | 1 | 2) => a[i] + s * (b[i] - a[i]) + t * (c[i] - a[i]);
  return [mix(0), mix(1), mix(2)];
}
