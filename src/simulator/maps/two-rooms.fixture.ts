import type { Vec3 } from "../../core/math/vec3.js";
import type { SurfacePolygon, WalkableSurface } from "../navmesh/extract-surface.js";
import type { SceneDoor, SceneInstance, SceneRoom } from "../scenes/model.js";
import type { TopDownMap } from "./top-down.js";

/** Polygons given by their corners; each has its own vertices. */
export function surfaceOf(polygons: readonly (readonly Vec3[])[]): WalkableSurface {
  const vertices: number[] = [];
  const list = polygons.map((corners): SurfacePolygon => {
    const first = vertices.length / 3;
    vertices.push(...corners.flat());
    return {
      corners: corners.map((_, i) => first + i),
      neighbours: corners.map(() => -1),
    };
  });
  return { vertices: Float32Array.from(vertices), polygons: list };
}

/** A rectangle in plan, counter-clockwise from above, rising from `y` to `yAtFarX` along x. */
export function rectangle(
  [minX, minZ, maxX, maxZ]: readonly [number, number, number, number],
  y = 0,
  yAtFarX = y,
): Vec3[] {
  return [
    [minX, y, minZ],
    [minX, y, maxZ],
    [maxX, yAtFarX, maxZ],
    [maxX, yAtFarX, minZ],
  ];
}

/**
 * A living room (5 x 4 m) and a bedroom (4 x 4 m) to its right, joined by a door of 0.9 m. The surface keeps
 * 0.2 m from walls and has a hole at the table.
 */
export const TWO_ROOMS_POLYGONS: readonly (readonly Vec3[])[] = [
  rectangle([0.2, 0.2, 1.8, 3.8]),
  rectangle([1.8, 0.2, 3.2, 1.3]),
  rectangle([1.8, 2.7, 3.2, 3.8]),
  rectangle([3.2, 0.2, 4.8, 3.8]),
  rectangle([4.8, 1.75, 5.3, 2.25]),
  rectangle([5.3, 0.2, 8.9, 3.8]),
];

const ROOMS: readonly SceneRoom[] = [
  {
    name: "living_room_1",
    kind: "living_room",
    outline: [
      [0, 0],
      [5, 0],
      [5, 4],
      [0, 4],
    ],
    floorM: 0,
  },
  {
    name: "bedroom_1",
    kind: "bedroom",
    outline: [
      [5.1, 0],
      [9.1, 0],
      [9.1, 4],
      [5.1, 4],
    ],
    floorM: 0,
  },
];

const DOORS: readonly SceneDoor[] = [
  { rooms: ["living_room_1", "bedroom_1"], position: [5.05, 0, 2], widthM: 0.9 },
];

const INSTANCES: readonly SceneInstance[] = [
  { name: "building", category: "wall", min: [0, 0, 0], max: [9.1, 2.6, 4] },
  { name: "table_1", category: "table", min: [2, 0, 1.5], max: [3, 0.75, 2.5] },
  { name: "couch_1", category: "couch", min: [0.1, 0, 0.05], max: [2.1, 0.8, 0.95] },
  { name: "bed_1", category: "bed", min: [7, 0, 0.1], max: [8.6, 0.5, 2.1] },
  { name: "plant_1", category: "plant", min: [4.5, 0, 3.5], max: [4.9, 1.2, 3.9] },
];

const TAKEN: readonly Vec3[] = [
  [1, 0, 3],
  [1.25, 0, 3],
  [1.5, 0, 3],
  [1.75, 0, 2.95],
  [2.5, 0, 2.9],
  [3.4, 0, 2.8],
  [4, 0, 2.4],
  [4.6, 0, 2.05],
  [5.05, 0, 2],
  [5.6, 0, 2],
  [6.2, 0, 2.3],
  [6.8, 0, 2.5],
];

/** An ObjectNav episode in the two rooms: from the living room to the bed. */
export const TWO_ROOMS: TopDownMap = {
  surface: surfaceOf(TWO_ROOMS_POLYGONS),
  model: { rooms: ROOMS, doors: DOORS, instances: INSTANCES },
  start: { position: [1, 0, 3], headingRad: -Math.PI / 2 },
  goals: [[7.8, 0.25, 1.1]],
  viewPoints: Array.from({ length: 16 }, (_, i): Vec3 => [6.6, 0, 0.4 + i * 0.1]),
  successDistanceM: 0.1,
  reference: [
    [1, 0, 3],
    [3.3, 0, 2.75],
    [5.05, 0, 2],
    [6.6, 0, 1.6],
  ],
  taken: TAKEN.map((position, i) => ({ position, headingRad: 0, collided: i === 5 || i === 6 })),
  title: "objectnav two-rooms 7: stopped 0.92 m from the goal (needs less than 0.1 m)",
};

const UPSTAIRS = TWO_ROOMS_POLYGONS.slice(1).map((corners) =>
  corners.map(([x, , z]): Vec3 => [x, 2.8, z]),
);

/** The same rooms with a second storey 2.8 m above and stairs outside; the episode goes up. */
export const HOUSE: TopDownMap = {
  ...TWO_ROOMS,
  surface: surfaceOf([
    ...TWO_ROOMS_POLYGONS,
    ...UPSTAIRS,
    rectangle([8.9, 1, 9, 2]),
    rectangle([9, 1, 10.4, 2], 0, 1.4),
    rectangle([10.4, 1, 11.8, 2], 1.4, 2.8),
    rectangle([11.8, 1, 12.5, 2], 2.8),
    rectangle([11.8, -1, 12.5, 1], 2.8),
    rectangle([4, -1, 11.8, 0.2], 2.8),
  ]),
  goals: [[4.5, 2.8, 2]],
  viewPoints: [],
  successDistanceM: 3,
  reference: [
    [1, 0, 3],
    [5.05, 0, 2],
    [8.9, 0, 1.5],
    [11.9, 2.8, 1.5],
    [12.1, 2.8, -0.5],
    [4.5, 2.8, -0.5],
    [4.5, 2.8, 2],
  ],
  taken: [
    ...TAKEN,
    [8.9, 0, 1.7] as const,
    [10, 1.1, 1.7] as const,
    [11.9, 2.8, 1.6] as const,
    [12.2, 2.8, 0] as const,
    [8, 2.8, -0.2] as const,
  ].map((position) => ({ position })),
  title: "vln house 3: stopped 4.1 m from the goal (needs less than 3 m)",
};
