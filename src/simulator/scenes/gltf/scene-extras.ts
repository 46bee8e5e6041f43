import type { Vec3 } from "../../../core/math/vec3.js";
import { isRecord } from "../../../core/record.js";
import type { DraftInstance } from "../draft.js";
import type { SceneDoor, SceneInstance, SceneModel, SceneRoom } from "../model.js";

/**
 * Stores in glTF's `extras` what the format cannot express, so that a scene survives a round trip through a
 * file (export-glb.ts, gltf.ts). A node's `category` is read from any file; the other fields are specific to
 * this program.
 */
export function instanceExtras(instance: SceneInstance, index: number): Record<string, unknown> {
  const { category, min, max, room } = instance;
  return { instance: index, category, ...(room !== undefined && { room }), min, max };
}

export function readInstanceExtras(
  extras: unknown,
): (Omit<DraftInstance, "name"> & { order: number }) | undefined {
  if (!isRecord(extras) || typeof extras.category !== "string" || extras.category === "") {
    return undefined;
  }
  const { instance, category, room } = extras;
  const [min, max] = [vec(extras.min), vec(extras.max)];
  return {
    category,
    order: typeof instance === "number" ? instance : Number.NaN,
    ...(typeof room === "string" && { room }),
    ...(min && max && { bounds: { min, max } }),
  };
}

export function sceneExtras({ id, rooms, doors }: SceneModel): Record<string, unknown> {
  return {
    scene_id: id,
    rooms: rooms.map(({ name, kind, outline, floorM }) => ({
      name,
      kind,
      outline,
      floor_m: floorM,
    })),
    doors: doors.map(({ widthM, ...door }) => ({ ...door, width_m: widthM })),
  };
}

/** Reads valid rooms and doors. Other data under these names is ignored. */
export function readSceneExtras(extras: unknown): {
  readonly rooms: readonly SceneRoom[];
  readonly doors: readonly SceneDoor[];
} {
  const { rooms, doors } = isRecord(extras) ? extras : {};
  return { rooms: each(rooms, readRoom), doors: each(doors, readDoor) };
}

function readRoom(value: Readonly<Record<string, unknown>>): SceneRoom | undefined {
  const { name, kind, floor_m: floorM } = value;
  if (typeof name !== "string" || typeof kind !== "string" || typeof floorM !== "number") {
    return undefined;
  }
  const outline = Array.isArray(value.outline) ? value.outline.filter(isPair) : [];
  return { name, kind, outline, floorM };
}

function readDoor(value: Readonly<Record<string, unknown>>): SceneDoor | undefined {
  const { rooms, width_m: widthM } = value;
  const position = vec(value.position);
  if (!Array.isArray(rooms) || typeof widthM !== "number" || !position) return undefined;
  const [a, b]: unknown[] = rooms;
  if (typeof a !== "string" || typeof b !== "string") return undefined;
  return { rooms: [a, b], position, widthM };
}

function each<T>(
  list: unknown,
  read: (value: Readonly<Record<string, unknown>>) => T | undefined,
): T[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((value: unknown) => (isRecord(value) ? (read(value) ?? []) : []));
}

function isPair(value: unknown): value is readonly [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every((n) => typeof n === "number");
}

function vec(value: unknown): Vec3 | undefined {
  if (!Array.isArray(value)) return undefined;
  const [x, y, z]: unknown[] = value;
  const numbers = typeof x === "number" && typeof y === "number" && typeof z === "number";
  return numbers ? [x, y, z] : undefined;
}
