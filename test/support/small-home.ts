import type { Vec3 } from "../../src/core/math/vec3.js";
import type {
  SceneDoor,
  SceneInstance,
  SceneModel,
  ScenePart,
  SceneRoom,
} from "../../src/simulator/scenes/model.js";

/**
 * A home of five rooms, 8 m wide, with walls 0.1 m thick. North (heading 0) is up.
 *
 *     kitchen ..... | living room
 *     ------- door -|-- door ----
 *     corridor ..................
 *     door -------- | ---- door -
 *     bedroom ..... | bathroom
 */
const ROOMS: Readonly<Record<string, readonly [x0: number, x1: number, z0: number, z1: number]>> = {
  kitchen: [0, 4, -4, 0],
  living_room: [4, 8, -4, 0],
  corridor: [0, 8, 0, 1.5],
  bedroom: [0, 4, 1.5, 5],
  bathroom: [4, 8, 1.5, 5],
};

/** Each leads to the corridor. */
const DOORS: Readonly<Record<string, number>> = {
  kitchen: 3.2,
  living_room: 6,
  bedroom: 1,
  bathroom: 7,
};
const WIDTH_M = 0.9;

/** Floor centre and size. */
const THINGS: readonly (readonly [name: string, room: string, x: number, z: number, size: Vec3])[] =
  [
    ["bed_1", "bedroom", 3, 3.8, [1.6, 0.6, 2]],
    ["fridge_1", "kitchen", 0.5, -3.5, [0.7, 1.8, 0.7]],
    ["chair_1", "kitchen", 2, -2, [0.5, 0.9, 0.5]],
    ["chair_2", "kitchen", 3.3, -3.3, [0.5, 0.9, 0.5]],
    ["couch_1", "living_room", 7, -3.3, [1.6, 0.8, 0.8]],
    ["shelf_1", "corridor", 4.6, 1.25, [0.8, 1.6, 0.3]],
    ["toilet_1", "bathroom", 4.6, 4.4, [0.5, 0.8, 0.6]],
  ];

/** @param without names of objects to omit */
export function smallHome(...without: readonly string[]): SceneModel {
  const parts: ScenePart[] = [];
  const instances: SceneInstance[] = [
    { name: "building", category: "wall", min: [0, 0, -4], max: [8, 2.5, 5] },
  ];
  const add = (min: Vec3, max: Vec3, instance: number) => parts.push(box(min, max, instance));
  add([0, -0.1, -4], [8, 0, 5], 0);
  for (const [x, z0, z1] of [
    [0, -4, 5],
    [8, -4, 5],
    [4, -4, 0],
    [4, 1.5, 5],
  ] as const) {
    add([x - 0.05, 0, z0], [x + 0.05, 2.5, z1], 0);
  }
  for (const [z, doors] of [
    [-4, []],
    [5, []],
    [0, ["kitchen", "living_room"]],
    [1.5, ["bedroom", "bathroom"]],
  ] as const) {
    let from = 0;
    for (const room of doors) {
      const at = DOORS[room] ?? 0;
      add([from, 0, z - 0.05], [at - WIDTH_M / 2, 2.5, z + 0.05], 0);
      from = at + WIDTH_M / 2;
    }
    add([from, 0, z - 0.05], [8, 2.5, z + 0.05], 0);
  }
  for (const [name, room, x, z, [w, h, d]] of THINGS) {
    if (without.includes(name)) continue;
    const [min, max]: [Vec3, Vec3] = [
      [x - w / 2, 0, z - d / 2],
      [x + w / 2, h, z + d / 2],
    ];
    add(min, max, instances.length);
    const category = name.replace(/_\d+$/, "");
    instances.push({ name, category, min, max, room: `${room}_1` });
  }
  return { id: "small_home", parts, instances, rooms: rooms(), doors: doors() };
}

function rooms(): SceneRoom[] {
  return Object.entries(ROOMS).map(([kind, [x0, x1, z0, z1]]) => ({
    name: `${kind}_1`,
    kind,
    floorM: 0,
    outline: [
      [x0 + 0.05, z0 + 0.05],
      [x1 - 0.05, z0 + 0.05],
      [x1 - 0.05, z1 - 0.05],
      [x0 + 0.05, z1 - 0.05],
    ],
  }));
}

function doors(): SceneDoor[] {
  return Object.entries(DOORS).map(([room, x]) => {
    const z = room === "kitchen" || room === "living_room" ? 0 : 1.5;
    return { rooms: [`${room}_1`, "corridor_1"], position: [x, 0, z], widthM: WIDTH_M };
  });
}

function box(min: Vec3, max: Vec3, instance: number): ScenePart {
  const corners = Array.from({ length: 8 }, (_, i) => [
    i & 1 ? max[0] : min[0],
    i & 2 ? max[1] : min[1],
    i & 4 ? max[2] : min[2],
  ]);
  const faces = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ] as const;
  return {
    mesh: {
      positions: Float32Array.from(corners.flat()),
      indices: Uint32Array.from(faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d])),
    },
    material: { name: "plain", color: [0.7, 0.7, 0.7, 1] },
    instance,
  };
}
