/**
 * The walkable surface of a scene as plain data: convex polygons joined along edges, as built by Recast.
 * Storeys are parts of one surface, joined by stairs if there are any.
 */
export interface WalkableSurface {
  /** x, y, z of each vertex, metres, y up. */
  readonly vertices: Float32Array;
  readonly polygons: readonly SurfacePolygon[];
}

export interface SurfacePolygon {
  /** Three to six indices of vertices, in order around the polygon. */
  readonly corners: readonly number[];
  /**
   * The polygon across the edge from `corners[i]` to `corners[i + 1]`; -1 where the surface ends. An edge
   * has at most one neighbour.
   */
  readonly neighbours: readonly number[];
}
