import { bearing } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import type { Pose } from "../../simulator/navigation/kinematics.js";
import { isInside } from "../../simulator/scenes/geometry.js";
import type {
  SceneDoor,
  SceneInstance,
  SceneModel,
  SceneRoom,
} from "../../simulator/scenes/model.js";

type Corner = SceneRoom["outline"][number];

/** Maximum height of a point above the floor of its room in metres; less than a storey. */
const STOREY_M = 2;

/** Rooms of a scene, the doors between them, and the objects in them. */
export class FloorPlan {
  readonly rooms: readonly SceneRoom[];
  readonly #model: SceneModel;

  constructor(model: SceneModel) {
    this.#model = model;
    this.rooms = model.rooms;
  }

  roomAt([x, y, z]: Vec3): SceneRoom | undefined {
    return this.rooms.find(({ outline, floorM }) => {
      return y > floorM - 0.5 && y < floorM + STOREY_M && isInside(outline, x, z);
    });
  }

  /** All openings of a room, including those to the outside. */
  doorsOf({ name }: SceneRoom): SceneDoor[] {
    return this.#model.doors.filter(({ rooms }) => rooms.includes(name));
  }

  doorsBetween(a: SceneRoom, b: SceneRoom): SceneDoor[] {
    return this.doorsOf(a).filter(({ rooms }) => rooms.includes(b.name) && a.name !== b.name);
  }

  /** The room on the other side of a door; undefined if outside. */
  behind(door: SceneDoor, room: SceneRoom): SceneRoom | undefined {
    const other = door.rooms.find((name) => name !== room.name);
    return this.rooms.find(({ name }) => name === other);
  }

  /** Pose in a doorway, looking into the room, perpendicular to its wall. */
  entering(door: SceneDoor, room: SceneRoom): Pose {
    const { position } = door;
    const [a, b] = nearestEdge(room.outline, position[0], position[2]);
    const along = [b[0] - a[0], b[1] - a[1]] as const;
    const length = Math.hypot(along[0], along[1]) || 1;
    const normal = [-along[1] / length, along[0] / length] as const;
    // Outlines may run either way, so test which normal points inside.
    const reach = 0.3;
    const inside = isInside(
      room.outline,
      (a[0] + b[0]) / 2 + normal[0] * reach,
      (a[1] + b[1]) / 2 + normal[1] * reach,
    );
    const sign = inside ? 1 : -1;
    const ahead: Vec3 = [
      position[0] + sign * normal[0],
      position[1],
      position[2] + sign * normal[1],
    ];
    return { position, headingRad: bearing(position, ahead) };
  }

  objectsIn(room: SceneRoom): SceneInstance[] {
    return this.#model.instances.filter((object, i) => {
      return i > 0 && (object.room ?? this.roomAt(centreOf(object))?.name) === room.name;
    });
  }

  /** Heading of one of a room's walls if all are perpendicular; otherwise undefined. */
  squareOf({ outline }: SceneRoom): number | undefined {
    const edges = edgesOf(outline).filter(([a, b]) => length(a, b) > 1e-6);
    const [first] = edges;
    if (!first) return undefined;
    const wallRad = bearing(onFloor(first[0]), onFloor(first[1]));
    const isSquare = edges.every(([a, b]) => {
      return Math.abs(Math.sin(2 * (bearing(onFloor(a), onFloor(b)) - wallRad))) < 0.02;
    });
    return isSquare ? wallRad : undefined;
  }

  /** Distance from a point along a heading to the room's walls in metres, ignoring furniture. */
  clearM({ outline }: SceneRoom, [x, , z]: Vec3, headingRad: number): number {
    const [dx, dz] = [-Math.sin(headingRad), -Math.cos(headingRad)];
    let least = Number.POSITIVE_INFINITY;
    for (const [a, b] of edgesOf(outline)) {
      const [ex, ez] = [b[0] - a[0], b[1] - a[1]];
      const cross = dx * ez - dz * ex;
      if (Math.abs(cross) < 1e-9) continue;
      const t = ((a[0] - x) * ez - (a[1] - z) * ex) / cross;
      const u = ((a[0] - x) * dz - (a[1] - z) * dx) / cross;
      if (t > 1e-6 && u >= 0 && u <= 1 && t < least) least = t;
    }
    return least;
  }

  centreOf({ outline, floorM }: SceneRoom): Vec3 {
    const sum = outline.reduce((total, [x, z]) => [total[0] + x, total[1] + z], [0, 0] as Corner);
    return [sum[0] / outline.length, floorM, sum[1] / outline.length];
  }
}

export function centreOf({ min, max }: Pick<SceneInstance, "min" | "max">): Vec3 {
  return [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
}

/** Horizontal distance from a point to an object's box. */
export function floorDistance(
  { min, max }: Pick<SceneInstance, "min" | "max">,
  [x, , z]: Vec3,
): number {
  const dx = Math.max(min[0] - x, 0, x - max[0]);
  const dz = Math.max(min[2] - z, 0, z - max[2]);
  return Math.hypot(dx, dz);
}

function edgesOf(outline: readonly Corner[]): (readonly [Corner, Corner])[] {
  return outline.map((corner, i) => [corner, outline[(i + 1) % outline.length] as Corner]);
}

function nearestEdge(outline: readonly Corner[], x: number, z: number): readonly [Corner, Corner] {
  let best: readonly [Corner, Corner] = [
    [0, 0],
    [1, 0],
  ];
  let least = Number.POSITIVE_INFINITY;
  for (const edge of edgesOf(outline)) {
    const away = distanceToEdge(...edge, x, z);
    if (away < least) {
      least = away;
      best = edge;
    }
  }
  return best;
}

function distanceToEdge(a: Corner, b: Corner, x: number, z: number): number {
  const [dx, dz] = [b[0] - a[0], b[1] - a[1]];
  const squared = dx * dx + dz * dz || 1;
  const t = Math.min(1, Math.max(0, ((x - a[0]) * dx + (z - a[1]) * dz) / squared));
  return Math.hypot(a[0] + t * dx - x, a[1] + t * dz - z);
}

function onFloor([x, z]: Corner): Vec3 {
  return [x, 0, z];
}

function length(a: Corner, b: Corner): number {
  return Math.hypot(b[0] - a[0], b[1] - a[1]);
}
