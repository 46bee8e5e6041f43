import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import type { BaseEpisode } from "../../../core/episode/base.js";
import { ConfigError } from "../../../core/errors.js";
import type { SceneSource } from "../../../core/scene/source.js";
import { type RobotDescriptor, robotFileOf } from "../../../robots/descriptor.js";
import { readWithin } from "../../scenes/within.js";
import { isInScene } from "../world/from-scene.js";
import { episodeError } from "../world/task-config.js";
import type { WorldDocuments } from "../world/world.js";
import { isMjcfFile } from "./file.js";
import type { MjcfLibrary } from "./model.js";

/** Reads the files of an episode's world: its scene and the robot's model. */
export async function documentsOf(
  episode: BaseEpisode,
  robot: RobotDescriptor,
  scenes: SceneSource | undefined,
  library: MjcfLibrary,
): Promise<Omit<WorldDocuments, "robotInScene">> {
  const { sceneId } = episode;
  if (!isMjcfFile(sceneId)) {
    if (robot.model && !robot.model.mjcf) {
      throw episodeError(
        episode,
        "scene_id",
        `the robot ${robot.robotType} has no model of its own, and the scene ${sceneId} is not an MJCF file`,
        "set scene_id to an MJCF file (.xml or .mjcf) that contains the robot",
      );
    }
    return robotDocument(robot, library);
  }
  if (!scenes) {
    throw episodeError(
      episode,
      "scene_id",
      `the folder of the scene ${sceneId} is not configured`,
      "set simulator.scenes or dataset.<x>.scenes in the benchmark",
    );
  }
  const file = await scenes.locate(sceneId);
  const scene = await readWithin(scenes.within, () => library.model(file));
  const own = isInScene(episode, robot, scene) ? {} : await robotDocument(robot, library);
  return { scene, ...own };
}

/** The robot's file, if its model is one. */
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
    `the model of the robot ${robot.robotType} has the relative path "${path}"`,
    { hint: 'use an absolute path, such as new URL("./robot.xml", import.meta.url)' },
  );
}
