import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { smallHome } from "../../../test/support/small-home.js";
import { distance3, type Vec3 } from "../../core/math/vec3.js";
import { NavMesh } from "../../simulator/navmesh/navmesh.js";
import { HABITAT_NAVMESH } from "../../simulator/navmesh/settings.js";
import { solidGeometry } from "../../simulator/scenes/geometry.js";
import { LARGEST_ISLAND } from "../ground.js";
import { floorDistance } from "../instructions/floor-plan.js";
import { RayCaster } from "./ray-caster.js";
import { ViewPoints } from "./view-points.js";

const home = smallHome();
const rays = new RayCaster(home);
const numberOf = (name: string) => home.instances.findIndex((one) => one.name === name);

describe("line of sight", () => {
  it("a line of sight hits the nearest object", () => {
    const eye: Vec3 = [2, 1.2, -3.8];
    expect(rays.firstHit(eye, [2, 0.5, -2])).toBe(numberOf("chair_1"));
    // The wall between kitchen and living room.
    expect(rays.firstHit(eye, [7, 0.5, -3.3])).toBe(0);
  });

  it("a line of sight hits nothing beyond its end", () => {
    expect(rays.firstHit([2, 1.2, -3.8], [2, 1.2, -3])).toBeUndefined();
    expect(new RayCaster({ parts: [] }).firstHit([0, 0, 0], [1, 0, 0])).toBeUndefined();
  });
});

describe("view points", () => {
  let mesh: NavMesh;
  let views: ViewPoints;

  beforeAll(async () => {
    mesh = await NavMesh.build(solidGeometry(home), HABITAT_NAVMESH, home.id);
    views = new ViewPoints(home, mesh, LARGEST_ISLAND, rays);
  });
  afterAll(() => mesh.dispose());

  it.each(["chair_1", "bed_1", "couch_1", "toilet_1"])(
    "view points of %s are reachable and near it",
    (name) => {
      const number = numberOf(name);
      const points = views.of(number);
      const object = home.instances[number];
      if (!object) throw new Error(name);
      expect(points.length).toBeGreaterThan(50);
      for (const point of points) {
        expect(mesh.isNavigable(point)).toBe(true);
        expect(mesh.island(point)).toBe(LARGEST_ISLAND);
        expect(floorDistance(object, point)).toBeLessThanOrEqual(1);
      }
    },
  );

  it("view points are at most 0.1 m from their neighbours", () => {
    const points = views.of(numberOf("couch_1"));
    for (const point of points) {
      const next = Math.min(...points.map((p) => (p === point ? 9 : distance3(p, point))));
      expect(next).toBeLessThanOrEqual(0.1);
    }
  });

  it("every nearby point that sees the object is within 0.1 m of a view point", () => {
    const number = numberOf("chair_1");
    const points = views.of(number);
    for (let x = 1.2; x < 2.8; x += 0.037) {
      const place = mesh.snap([x, 0, -2.9]);
      if (!place) throw new Error("off the mesh");
      const nearest = Math.min(...points.map((p) => distance3(p, place)));
      expect(nearest, `${place}`).toBeLessThan(0.1);
    }
  });

  it("no view point is behind a wall", () => {
    // The toilet stands 0.35 m from the wall to the bedroom, and 0.3 m from the outer one.
    for (const [x] of views.of(numberOf("toilet_1"))) expect(x).toBeGreaterThan(4);
  });

  it("an enclosed object has no view points", () => {
    const closed = { ...home, parts: [...home.parts, ...shell()] };
    const blind = new ViewPoints(closed, mesh, LARGEST_ISLAND, new RayCaster(closed));
    expect(blind.of(numberOf("chair_1"))).toEqual([]);
  });

  /** A box around the first chair. */
  function shell() {
    const chair = home.parts.find((part) => part.instance === numberOf("chair_1"));
    if (!chair) throw new Error("no chair");
    const positions = chair.mesh.positions.map((value, i) => {
      const middle = [2, 0.45, -2][i % 3] ?? 0;
      return middle + (value - middle) * 1.1;
    });
    return [{ ...chair, instance: 0, mesh: { ...chair.mesh, positions } }];
  }
});
