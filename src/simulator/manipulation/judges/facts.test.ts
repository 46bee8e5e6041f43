import { afterEach, describe, expect, it } from "vitest";
import { worldMjcf } from "../compose.js";
import { Physics } from "../physics.js";
import type { ManipulationWorld } from "../world.js";
import { fixtureSpec, objectSpec, worldWith } from "./facts.fixture.js";
import { readFacts } from "./facts.js";

const open: Physics[] = [];
afterEach(() => {
  for (const physics of open.splice(0)) physics.dispose();
});

async function physicsOf(world: ManipulationWorld): Promise<Physics> {
  const physics = await Physics.create(worldMjcf(world));
  open.push(physics);
  return physics;
}

/** On the table's top, at 0.7 m. */
const UPPER = objectSpec("upper", { position: [0.2, -0.8, 0.85] });
const LOWER = objectSpec("lower", { position: [0.2, -0.8, 0.75] });
const BESIDE = objectSpec("beside", {
  shape: "cup",
  sizeM: [0.06, 0.06, 0.1],
  position: [-0.3, -0.8, 0.75],
});

describe("the facts of a world", () => {
  it("are of objects that stand on each other and on the table, at rest and let alone", async () => {
    const world = worldWith([UPPER, LOWER, BESIDE]);
    const physics = await physicsOf(world);
    physics.step(500);
    const { objects, touching } = readFacts(physics, world);
    expect(Math.abs((objects.lower?.lowestM ?? 0) - 0.7)).toBeLessThan(2e-3);
    expect(Math.abs((objects.upper?.lowestM ?? 0) - (objects.lower?.highestM ?? 0))).toBeLessThan(
      2e-3,
    );
    expect(touching).toEqual([["upper", "lower"]]);
    for (const { speedMps, turnRadps, fingersN, robotTouches, reachM } of Object.values(objects)) {
      expect(speedMps).toBeLessThan(0.01);
      expect(turnRadps).toBeLessThan(0.5);
      expect(fingersN).toEqual([0, 0]);
      expect(robotTouches).toBe(false);
      expect(reachM).toBeGreaterThan(0.05);
    }
  });

  it("tell a fall by its speed", async () => {
    const world = worldWith([objectSpec("ball", { position: [0.2, -0.8, 1.5] })]);
    const physics = await physicsOf(world);
    physics.step(100);
    expect(readFacts(physics, world).objects.ball?.speedMps).toBeCloseTo(9.81 * 0.2, 1);
  });

  it("tell how far a drawer is open, and where its handle is", async () => {
    const world = worldWith([], [fixtureSpec("drawer", { opened: 0.5, position: [1.2, 0, 0.9] })]);
    const physics = await physicsOf(world);
    physics.step(10);
    const { drawer } = readFacts(physics, world).fixtures;
    expect(drawer?.opened).toBeCloseTo(0.5, 2);
    expect(drawer?.fingersN).toEqual([0, 0]);
    expect(drawer?.reachM).toBeGreaterThan(0.3);
  });

  it("are read of what a judge watches, and of all where nobody says", async () => {
    const world = worldWith(
      [UPPER, LOWER, BESIDE],
      [fixtureSpec("drawer", { position: [1.2, 0, 0.9] })],
    );
    const physics = await physicsOf(world);
    expect(Object.keys(readFacts(physics, world).objects)).toEqual(["upper", "lower", "beside"]);
    const few = readFacts(physics, world, ["beside"]);
    expect(Object.keys(few.objects)).toEqual(["beside"]);
    expect(Object.keys(few.fixtures)).toEqual([]);
  });
});
