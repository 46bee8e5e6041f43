import type { ManipulationView } from "../../core/interfaces/manipulation-view.js";
import type { BaseSimulator } from "../../core/interfaces/simulator.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";
import type { ControlMode } from "./control/controller.js";
import type { Physics } from "./physics/physics.js";
import type { ManipulationWorld } from "./world/world.js";

/** A world in which a robot handles things: what a manipulation backend offers beyond any simulator's. */
export interface ManipulationSimulator extends BaseSimulator {
  readonly robot: RobotDescriptor;
  /** What the numbers of an action mean. */
  readonly controlMode: ControlMode;
  /** The true state, for experts; undefined while no episode is under way. */
  readonly manipulation: ManipulationView | undefined;
  /** What viewers draw, where the backend can tell; undefined while no episode is under way. */
  readonly shown?: ShownWorld | undefined;
}

/** Bodies, their shapes and where they are. It ends with the episode. */
export interface ShownWorld {
  readonly physics: Pick<Physics, "geoms" | "geomPose" | "bodies" | "bodyPlaces">;
  readonly world: ManipulationWorld;
}

export function isManipulationSimulator(
  simulator: BaseSimulator,
): simulator is ManipulationSimulator {
  return "manipulation" in simulator && "robot" in simulator && "controlMode" in simulator;
}
