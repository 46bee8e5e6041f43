import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isInside } from "../geometry.js";
import type { SceneInstance, SceneModel } from "../model.js";
import { generateApartment } from "./apartment.js";

const SEEDS = Array.from({ length: 24 }, (_, i) => i);
const models = SEEDS.map(generateApartment);

const BUILDING: ReadonlySet<string> = new Set(["wall", "floor", "ceiling", "door", "window"]);
/** Objects that may overlap others: flat on the floor, or hanging just above it. */
const SOFT: ReadonlySet<string> = new Set(["rug", "curtain"]);
const SIX = ["chair", "couch", "plant", "bed", "toilet", "tv_monitor"];

function fingerprint(model: SceneModel): string {
  const hash = createHash("sha256");
  for (const { mesh, material, instance } of model.parts) {
    hash.update(JSON.stringify([material.name, material.color, instance]));
    for (const data of [mesh.positions, mesh.indices, mesh.normals, mesh.uvs, mesh.colors]) {
      if (data) hash.update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    }
    if (material.texture) hash.update(material.texture.data);
  }
  return hash.update(JSON.stringify([model.instances, model.rooms, model.doors])).digest("hex");
}

function furniture(model: SceneModel): SceneInstance[] {
  return model.instances.filter((i) => !BUILDING.has(i.category));
}

function standing(model: SceneModel): SceneInstance[] {
  return furniture(model).filter((i) => i.min[1] < 0.02 && !SOFT.has(i.category));
}

function triangles(model: SceneModel): number {
  return model.parts.reduce((sum, part) => sum + part.mesh.indices.length / 3, 0);
}

describe("a generated apartment", () => {
  it("equal seeds give the same apartment byte for byte, other seeds another one", () => {
    const prints = models.slice(0, 12).map(fingerprint);
    expect(new Set(prints).size).toBe(12);
    for (const seed of [3, 0, 11]) expect(fingerprint(generateApartment(seed))).toBe(prints[seed]);
  });

  it("meshes have finite numbers, indices in range, unit normals and matching lengths", () => {
    for (const model of models.slice(0, 6)) {
      expect(model.id).toMatch(/^apartment\/\d+$/);
      for (const { mesh, instance } of model.parts) {
        const count = mesh.positions.length / 3;
        expect(model.instances[instance]).toBeDefined();
        expect(mesh.normals?.length).toBe(count * 3);
        expect(mesh.uvs?.length).toBe(count * 2);
        expect(mesh.colors?.length).toBe(count * 4);
        expect(mesh.positions.every(Number.isFinite)).toBe(true);
        expect(mesh.uvs?.every(Number.isFinite)).toBe(true);
        expect(mesh.indices.every((i) => i < count)).toBe(true);
        for (let v = 0; v < count; v++) {
          const n = mesh.normals?.subarray(v * 3, v * 3 + 3) ?? [];
          const size = Math.hypot(n[0] ?? 0, n[1] ?? 0, n[2] ?? 0);
          if (Math.abs(size - 1) > 1e-3) expect(size).toBeCloseTo(1, 3);
        }
      }
    }
  });

  it("an apartment has few enough triangles to render quickly", () => {
    for (const model of models) {
      expect(triangles(model)).toBeGreaterThan(4_000);
      expect(triangles(model)).toBeLessThan(26_000);
    }
  });

  it("objects have unique names and known rooms, and the first one is the building", () => {
    for (const { instances, rooms, doors } of models) {
      expect(instances[0]?.category).toBe("wall");
      expect(new Set(instances.map((i) => i.name)).size).toBe(instances.length);
      const names = new Set(rooms.map((room) => room.name));
      const strange = instances.filter(
        (i) =>
          !/^[a-z]+(_[a-z]+)*$/.test(i.category) ||
          (i.room !== undefined && !names.has(i.room)) ||
          ([0, 1, 2] as const).some((k) => !(i.min[k] <= i.max[k])),
      );
      expect(strange).toEqual([]);
      for (const door of doors) for (const room of door.rooms) expect(names).toContain(room);
    }
  });

  it("an apartment has at least four of the six ObjectNav categories, and nearly always all", () => {
    const held = models.map(
      (model) => SIX.filter((c) => model.instances.some((i) => i.category === c)).length,
    );
    expect(Math.min(...held)).toBeGreaterThanOrEqual(4);
    expect(held.filter((n) => n === 6).length).toBeGreaterThan(0.85 * held.length);
  });

  it("the furniture of a room matches its kind", () => {
    const needs: Readonly<Record<string, readonly string[]>> = {
      kitchen: ["fridge", "stove", "sink"],
      bathroom: ["toilet"],
      bedroom: ["bed"],
      living_room: ["couch", "tv_monitor"],
      dining_room: ["table", "chair"],
      office: ["desk", "chair"],
    };
    let asked = 0;
    let met = 0;
    for (const model of models) {
      for (const room of model.rooms) {
        const here = new Set(
          model.instances.filter((i) => i.room === room.name).map((i) => i.category),
        );
        for (const category of needs[room.kind] ?? []) {
          asked++;
          if (here.has(category)) met++;
        }
      }
    }
    expect(met / asked).toBeGreaterThan(0.98);
  });

  it("all furniture is inside its room", () => {
    for (const model of models) {
      for (const i of furniture(model)) {
        const room = model.rooms.find((r) => r.name === i.room);
        // Handles and leaves may extend a few centimetres into the wall.
        const ends = (k: 0 | 2) => {
          const slack = Math.min(0.04, (i.max[k] - i.min[k]) / 2);
          return [i.min[k] + slack, i.max[k] - slack];
        };
        const corners = ends(0).flatMap((x) => ends(2).map((z) => [x, z] as const));
        const within = corners.every(([x, z]) => isInside(room?.outline ?? [], x, z));
        if (!within) expect.unreachable(`${model.id}: ${i.name} leaves ${i.room}`);
      }
    }
  });

  it("pieces of furniture do not overlap", () => {
    for (const model of models) {
      const things = standing(model);
      for (const [n, a] of things.entries()) {
        for (const b of things.slice(n + 1)) {
          const deep = Math.min(
            ...([0, 1, 2] as const).map(
              (k) => Math.min(a.max[k], b.max[k]) - Math.max(a.min[k], b.min[k]),
            ),
          );
          if (deep > 0.05) expect.unreachable(`${model.id}: ${a.name} stands in ${b.name}`);
        }
      }
    }
  });

  it("no furniture is in front of a door", () => {
    for (const model of models) {
      for (const { position, widthM, rooms } of model.doors) {
        const [x, , z] = position;
        const first = model.rooms.find((r) => r.name === rooms[0])?.outline ?? [];
        const alongZ = isInside(first, x + 0.2, z) || isInside(first, x - 0.2, z);
        const [halfX, halfZ] = alongZ ? [0.7, widthM / 2] : [widthM / 2, 0.7];
        for (const i of standing(model)) {
          const apart =
            i.min[0] > x + halfX ||
            i.max[0] < x - halfX ||
            i.min[2] > z + halfZ ||
            i.max[2] < z - halfZ;
          if (!apart) expect.unreachable(`${model.id}: ${i.name} before ${rooms.join(" - ")}`);
        }
      }
    }
  });
});
