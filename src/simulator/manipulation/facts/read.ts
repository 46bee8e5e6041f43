import type { BaseEpisode } from "../../../core/episode/base.js";
import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { distance3, type Vec3 } from "../../../core/math/vec3.js";
import {
  FACTS_FORMAT,
  type Facts,
  type FingerForces,
  type FixtureFacts,
  type ObjectFacts,
} from "../../../core/rules/facts.js";
import type { FactNeeds, FixtureAspect, ObjectAspect } from "../../../core/rules/needs.js";
import { fragmentOf } from "../../../robots/descriptor.js";
import { fixtureNames } from "../fixtures/names.js";
import type { FixtureSpec, ManipulationWorld } from "../world/world.js";
import { checkNeeds } from "./check.js";
import { isInPicture } from "./picture.js";

/** What reading facts asks of the physics. */
export interface FactsPhysics {
  joint(name: string): number;
  jointVelocity(name: string): number;
  jointRange(name: string): readonly [number, number] | undefined;
  names(kind: "joint" | "camera"): readonly string[];
  body(name: string): Pose3;
  bodyVelocity(name: string): { readonly linear: Vec3; readonly angular: Vec3 };
  site(name: string): Pose3;
  camera(name: string): { readonly pose: Pose3; readonly fovyDeg: number };
  pressure(geoms: readonly string[], body: string): number;
  touching(bodyA: string, bodyB: string): boolean;
}

/**
 * Reads the facts that an episode's rules ask for, after reset and after each control step. Contacts are what
 * costs, so nothing else is read.
 */
export class FactReader {
  readonly #physics: FactsPhysics;
  readonly #world: ManipulationWorld;
  readonly #needs: FactNeeds;
  readonly #fixtures: readonly (readonly [FixtureSpec, ReadonlySet<FixtureAspect>])[];
  readonly #robotBodies: readonly string[];
  #isFirst = true;

  /** @throws DataError where a rule names what is not in the world */
  constructor(
    physics: FactsPhysics,
    world: ManipulationWorld,
    needs: FactNeeds,
    episode: BaseEpisode,
  ) {
    checkNeeds(needs, physics, world, episode);
    this.#physics = physics;
    this.#world = world;
    this.#needs = needs;
    this.#fixtures = world.fixtures.flatMap((spec) => {
      const aspects = needs.fixtures.get(spec.name);
      return aspects ? [[spec, aspects] as const] : [];
    });
    const bodies = world.robotBodies ?? [fragmentOf(world.robot)?.worldbody?.[0]?.attributes.name];
    this.#robotBodies = bodies.filter((name) => typeof name === "string");
  }

  /** Of the physics as it is now; what does not change is in the first one only. */
  read(): Facts {
    const { objects, joints, contacts, seen, robot } = this.#needs;
    const physics = this.#physics;
    const facts: Record<string, unknown> = this.#isFirst
      ? { format: FACTS_FORMAT, things: this.#things() }
      : {};
    this.#isFirst = false;
    const moving: Record<string, ObjectFacts> = {};
    for (const [name, aspects] of objects) {
      if (aspects.size > 1 || !aspects.has("pose")) moving[name] = this.#object(name, aspects);
    }
    if (Object.keys(moving).length > 0) facts.objects = moving;
    if (this.#fixtures.length > 0) {
      facts.fixtures = Object.fromEntries(
        this.#fixtures.map(([spec, aspects]) => [spec.name, this.#fixture(spec, aspects)]),
      );
    }
    if (joints.size > 0) {
      facts.joints = Object.fromEntries(
        [...joints].map((name) => [name, { position: physics.joint(name) }]),
      );
    }
    if (contacts.length > 0) {
      facts.contacts = contacts.filter(([a, b]) => physics.touching(a, b));
    }
    if (robot) facts.robot = { position: physics.body(this.#robotBodies[0] ?? "").position };
    if (seen.size > 0) {
      facts.seen = Object.fromEntries(
        [...seen].map(([camera, names]) => [
          camera,
          [...names].filter((name) =>
            isInPicture(physics.body(name).position, physics.camera(camera)),
          ),
        ]),
      );
    }
    return facts;
  }

  #things(): NonNullable<Facts["things"]> {
    const { objects, joints } = this.#needs;
    return Object.fromEntries([
      ...this.#world.objects
        .filter(({ name }) => objects.has(name))
        .map(({ name, shape, sizeM }) => [name, { shape, size_m: sizeM }]),
      ...this.#fixtures.map(([{ name, kind }]) => [name, { kind }]),
      ...[...joints].map((name) => [name, { range: this.#physics.jointRange(name) }]),
    ]);
  }

  #object(name: string, aspects: ReadonlySet<ObjectAspect>): ObjectFacts {
    const physics = this.#physics;
    const velocity = aspects.has("motion") ? physics.bodyVelocity(name) : undefined;
    return {
      ...(velocity
        ? { speed_mps: length(velocity.linear), turn_radps: length(velocity.angular) }
        : {}),
      ...(aspects.has("fingers") ? { fingers_n: this.#fingersOn(name) } : {}),
      ...(aspects.has("robot_contact")
        ? { robot_touches: this.#robotBodies.some((body) => physics.touching(body, name)) }
        : {}),
    };
  }

  #fixture({ name, range }: FixtureSpec, aspects: ReadonlySet<FixtureAspect>): FixtureFacts {
    const physics = this.#physics;
    const { joint, handle, moving } = fixtureNames(name);
    const { model } = this.#world.robot;
    return {
      ...(aspects.has("opening")
        ? { opened: physics.joint(joint) / range, speed: physics.jointVelocity(joint) }
        : {}),
      ...(aspects.has("fingers") ? { fingers_n: this.#fingersOn(moving) } : {}),
      ...(aspects.has("reach") && model
        ? {
            reach_m: distance3(
              physics.site(model.endEffectorSite).position,
              physics.site(handle).position,
            ),
          }
        : {}),
    };
  }

  #fingersOn(body: string): FingerForces {
    const fingers = this.#world.robot.model?.gripper.fingers ?? [[], []];
    return [this.#physics.pressure(fingers[0], body), this.#physics.pressure(fingers[1], body)];
  }
}

function length([x, y, z]: Vec3): number {
  return Math.sqrt(x * x + y * y + z * z);
}
