import { DataError, show } from "../../../core/errors.js";
import type { EpisodeLine } from "../../../core/interfaces/result.js";
import type { TaskPlan } from "../../../evaluator/plan/prepare.js";
import type { Trajectory } from "../../../runs/directory/trajectory.js";
import {
  navMeshSettings,
  readNavmeshConfig,
} from "../../../simulator/navigation/navmesh-config.js";
import { sceneLibrary } from "../../../simulator/navigation/scene-library.js";
import { writeGlb } from "../../../simulator/scenes/gltf/export-glb.js";
import { withBrowserTextures } from "./browser-textures.js";
import type { SceneFile } from "./scene-glb.js";
import { sceneName } from "./scene-name.js";

/** A generated apartment or a scene's file. */
export async function navigationGlb(
  { task, simulatorConfig }: TaskPlan,
  line: EpisodeLine,
  trajectory: Trajectory | undefined,
): Promise<SceneFile> {
  const settings = navMeshSettings(readNavmeshConfig(simulatorConfig));
  const scene = await sceneLibrary.scene(line.scene_id, task.scenes, settings);
  try {
    checkScene(line, scene.sha256, trajectory?.records[0]?.state.scene_sha256);
    const model = await withBrowserTextures(scene.model);
    return {
      name: sceneName(line.scene_id, scene.sha256),
      bytes: await writeGlb(model, { lossy: true }),
    };
  } finally {
    scene.release();
  }
}

/** Rejects a scene that differs from the recorded one: the path would not fit its walls. */
function checkScene(line: EpisodeLine, found: string, recorded: unknown): void {
  if (recorded === undefined || found === recorded) return;
  throw new DataError(
    "other_scene",
    `the episode was recorded in another ${line.scene_id} than the one found now`,
    {
      where: `sha256 recorded ${show(recorded)}, found "${found}"`,
      hint: "bring back the scene's file, or the version that generated it",
    },
  );
}
