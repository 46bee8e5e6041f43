import { fragmentOf } from "../../../robots/descriptor.js";
import { fixtureNames } from "../../../simulator/manipulation/fixtures/names.js";
import type { PhysicsBody } from "../../../simulator/manipulation/physics/bodies.js";
import type { ManipulationWorld } from "../../../simulator/manipulation/world/world.js";

/** Category of a body, so that viewers can hide or follow it; `walls` hide the inside of a room. */
type BodyCategory = "robot" | "object" | "fixture" | "walls" | "surroundings";

/** Categories by body number; a body inherits the category of its parent. */
export function categoriesOf(
  bodies: readonly PhysicsBody[],
  world: ManipulationWorld,
): readonly BodyCategory[] {
  const known = knownBodies(world);
  const categories: BodyCategory[] = [];
  for (const [i, { name, parent }] of bodies.entries()) {
    // In MuJoCo, parents have lower numbers than their children.
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
