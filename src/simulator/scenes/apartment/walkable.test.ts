import { describe, expect, it } from "vitest";
import { Random } from "../../../core/math/random.js";
import { NavMesh } from "../../navmesh/navmesh.js";
import { HABITAT_NAVMESH } from "../../navmesh/settings.js";
import type { SceneModel } from "../model.js";
import { generateApartment } from "./apartment.js";
import { expectOneFloor } from "./walkable.fixture.js";

describe("the floor of a generated apartment", () => {
  it("the free floor is one connected area that reaches every door and every room", () => {
    for (let seed = 0; seed < 12; seed++) expectOneFloor(seed);
  });

  it("the floor is the largest island of the navmesh, flat, with a path from every room to every other", async () => {
    for (const seed of [0, 5, 22]) {
      const model = generateApartment(seed);
      const navMesh = await NavMesh.build(geometry(model), HABITAT_NAVMESH, model.id);
      const places = model.doors.map((door) => navMesh.snap(door.position) ?? door.position);
      const home = navMesh.island(places[0] ?? [0, 0, 0]);
      expect(home).toBeDefined();
      expect(navMesh.islandAreaM2(home ?? -1)).toBeGreaterThan(0.7 * navMesh.areaM2);
      for (const from of places) {
        for (const to of places) expect(navMesh.distance(from, to)).toBeLessThan(60);
      }
      const random = new Random(seed);
      for (let i = 0; i < 200; i++) {
        expect(navMesh.randomPoint(random, home)[1]).toBeLessThan(0.3);
      }
      navMesh.dispose();
    }
  });
});

function geometry(model: SceneModel): { positions: Float32Array; indices: Uint32Array } {
  const solid = model.parts.filter((part) => part.solid !== false).map((part) => part.mesh);
  const positions = new Float32Array(solid.reduce((sum, mesh) => sum + mesh.positions.length, 0));
  const indices = new Uint32Array(solid.reduce((sum, mesh) => sum + mesh.indices.length, 0));
  let [p, i] = [0, 0];
  for (const mesh of solid) {
    positions.set(mesh.positions, p);
    for (const index of mesh.indices) indices[i++] = index + p / 3;
    p += mesh.positions.length;
  }
  return { positions, indices };
}
