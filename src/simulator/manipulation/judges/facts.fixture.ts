import { BaseEpisode } from "../../../core/episode/base.js";
import type { Goals } from "../../../core/episode/schemas.js";
import { STRETCH } from "../../../robots/stretch.js";
import type { FixtureSpec, ManipulationWorld, ObjectSpec } from "../world.js";
import type { Facts, FixtureFacts, ObjectFacts } from "./facts.js";

/** Facts and worlds made by hand, for judges that need no physics. */

/** Stands on a table of 0.75 m, far from the robot. */
export function object(changes: Partial<ObjectFacts> = {}): ObjectFacts {
  return {
    position: [0.5, 0, 0.8],
    rotation_wxyz: [1, 0, 0, 0],
    speedMps: 0,
    turnRadps: 0,
    fingersN: [0, 0],
    robotTouches: false,
    lowestM: 0.75,
    highestM: 0.85,
    reachM: 0.4,
    ...changes,
  };
}

export function fixture(changes: Partial<FixtureFacts> = {}): FixtureFacts {
  return { opened: 0, speed: 0, fingersN: [0, 0], reachM: 0.4, ...changes };
}

export function facts(changes: Partial<Facts> = {}): Facts {
  return {
    endEffector: { position: [0, 0, 1], rotation_wxyz: [1, 0, 0, 0] },
    gripper: 0.04,
    objects: {},
    fixtures: {},
    touching: [],
    ...changes,
  };
}

/** Between the fingers. */
export const HELD = { fingersN: [2, 2], robotTouches: true, reachM: 0 } as const;

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

export function episodeWith(goals: Goals, taskType = "pick_place"): BaseEpisode {
  return new BaseEpisode({ episodeId: "e1", taskType, sceneId: "tabletop", goals });
}
