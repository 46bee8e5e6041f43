import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { distance3, type Vec3 } from "../../../core/math/vec3.js";
import { fragmentOf } from "../../../robots/descriptor.js";
import { fixtureNames } from "../fixtures/names.js";
import { objectPose } from "../object-pose.js";
import type { FixtureSpec, ManipulationWorld, ObjectSpec } from "../world.js";
import { distanceToBox, halfHeight } from "./shape.js";

/** What is so in the world after a control step, as far as judges ask. MuJoCo's axes: metres, z up. */
export interface Facts {
  readonly endEffector: Pose3;
  /** The value of the gripper's degree of freedom. */
  readonly gripper: number;
  readonly objects: Readonly<Record<string, ObjectFacts>>;
  readonly fixtures: Readonly<Record<string, FixtureFacts>>;
  /** Objects that are in contact with each other. */
  readonly touching: readonly (readonly [string, string])[];
}

/** Newtons with which each finger presses. */
type FingerForces = readonly [number, number];

export interface ObjectFacts extends Pose3 {
  readonly speedMps: number;
  readonly turnRadps: number;
  readonly fingersN: FingerForces;
  /** Any part of the robot is in contact with it, fingers included. */
  readonly robotTouches: boolean;
  /** Heights of its lowest and its highest point. */
  readonly lowestM: number;
  readonly highestM: number;
  /** From the end effector to its surface. */
  readonly reachM: number;
}

export interface FixtureFacts {
  /** 0 closed, 1 open. */
  readonly opened: number;
  /** Of its joint: metres or radians a second, above 0 where it opens. */
  readonly speed: number;
  readonly fingersN: FingerForces;
  /** From the end effector to its handle. */
  readonly reachM: number;
}

/** What reading the facts asks of the physics. */
export interface FactsPhysics {
  joint(name: string): number;
  jointVelocity(name: string): number;
  body(name: string): Pose3;
  bodyVelocity(name: string): { readonly linear: Vec3; readonly angular: Vec3 };
  site(name: string): Pose3;
  pressure(geoms: readonly string[], body: string): number;
  touching(bodyA: string, bodyB: string): boolean;
}

/**
 * Reads the facts, once a control step. Contacts are what costs, so `watches` (a judge's own) leaves out the
 * objects and fixtures that nobody asks about; without it all are read.
 */
export function readFacts(
  physics: FactsPhysics,
  world: ManipulationWorld,
  watches?: readonly string[],
): Facts {
  const { robot } = world;
  const { model } = robot;
  if (!model) throw new Error(`${robot.robotType} has no body`);
  const watched = ({ name }: { readonly name: string }) => watches?.includes(name) ?? true;
  const objects = world.objects.filter(watched);
  const endEffector = physics.site(model.endEffectorSite);
  const fingersOn = (body: string): FingerForces => [
    physics.pressure(model.gripper.fingers[0], body),
    physics.pressure(model.gripper.fingers[1], body),
  ];
  const robotBodies = world.robotBodies ?? [fragmentOf(robot)?.worldbody?.[0]?.attributes.name];
  const robotTouches = (object: string) =>
    robotBodies.some((body) => typeof body === "string" && physics.touching(body, object));
  const gripperJoints = robot.dofs[robot.gripperDof]?.joints ?? [];
  return {
    endEffector,
    gripper: gripperJoints.reduce((sum, joint) => sum + physics.joint(joint), 0),
    objects: named(objects, (spec) => {
      const felt = { fingersN: fingersOn(spec.name), robotTouches: robotTouches(spec.name) };
      return objectFacts(physics, spec, endEffector, felt);
    }),
    fixtures: named(world.fixtures.filter(watched), (spec) =>
      fixtureFacts(physics, spec, endEffector, fingersOn(fixtureNames(spec.name).moving)),
    ),
    touching: pairs(objects.map(({ name }) => name)).filter(([a, b]) => physics.touching(a, b)),
  };
}

function objectFacts(
  physics: FactsPhysics,
  spec: ObjectSpec,
  endEffector: Pose3,
  { fingersN, robotTouches }: Pick<ObjectFacts, "fingersN" | "robotTouches">,
): ObjectFacts {
  const { name, shape, sizeM } = spec;
  const pose = objectPose(physics, spec);
  const { linear, angular } = physics.bodyVelocity(name);
  const half = halfHeight(shape, sizeM, pose);
  return {
    position: pose.position,
    rotation_wxyz: pose.rotation_wxyz,
    fingersN,
    robotTouches,
    speedMps: length(linear),
    turnRadps: length(angular),
    lowestM: pose.position[2] - half,
    highestM: pose.position[2] + half,
    reachM: distanceToBox(endEffector.position, pose, sizeM),
  };
}

function fixtureFacts(
  physics: FactsPhysics,
  { name, range }: FixtureSpec,
  endEffector: Pose3,
  fingersN: FingerForces,
): FixtureFacts {
  const { joint, handle } = fixtureNames(name);
  return {
    opened: physics.joint(joint) / range,
    speed: physics.jointVelocity(joint),
    fingersN,
    reachM: distance3(endEffector.position, physics.site(handle).position),
  };
}

function named<S extends { readonly name: string }, F>(
  specs: readonly S[],
  read: (spec: S) => F,
): Readonly<Record<string, F>> {
  return Object.fromEntries(specs.map((spec) => [spec.name, read(spec)]));
}

function pairs(names: readonly string[]): (readonly [string, string])[] {
  return names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b] as const));
}

function length([x, y, z]: Vec3): number {
  return Math.sqrt(x * x + y * y + z * z);
}
