import type { EpisodeLine } from "../../../core/interfaces/result.js";
import { makeSimulator } from "../../../evaluator/execute/task-session.js";
import type { TaskPlan } from "../../../evaluator/plan/prepare.js";
import { fragmentOf } from "../../../robots/descriptor.js";
import type { Trajectory } from "../../../runs/directory/trajectory.js";
import { fixtureNames } from "../../../simulator/manipulation/fixtures/names.js";
import type { PhysicsBody } from "../../../simulator/manipulation/physics/bodies.js";
import { visibleGeoms } from "../../../simulator/manipulation/visual/scene.js";
import type { ManipulationWorld } from "../../../simulator/manipulation/world/world.js";
import { writeGlb } from "../../../simulator/scenes/gltf/export-glb.js";
import { withBrowserTextures } from "./browser-textures.js";
import type { NoScene, SceneFile } from "./scene-glb.js";
import { nameOfBytes } from "./scene-name.js";
import { drawnConfig, shownWorld } from "./shown.js";
import { worldModel } from "./world-model.js";

/** The world of a manipulation episode after reset. */
export async function worldGlb(
  plan: TaskPlan,
  line: EpisodeLine,
  { episode }: Trajectory,
): Promise<SceneFile | NoScene> {
  const simulator = await makeSimulator(plan, drawnConfig(plan));
  if (!simulator) return { note: `no simulator serves ${line.task_type}` };
  try {
    await simulator.reset(episode, { seed: line.seed });
    const { physics, world, geomGroups } = shownWorld(simulator);
    const { model, stand } = worldModel(line.scene_id, {
      physics,
      geoms: visibleGeoms(physics.geoms(), geomGroups),
      light: world.look.light,
      categories: categoriesOf(physics.bodies(), world),
      scenery: world.apartment?.model,
    });
    const bytes = await writeGlb(await withBrowserTextures(model), { lossy: true, stand });
    return { name: nameOfBytes(line.scene_id, bytes), bytes };
  } finally {
    await simulator.close();
  }
}

/** Category of a body, so that viewers can hide or follow it; `walls` hide the inside of a room. */
type BodyCategory = "robot" | "object" | "fixture" | "walls" | "surroundings";

/** Categories by body number; a body inherits the category of its parent. */
function categoriesOf(
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
