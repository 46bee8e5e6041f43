import type { ManipulationView } from "../../core/interfaces/manipulation-view.js";
import type { BaseSimulator } from "../../core/interfaces/simulator.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";
import type { ControlMode } from "./control/controller.js";
import type { Physics } from "./physics/physics.js";
import type { ManipulationWorld } from "./world/world.js";

/** What a manipulation backend offers in addition to `BaseSimulator`. */
export interface ManipulationSimulator extends BaseSimulator {
  readonly robot: RobotDescriptor;
  /** How action vectors are interpreted. */
  readonly controlMode: ControlMode;
  /** The true state, for experts; undefined before the first reset. */
  readonly manipulation: ManipulationView | undefined;
  /** What viewers draw, if the backend provides it; undefined before the first reset. */
  readonly shown?: ShownWorld | undefined;
}

/** Bodies with their shapes and poses. Valid until the episode ends. */
export interface ShownWorld {
  readonly physics: Pick<Physics, "geoms" | "geomPose" | "bodies" | "bodyPlaces">;
  readonly world: ManipulationWorld;
  /** Groups of geoms that cameras see; undefined for MuJoCo's default. */
  readonly geomGroups?: readonly number[] | undefined;
}

export function isManipulationSimulator(
  simulator: BaseSimulator,
): simulator is ManipulationSimulator {
  return "manipulation" in simulator && "robot" in simulator && "controlMode" in simulator;
}
