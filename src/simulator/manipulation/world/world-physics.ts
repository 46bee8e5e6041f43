import type { ComposeOptions } from "../mjcf/compose.js";
import { type WorldDocument, worldDocument } from "../mjcf/compose-files.js";
import type { ModelCache } from "../physics/model/cache.js";
import { Physics } from "../physics/physics.js";
import { checkRobot } from "./check-robot.js";
import type { ManipulationWorld } from "./world.js";

/** Compiles a world and checks that it has the robot's elements. Nothing is placed yet. */
export async function createWorld(
  world: ManipulationWorld,
  options: ComposeOptions,
  where: string,
  {
    document: { xml, files } = worldDocument(world, options),
    cache,
  }: { readonly document?: WorldDocument; readonly cache?: ModelCache | undefined } = {},
): Promise<Physics> {
  const physics = await Physics.create(xml, { files, where, timestepS: options.timestepS, cache });
  try {
    checkRobot(physics, world.robot, where);
    return physics;
  } catch (error) {
    physics.dispose();
    throw error;
  }
}

/** Adds the robot's bodies if they are in a file, because only the compiled model has them. */
export function withRobotBodies(physics: Physics, world: ManipulationWorld): ManipulationWorld {
  const { documents, robot } = world;
  if (!documents?.robot && !documents?.robotInScene) return world;
  const joints = robot.dofs.flatMap((dof) => dof.joints);
  return { ...world, robotBodies: physics.inspect().bodiesOf(joints) };
}
