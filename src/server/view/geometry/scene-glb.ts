import { RobotEvalError } from "../../../core/errors.js";
import type { EpisodeLine, RunInfo } from "../../../core/interfaces/result.js";
import type { TaskPlan } from "../../../evaluator/prepare.js";
import type { RunDirectory } from "../../../runs/run-directory.js";
import type { Trajectory } from "../../../runs/trajectory.js";
import { mujocoSimulatorFactory } from "../../../simulator/manipulation/mujoco-backend.js";
import { graphSimulatorFactory } from "../../../simulator/navigation/graph.js";
import { navmeshSimulatorFactory } from "../../../simulator/navigation/navmesh.js";
import { remoteSimulatorFactory } from "../../../simulator/remote/backend.js";
import { foreignGlb } from "./foreign-world.js";
import { graphGlb } from "./graph-glb.js";
import { navigationGlb } from "./navigation-glb.js";
import { planOf, trajectoryOf } from "./recorded.js";
import { worldGlb } from "./world-glb.js";

/** `name` tells content apart: equal names are equal files. */
export interface SceneFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Why there is nothing to show. */
export interface NoScene {
  readonly note: string;
}

/**
 * The geometry that an episode happened in, as binary glTF that needs no decoders. Metres, y up. Every thing
 * is a node with its name, and its category in `extras`: a viewer from above hides those of category `ceiling`.
 * In a manipulation world every body is such a node below the root `world_z_up`.
 *
 * What is missing is told in a note.
 *
 * @throws DataError where the trajectory is damaged
 */
export async function sceneGlb(
  run: RunDirectory,
  info: RunInfo,
  line: EpisodeLine,
): Promise<SceneFile | NoScene> {
  const trajectory = await trajectoryOf(run, line);
  try {
    if (line.geometry !== undefined && trajectory) return await foreignGlb(run, line, trajectory);
    return await geometryOf(await planOf(run, info, line, trajectory), line, trajectory);
  } catch (error) {
    if (!(error instanceof RobotEvalError)) throw error;
    return { note: error.describe() };
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
    case remoteSimulatorFactory:
      return { note: "what the world looked like was not kept: the simulator did not tell it" };
    default:
      return {
        note: `what the ${plan.simulatorName} simulator's worlds look like is not known here`,
      };
  }
}
