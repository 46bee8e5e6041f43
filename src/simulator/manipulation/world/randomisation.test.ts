import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { footprintOf, overTable } from "./overlap.js";
import { PLAIN_LOOK, randomisationRecord } from "./randomisation.js";
import { stretchWorld } from "./world-lab.fixture.js";

const objects = [
  { name: "cup_red", position: [0, -0.8] },
  // Near a corner of the table, which rotating the table could move away from below it.
  { name: "can", position: [0.55, -0.55] },
];

function drawn(level: number, seed: number | string = 3, physics = false) {
  return stretchWorld({ scene_objects: objects, randomization: { level, seed, physics } });
}

describe("randomisation", () => {
  it("randomisation changes more with every level, and keeps the draws of lower levels", () => {
    const [l0, l1, l2, l3] = [drawn(0), drawn(1), drawn(2), drawn(3)];
    expect(l0.look).toEqual(PLAIN_LOOK);
    expect(l1.look.table).not.toEqual(l0.look.table);
    expect(l1.look.camera).toEqual(l0.look.camera);
    expect(l1.table?.yawRad).not.toBe(l0.table?.yawRad);
    expect(l2.look.camera).not.toEqual(l1.look.camera);
    expect(l2.look.light).toEqual(l1.look.light);
    expect({ ...l2.look, camera: l1.look.camera }).toEqual(l1.look);
    expect(l3.look.light).not.toEqual(l2.look.light);
    expect({ ...l3.look, light: l2.look.light }).toEqual(l2.look);
    for (const world of [l1, l2, l3]) {
      expect(world.objects).toEqual(l0.objects);
      expect(world.physics).toEqual(l0.physics);
      expect(world.table).toEqual(l1.table);
    }
  });

  it("randomisation changes mass and friction only with the setting physics", () => {
    const { look, physics } = drawn(0, 3, true);
    expect(look).toEqual(PLAIN_LOOK);
    expect(physics.massScale).not.toBe(1);
    expect(physics.frictionScale).not.toBe(1);
  });

  it("randomisation depends on the seed only, which defaults to the episode id", () => {
    expect(drawn(3, 5, true)).toEqual(drawn(3, 5, true));
    expect(drawn(3, 5).look).not.toEqual(drawn(3, 6).look);
    const unseeded = () => stretchWorld({ randomization: { level: 3 } }).look;
    expect(unseeded()).toEqual(unseeded());
    expect(unseeded()).toEqual(stretchWorld({ randomization: { level: 3, seed: "e1" } }).look);
  });

  it("randomisation stays within its bounds and keeps all objects on the table", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const { look, physics, table, objects: things } = drawn(3, seed, true);
        const colors = [...look.table, ...look.floor, ...look.wall, ...look.light.color];
        expect(colors.every((c) => c >= 0 && c <= 1)).toBe(true);
        expect(Math.abs(look.camera.panDeg)).toBeLessThan(6);
        expect(Math.abs(look.camera.tiltDeg)).toBeLessThan(9);
        expect(physics.massScale).toBeGreaterThanOrEqual(0.5);
        expect(physics.massScale).toBeLessThanOrEqual(2);
        expect(physics.frictionScale).toBeGreaterThanOrEqual(0.7);
        expect(physics.frictionScale).toBeLessThanOrEqual(1.3);
        for (const thing of things) {
          for (const point of footprintOf(thing).outline) {
            expect(table && overTable(table, point)).toBe(true);
          }
        }
      }),
    );
  });

  it("randomisation aims the moved camera at the same point", () => {
    for (let seed = 0; seed < 20; seed++) {
      const { offsetM, panDeg, tiltDeg } = drawn(2, seed).look.camera;
      const distance = 1 + offsetM[2];
      expect(Math.abs(distance * Math.tan((panDeg * Math.PI) / 180) - offsetM[0])).toBeLessThan(
        0.03,
      );
      expect(Math.abs(distance * Math.tan((tiltDeg * Math.PI) / 180) + offsetM[1])).toBeLessThan(
        0.03,
      );
    }
  });

  it("randomisation is recorded with all drawn values", () => {
    const world = drawn(3, 1, true);
    const record: unknown = JSON.parse(JSON.stringify(randomisationRecord(world)));
    expect(record).toMatchObject({
      table_yaw: world.table?.yawRad,
      mass_scale: world.physics.massScale,
      light: { intensity: world.look.light.intensity },
    });
  });
});
