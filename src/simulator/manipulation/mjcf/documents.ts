import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import type { BaseEpisode } from "../../../core/episode/base.js";
import { ConfigError } from "../../../core/errors.js";
import type { SceneSource } from "../../../core/scene/source.js";
import { type RobotDescriptor, robotFileOf } from "../../../robots/descriptor.js";
import { readWithin } from "../../scenes/within.js";
import { isInScene } from "../world/from-scene.js";
import { badWorld } from "../world/task-config.js";
import type { WorldDocuments } from "../world/world.js";
import { isMjcfFile } from "./file.js";
import type { MjcfLibrary } from "./model.js";

/** The files that an episode's world is made of: the scene that it names, and the robot's own. */
export async function documentsOf(
  episode: BaseEpisode,
  robot: RobotDescriptor,
  scenes: SceneSource | undefined,
  library: MjcfLibrary,
): Promise<Omit<WorldDocuments, "robotInScene">> {
  const { sceneId } = episode;
  if (!isMjcfFile(sceneId)) {
    if (robot.model && !robot.model.mjcf) {
      throw badWorld(
        episode,
        "scene_id",
        `the robot ${robot.robotType} has no body of its own, and ${sceneId} is no file that could have one`,
        "name an MJCF file that has the robot in it: scene_id ends in .xml or .mjcf",
      );
    }
    return robotDocument(robot, library);
  }
  if (!scenes) {
    throw badWorld(
      episode,
      "scene_id",
      `nobody said where the scene ${sceneId} is to be found`,
      "name the folder of scenes in the benchmark: simulator.scenes or dataset.<x>.scenes",
    );
  }
  const file = await scenes.locate(sceneId);
  const scene = await readWithin(scenes.within, () => library.model(file));
  const own = isInScene(episode, robot, scene) ? {} : await robotDocument(robot, library);
  return { scene, ...own };
}

/** The robot's own file, where its body is one. */
export async function robotDocument(
  robot: RobotDescriptor,
  library: MjcfLibrary,
): Promise<Pick<WorldDocuments, "robot">> {
  const file = robotFileOf(robot);
  if (file === undefined) return {};
  const path = file instanceof URL || file.startsWith("file:") ? fileURLToPath(file) : file;
  if (isAbsolute(path)) return { robot: await library.model(path) };
  throw new ConfigError(
    "bad_robot",
    `the body of the robot ${robot.robotType} is in "${path}", which is a path from nowhere`,
    { hint: 'file: new URL("./robot.xml", import.meta.url) is beside the module that says so' },
  );
}
