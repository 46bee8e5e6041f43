import { RobotEvalError } from "../../../core/errors.js";
import type { EpisodeLine, RunInfo } from "../../../core/interfaces/result.js";
import type { TaskPlan } from "../../../evaluator/plan/prepare.js";
import type { RunDirectory } from "../../../runs/directory/run-directory.js";
import { checkScene, type Trajectory } from "../../../runs/directory/trajectory.js";
import { mujocoSimulatorFactory } from "../../../simulator/manipulation/mujoco-backend.js";
import { graphSimulatorFactory } from "../../../simulator/navigation/graph.js";
import { navmeshSimulatorFactory } from "../../../simulator/navigation/navmesh.js";
import {
  navMeshSettings,
  readNavmeshConfig,
} from "../../../simulator/navigation/navmesh-config.js";
import { sceneLibrary } from "../../../simulator/navigation/scene-library.js";
import { writeGlb } from "../../../simulator/scenes/gltf/export-glb.js";
import type { ViewPermissions } from "../view-permissions.js";
import { withBrowserTextures } from "./browser-textures.js";
import { foreignGlb } from "./foreign-world.js";
import { graphGlb } from "./graph-glb.js";
import { planOf, trajectoryOf } from "./recorded.js";
import { sceneName } from "./scene-name.js";
import { worldGlb } from "./world-glb.js";

const OTHER_SCENE_HINT = "restore the scene's file, or use the version that generated it";

/** `name` identifies the content: equal names mean equal files. */
export interface SceneFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The reason why there is no geometry. */
export interface NoScene {
  readonly note: string;
}

/**
 * The geometry of an episode's scene as binary glTF without compression extensions. Metres, y up. Every object is a
 * named node with its category in `extras`: a view from above hides the category `ceiling`. In a manipulation world
 * every body is a node below the root `world_z_up`.
 *
 * A note explains missing geometry.
 *
 * @throws DataError if the trajectory is damaged
 */
export async function sceneGlb(
  run: RunDirectory,
  info: RunInfo,
  line: EpisodeLine,
  permissions: ViewPermissions = {},
): Promise<SceneFile | NoScene> {
  const trajectory = await trajectoryOf(run, line);
  try {
    if (line.geometry !== undefined && trajectory) return await foreignGlb(run, line, trajectory);
    return await geometryOf(
      await planOf(run, info, line, trajectory, permissions),
      line,
      trajectory,
    );
  } catch (error) {
    if (!(error instanceof RobotEvalError)) throw error;
    return { note: error.code === "no_world" ? error.message : error.describe() };
  }
}

async function geometryOf(
  plan: TaskPlan,
  line: EpisodeLine,
  trajectory: Trajectory | undefined,
): Promise<SceneFile | NoScene> {
  switch (plan.simulator) {
    case navmeshSimulatorFactory:
      return navigationGlb(plan, line, trajectory);
    case graphSimulatorFactory:
      return graphGlb(plan, line);
    case mujocoSimulatorFactory:
      return trajectory
        ? worldGlb(plan, line, trajectory)
        : { note: "the episode's trajectory was not saved, so its world is unknown" };
    default:
      return {
        note: `worlds of the ${plan.simulatorName} simulator have no geometry for the 3D view`,
      };
  }
}

/** A generated apartment or a scene's file. */
async function navigationGlb(
  { task, simulatorConfig }: TaskPlan,
  line: EpisodeLine,
  trajectory: Trajectory | undefined,
): Promise<SceneFile> {
  const settings = navMeshSettings(readNavmeshConfig(simulatorConfig));
  const scene = await sceneLibrary.scene(line.scene_id, task.scenes, settings);
  try {
    checkScene(line, scene.sha256, trajectory?.records ?? [], OTHER_SCENE_HINT);
    const model = await withBrowserTextures(scene.model);
    return {
      name: sceneName(line.scene_id, scene.sha256),
      bytes: await writeGlb(model, { lossy: true }),
    };
  } finally {
    scene.release();
  }
}
