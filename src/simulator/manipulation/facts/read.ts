import type { BaseEpisode } from "../../../core/episode/base.js";
import { conjugate, rotate } from "../../../core/math/quat-wxyz.js";
import { distance3, subtract, type Vec3 } from "../../../core/math/vec3.js";
import {
  FACTS_FORMAT,
  type Facts,
  type FingerForces,
  type FixtureFacts,
  type ObjectFacts,
  type ThingFacts,
} from "../../../core/rules/facts.js";
import type { FactNeeds, FixtureAspect, ObjectAspect } from "../../../core/rules/needs.js";
import { fragmentOf } from "../../../robots/descriptor.js";
import { drawerBox } from "../fixtures/drawer.js";
import { fixtureNames } from "../fixtures/names.js";
import type { Physics } from "../physics/physics.js";
import type { FixtureSpec, ManipulationWorld } from "../world/world.js";
import { checkNeeds } from "./check.js";
import { fixedThing } from "./fixed-thing.js";
import { imageHalves } from "./image.js";
import { TouchReader } from "./touches.js";
import { ViewReader } from "./views.js";

/**
 * Reads the facts that an episode's rules need, after reset and after each control step. Other facts are not read,
 * because contacts are expensive.
 */
export class FactReader {
  readonly #physics: Physics;
  readonly #world: ManipulationWorld;
  readonly #needs: FactNeeds;
  readonly #fixtures: readonly (readonly [FixtureSpec, ReadonlySet<FixtureAspect>])[];
  readonly #robotBodies: readonly string[];
  readonly #views: ViewReader;
  #touches: TouchReader | undefined;
  #isFirst = true;

  /** @throws DataError if a rule names something that is not in the world */
  constructor(physics: Physics, world: ManipulationWorld, needs: FactNeeds, episode: BaseEpisode) {
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
    this.#views = new ViewReader(physics);
  }

  /** The current facts. Constant facts (`things`) are in the first result only. */
  read(): Facts {
    const { objects, joints, contacts, seen, views, robot, collisions } = this.#needs;
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
            isInImage(physics.body(name).position, physics.camera(camera)),
          ),
        ]),
      );
    }
    if (views.size > 0) {
      facts.views = Object.fromEntries(
        [...views].map(([camera, names]) => [
          camera,
          Object.fromEntries([...names].map((name) => [name, this.#views.read(name, camera)])),
        ]),
      );
    }
    if (collisions) facts.collision_n = physics.collisionForce(this.#robotBodies);
    return facts;
  }

  #things(): NonNullable<Facts["things"]> {
    const { objects, joints } = this.#needs;
    const known = new Set(this.#world.objects.map(({ name }) => name));
    return Object.fromEntries([
      ...this.#world.objects
        .filter(({ name }) => objects.has(name))
        .map(({ name, shape, sizeM }) => [name, { shape, size_m: sizeM }]),
      ...[...objects.keys()]
        .filter((name) => !known.has(name))
        .map((name) => [name, this.#otherThing(name)]),
      ...this.#fixtures.map(([{ name, kind }]) => [name, { kind }]),
      ...[...joints].map((name) => [name, { range: this.#physics.jointRange(name) }]),
    ]);
  }

  /** A drawer's pose is in the state, because it moves. */
  #otherThing(name: string): ThingFacts {
    const drawer = this.#world.fixtures.find((spec) => spec.name === name && spec.furniture);
    return drawer
      ? { shape: "box", size_m: drawerBox(drawer).sizeM }
      : fixedThing(this.#physics, name);
  }

  #object(name: string, aspects: ReadonlySet<ObjectAspect>): ObjectFacts {
    const physics = this.#physics;
    const velocity = aspects.has("motion") ? physics.bodyVelocity(name) : undefined;
    return {
      ...(velocity
        ? { speed_mps: length(velocity.linear), turn_radps: length(velocity.angular) }
        : {}),
      ...(aspects.has("fingers") ? { fingers_n: this.#fingersOn(name) } : {}),
      ...(aspects.has("finger_contact") ? { fingers_touch: this.#fingersTouch(name) } : {}),
      ...(aspects.has("robot_contact")
        ? { robot_touches: this.#robotBodies.some((body) => physics.touching(body, name)) }
        : {}),
      ...(aspects.has("touches") ? { touches: this.#touchReader().read(name) } : {}),
    };
  }

  #touchReader(): TouchReader {
    this.#touches ??= new TouchReader(
      this.#physics,
      new Set([...this.#world.objects.map(({ name }) => name), ...this.#needs.objects.keys()]),
      this.#robotBodies,
    );
    return this.#touches;
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
    const [one, other] = this.#fingers;
    return [this.#physics.pressure(one, body), this.#physics.pressure(other, body)];
  }

  #fingersTouch(body: string): readonly [boolean, boolean] {
    const [one, other] = this.#fingers;
    return [this.#physics.geomsTouch(one, body), this.#physics.geomsTouch(other, body)];
  }

  /** Names of the geoms of each finger. */
  get #fingers(): readonly [readonly string[], readonly string[]] {
    return this.#world.robot.model?.gripper?.fingers ?? [[], []];
  }
}

/** Whether a point is in a camera's 4:3 image; occlusion is ignored. The camera looks along its -z with y up. */
function isInImage(point: Vec3, { pose, fovyDeg }: ReturnType<Physics["camera"]>): boolean {
  const [x, y, z] = rotate(conjugate(pose.rotation_wxyz), subtract(point, pose.position));
  if (z >= 0) return false;
  const { width, height } = imageHalves(fovyDeg, -z);
  return Math.abs(y) <= height && Math.abs(x) <= width;
}

function length([x, y, z]: Vec3): number {
  return Math.sqrt(x * x + y * y + z * z);
}
