import { RobotEvalError } from "../../../core/errors.js";
import type { EpisodeLine, RunInfo } from "../../../core/interfaces/result.js";
import type { TaskPlan } from "../../../evaluator/plan/prepare.js";
import type { RunDirectory } from "../../../runs/directory/run-directory.js";
import type { Trajectory } from "../../../runs/directory/trajectory.js";
import { mujocoSimulatorFactory } from "../../../simulator/manipulation/mujoco-backend.js";
import { graphSimulatorFactory } from "../../../simulator/navigation/graph.js";
import { navmeshSimulatorFactory } from "../../../simulator/navigation/navmesh.js";
import type { ViewPermissions } from "../view-permissions.js";
import { foreignGlb } from "./foreign-world.js";
import { graphGlb } from "./graph-glb.js";
import { navigationGlb } from "./navigation-glb.js";
import { planOf, trajectoryOf } from "./recorded.js";
import { worldGlb } from "./world-glb.js";

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
        : { note: "the episode's trajectory was not saved, and it alone says what its world was" };
    default:
      return {
        note: `what the ${plan.simulatorName} simulator's worlds look like is not known here`,
      };
  }
}
