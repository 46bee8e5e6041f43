import type { EpisodeLine } from "../../../core/interfaces/result.js";
import { makeSimulator } from "../../../evaluator/execute/task-session.js";
import type { TaskPlan } from "../../../evaluator/plan/prepare.js";
import type { Trajectory } from "../../../runs/directory/trajectory.js";
import { visibleGeoms } from "../../../simulator/manipulation/visual/scene.js";
import { writeGlb } from "../../../simulator/scenes/gltf/export-glb.js";
import { categoriesOf } from "./body-categories.js";
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
    const { physics, world } = shownWorld(simulator);
    const { model, stand } = worldModel(line.scene_id, {
      physics,
      geoms: visibleGeoms(physics.geoms()),
      light: world.look.light,
      categories: categoriesOf(physics.bodies(), world),
    });
    const bytes = await writeGlb(await withBrowserTextures(model), { lossy: true, stand });
    return { name: nameOfBytes(line.scene_id, bytes), bytes };
  } finally {
    await simulator.close();
  }
}
