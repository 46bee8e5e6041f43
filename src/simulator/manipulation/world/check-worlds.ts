import type { BaseEpisode } from "../../../core/episode/base.js";
import { RobotEvalError } from "../../../core/errors.js";
import type { SimulatorOptions, WorldProblem } from "../../../core/interfaces/simulator.js";
import { isRecord } from "../../../core/record.js";
import { checkScenes } from "../../check-scenes.js";
import { isMjcfFile } from "../mjcf/file.js";
import { MujocoSimulator } from "../mujoco-simulator.js";

/** Scene files whose models are compiled; the robot is the same in all of them. */
const COMPILED = 8;

/** Looks for all scene files, and builds the first world of some of them with the robot and its cameras. */
export async function checkMujocoWorlds(
  options: SimulatorOptions,
  episodes: readonly BaseEpisode[],
): Promise<readonly WorldProblem[]> {
  const { scenes, config } = options;
  const { found, problems } = await checkScenes(episodes, async (sceneId) => {
    if (isMjcfFile(sceneId)) await scenes?.locate(sceneId);
  });
  const inFiles = found.filter(({ sceneId }) => isMjcfFile(sceneId));
  // Worlds without a file are made from the episode; one of them shows whether the robot's own model works.
  const made = found.filter(({ sceneId }) => !isMjcfFile(sceneId)).slice(0, 1);
  const isRequested = isRecord(config.sensors);
  const simulator = new MujocoSimulator(options);
  const all = [...problems];
  try {
    for (const episode of [...inFiles.slice(0, COMPILED), ...made]) {
      all.push(...(await buildWorld(simulator, episode, isRequested)));
    }
  } finally {
    simulator.close();
  }
  return all;
}

/** @param isRequested true if the benchmark lists its sensors, so that a missing camera is a mistake */
async function buildWorld(
  simulator: MujocoSimulator,
  episode: BaseEpisode,
  isRequested: boolean,
): Promise<readonly WorldProblem[]> {
  const where = `scene ${episode.sceneId}, episode ${episode.episodeId}`;
  try {
    await simulator.reset(episode);
  } catch (error) {
    if (!(error instanceof RobotEvalError)) throw error;
    const { code, message, hint } = error;
    return [{ level: "error", code, message, where: error.where ?? where, hint }];
  }
  return [
    ...simulator.missingCameras.map(
      (name): WorldProblem => ({
        level: isRequested ? "error" : "warning",
        code: "no_camera",
        message: `the model has no camera for the sensor "${name}"`,
        where,
        hint: "add the camera to the model, name another one in the robot's cameras, or switch the sensor off in simulator.sensors",
      }),
    ),
    ...simulator.notes.map(
      (message): WorldProblem => ({ level: "warning", code: "model_note", message, where }),
    ),
  ];
}
