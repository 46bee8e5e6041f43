import type { ComposeOptions } from "../mjcf/compose.js";
import { type WorldDocument, worldDocument } from "../mjcf/compose-files.js";
import { Physics } from "../physics/physics.js";
import { checkRobot } from "./check-robot.js";
import type { ManipulationWorld } from "./world.js";

/** A world in MuJoCo, nothing placed yet, with the robot that its descriptor promises. */
export async function createWorld(
  world: ManipulationWorld,
  options: ComposeOptions,
  where: string,
  { xml, files }: WorldDocument = worldDocument(world, options),
): Promise<Physics> {
  const physics = await Physics.create(xml, { files, where, timestepS: options.timestepS });
  try {
    checkRobot(physics, world.robot, where);
    return physics;
  } catch (error) {
    physics.dispose();
    throw error;
  }
}

/** The world with the bodies that are the robot's, where only the compiled model knows them. */
export function withRobotBodies(physics: Physics, world: ManipulationWorld): ManipulationWorld {
  const { documents, robot } = world;
  if (!documents?.robot && !documents?.robotInScene) return world;
  const joints = robot.dofs.flatMap((dof) => dof.joints);
  return { ...world, robotBodies: physics.anatomy().bodiesOf(joints) };
}
