import { describe, expect, it } from "vitest";
import { Random } from "../../../core/math/random.js";
import { STRETCH } from "../../../robots/stretch.js";
import { OBJECT_SHAPES } from "../world/world.js";
import { stretchWorld, WorldLab } from "../world/world-lab.fixture.js";
import { SHAPES } from "./object.js";

/** All shapes in a row on the table beside Stretch, each with a random yaw. */
function row(seed: number) {
  const random = new Random(seed);
  return OBJECT_SHAPES.map((shape, i) => ({
    name: shape,
    shape,
    position: [-0.4 + 0.16 * i, -0.8 + 0.1 * random.normal() * 0.5],
    yaw: 2 * Math.PI * random.uniform(),
  }));
}

describe("every shape", () => {
  it("every shape is at least 6 cm tall and fits into the gripper of Stretch by default", () => {
    const opening = STRETCH.model.gripper.openingM;
    for (const { sizeM } of Object.values(SHAPES)) {
      expect(sizeM[2]).toBeGreaterThanOrEqual(0.06);
      expect(Math.max(sizeM[0], sizeM[1])).toBeLessThan(opening - 0.01);
    }
  });

  it.each([
    { seed: 1, sleep: true },
    { seed: 2, sleep: false },
    { seed: 3, sleep: false },
  ])(
    "every shape stands still on the table at a random yaw (seed $seed, sleep $sleep)",
    async ({ seed, sleep }) => {
      const world = stretchWorld({ scene_objects: row(seed) });
      const lab = await WorldLab.of(world, { sleep });
      lab.run(0.5);
      const settled = OBJECT_SHAPES.map((name) => lab.position(name));
      lab.run(2);
      const moved: Record<string, number> = {};
      for (const [i, { name, position }] of world.objects.entries()) {
        const now = lab.position(name);
        moved[name] = Math.hypot(...now.map((c, k) => c - (settled[i]?.[k] ?? 0)));
        expect(moved[name], name).toBeLessThan(1e-3);
        expect(lab.tiltDeg(name), name).toBeLessThan(0.5);
        expect(Math.abs(now[2] - position[2]), name).toBeLessThan(1e-3);
        expect(Math.hypot(now[0] - position[0], now[1] - position[1]), name).toBeLessThan(1e-3);
      }
      lab.close();
    },
  );

  it("every shape has its configured mass, whatever its parts", async () => {
    const objects = row(4).map((object, i) => ({ ...object, mass: 0.1 + 0.05 * i }));
    const lab = await WorldLab.of(
      stretchWorld({ scene_objects: objects, physics: { mass_scale: 1.5 } }),
    );
    for (const { name, mass } of objects) expect(lab.massOf(name)).toBeCloseTo(1.5 * mass, 9);
    lab.close();
  });

  it.each(OBJECT_SHAPES)("every shape fills its bounding box exactly: %s", (shape) => {
    const { sizeM, parts, outline } = SHAPES[shape];
    for (const [axis, extent] of ([0, 1, 2] as const).map((k) => [k, sizeM[k]] as const)) {
      const reach = parts(sizeM).map((part) => {
        const at = part.position?.[axis] ?? 0;
        if (part.mesh) return Math.max(...part.mesh.vertices.map((v) => at + v[axis]));
        const [a = 0, b = 0, c = 0] = part.size ?? [];
        if (part.type === "box" && part.yawRad !== undefined) return 0;
        if (part.type === "box") return at + ([a, b, c][axis] ?? 0);
        const round = part.type === "capsule" ? b + a : b;
        return at + (axis === 2 ? round : a);
      });
      expect(Math.max(...reach)).toBeCloseTo(extent / 2, 6);
    }
    const xs = outline(sizeM).map(([x]) => x);
    expect(Math.max(...xs)).toBeCloseTo(sizeM[0] / 2, 6);
  });

  it("every shape slides by its own friction: on a slope only the slippery one slides", async () => {
    const lab = await WorldLab.of(
      stretchWorld({
        scene_objects: [
          { name: "slippery", shape: "box", position: [-0.2, -0.8], friction: 0.3 },
          { name: "rough", shape: "box", position: [0.2, -0.8], friction: 0.9 },
        ],
      }),
      { sleep: false },
    );
    // Equivalent to a slope of atan(0.5): too steep for one friction, not for the other.
    lab.model.opt.gravity.set([0, 9.81 * 0.447, -9.81 * 0.894]);
    lab.run(0.3);
    expect(lab.position("slippery")[1]).toBeGreaterThan(-0.78);
    expect(lab.position("rough")[1]).toBeLessThan(-0.795);
    lab.close();
  });

  it("every shape can be stacked: a box, a cylinder and a hexagon stay on one another", async () => {
    const tower = ["box", "cylinder", "hexagon"] as const;
    let z = 0.75;
    const objects = tower.map((shape, i) => {
      const height = SHAPES[shape].sizeM[2];
      z += height;
      return { name: shape, shape, position: [0.1, -0.8, z - height / 2], yaw: 0.7 * i };
    });
    const lab = await WorldLab.of(stretchWorld({ scene_objects: objects }), { sleep: false });
    lab.run(2);
    for (const { name, position } of objects) {
      expect(lab.tiltDeg(name), name).toBeLessThan(1);
      expect(Math.abs(lab.position(name)[2] - (position[2] ?? 0)), name).toBeLessThan(2e-3);
    }
    lab.close();
  });

  it("every shape can be put into a cup", async () => {
    const lab = await WorldLab.of(
      stretchWorld({
        scene_objects: [
          { name: "cup", position: [0, -0.8] },
          { name: "sweet", shape: "box", size: [0.02, 0.02, 0.02], position: [0, -0.8, 0.86] },
        ],
      }),
    );
    lab.run(1);
    expect(lab.position("sweet")[2]).toBeLessThan(0.79);
    expect(lab.position("sweet")[2]).toBeGreaterThan(0.76);
    lab.close();
  });
});
