import { STRETCH } from "../../../robots/stretch.js";
import type { FixtureSpec, ManipulationWorld, ObjectSpec } from "../world/world.js";

/** Hand-made worlds. */

export function objectSpec(name: string, changes: Partial<ObjectSpec> = {}): ObjectSpec {
  return {
    name,
    shape: "box",
    sizeM: [0.06, 0.08, 0.1],
    position: [0.5, 0, 0.8],
    rotation_wxyz: [1, 0, 0, 0],
    massKg: 0.2,
    friction: 1,
    color: [1, 0, 0],
    ...changes,
  };
}

export function fixtureSpec(name: string, changes: Partial<FixtureSpec> = {}): FixtureSpec {
  return {
    name,
    kind: "drawer",
    position: [0.7, 0, 0.8],
    yawRad: 0,
    sizeM: [0.3, 0.3, 0.25],
    range: 0.2,
    opened: 0,
    damping: 5,
    frictionLoss: 1,
    ...changes,
  };
}

export function worldWith(
  objects: readonly ObjectSpec[],
  fixtures: readonly FixtureSpec[] = [],
): ManipulationWorld {
  return {
    robot: STRETCH,
    basePose: [0, 0, 0],
    joints: STRETCH.model?.home ?? [],
    table: { position: [0, -0.8, 0.7], yawRad: 0, sizeM: [1, 0.6, 0.04] },
    objects,
    fixtures,
    look: {
      table: [0.6, 0.45, 0.3],
      floor: [0.6, 0.6, 0.6],
      wall: [0.8, 0.8, 0.8],
      camera: { offsetM: [0, 0, 0], panDeg: 0, tiltDeg: 0 },
      light: { intensity: 1, color: [1, 1, 1] },
    },
    physics: { massScale: 1, frictionScale: 1 },
  };
}
