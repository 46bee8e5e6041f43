import { fragmentOf } from "../../../robots/descriptor.js";
import { fixtureNames } from "../../../simulator/manipulation/fixtures/names.js";
import type { PhysicsBody } from "../../../simulator/manipulation/physics-bodies.js";
import type { ManipulationWorld } from "../../../simulator/manipulation/world.js";

/** What a body belongs to, for viewers that hide or follow: `walls` hide the rest from outside. */
type BodyCategory = "robot" | "object" | "fixture" | "walls" | "surroundings";

/** By the bodies' numbers; what hangs on a body is of its kind. */
export function categoriesOf(
  bodies: readonly PhysicsBody[],
  world: ManipulationWorld,
): readonly BodyCategory[] {
  const known = knownBodies(world);
  const categories: BodyCategory[] = [];
  for (const [i, { name, parent }] of bodies.entries()) {
    // MuJoCo numbers a body after the one that it hangs on.
    const inherited = i === 0 ? undefined : categories[parent];
    categories.push(known.get(name) ?? inherited ?? "surroundings");
  }
  return categories;
}

function knownBodies(world: ManipulationWorld): ReadonlyMap<string, BodyCategory> {
  const { robot, robotBodies, objects, fixtures } = world;
  const own = robotBodies ?? [fragmentOf(robot)?.worldbody?.[0]?.attributes.name];
  return new Map<string, BodyCategory>([
    ["walls", "walls"],
    ...own.flatMap((name): [string, BodyCategory][] =>
      typeof name === "string" ? [[name, "robot"]] : [],
    ),
    ...fixtures.map(({ name }): [string, BodyCategory] => [fixtureNames(name).body, "fixture"]),
    ...objects.map(({ name }): [string, BodyCategory] => [name, "object"]),
  ]);
}
