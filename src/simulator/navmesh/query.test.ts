import * as core from "recast-navigation";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../core/math/random.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { NavMesh } from "./navmesh.js";
import { apartment, twoStoreys } from "./scenes.fixture.js";
import { HABITAT_NAVMESH } from "./settings.js";

/** The part of the package's own classes that this test uses; see recast.ts about its declarations. */
interface Wrapper {
  importNavMesh(data: Uint8Array): { navMesh: object };
  NavMeshQuery: new (
    mesh: object,
  ) => {
    findNearestPoly(
      point: Point,
      options: { halfExtents: Point },
    ): { nearestRef: number; nearestPoint: Point };
    computePath(from: Point, to: Point, options: { halfExtents: Point }): { path: Point[] };
    destroy(): void;
  };
}
interface Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}
const wrapper = core as unknown as Wrapper;
const halfExtents = { x: 2, y: 4, z: 2 };
const asPoint = ([x, y, z]: Vec3): Point => ({ x, y, z });
const asVec3 = ({ x, y, z }: Point): Vec3 => [x, y, z];

describe.each([
  ["rooms", apartment()],
  ["storeys", twoStoreys("with stairs")],
])("the package's own reader and queries, on a saved navmesh of %s,", (_, geometry) => {
  let mesh: NavMesh;
  let peer: InstanceType<Wrapper["NavMeshQuery"]>;
  beforeAll(async () => {
    mesh = await NavMesh.build(geometry, HABITAT_NAVMESH, "peer");
    peer = new wrapper.NavMeshQuery(wrapper.importNavMesh(mesh.save()).navMesh);
  });
  afterAll(() => {
    peer.destroy();
    mesh.dispose();
  });

  it("the queries of this package snap to the same points, to the last bit", () => {
    const random = new Random(2);
    for (let i = 0; i < 3000; i++) {
      const point: Vec3 = [
        -8 + 20 * random.uniform(),
        -2 + 7 * random.uniform(),
        -6 + 12 * random.uniform(),
      ];
      const { nearestRef, nearestPoint } = peer.findNearestPoly(asPoint(point), { halfExtents });
      expect(mesh.snap(point)).toEqual(nearestRef === 0 ? undefined : asVec3(nearestPoint));
    }
  });

  it("the queries of this package find the same paths", () => {
    const random = new Random(3);
    for (let i = 0; i < 300; i++) {
      const from = mesh.randomPoint(random, 0);
      const to = mesh.randomPoint(random, 0);
      const { path } = peer.computePath(asPoint(from), asPoint(to), { halfExtents });
      const ours = mesh.path(from, to);
      expect(ours.length).toBe(path.length);
      expect(ours).toEqual(path.map(asVec3));
    }
  });
});
