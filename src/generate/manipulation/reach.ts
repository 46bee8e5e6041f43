import type { GraspStyle } from "../../agents/expert/grasps.js";
import type { Pose3 } from "../../core/interfaces/manipulation-view.js";
import type { Stage } from "./stage.js";

/** What of a robot's body the making of episodes asks: geometry, no physics. */
export interface Reach {
  /** Metres between the open fingers. */
  readonly openingM: number;
  /** How it takes things. */
  readonly styles: readonly GraspStyle[];
  /** Whether the end effector can be brought to a pose from how the stage starts. */
  canReach(pose: Pose3, stage: Pick<Stage, "basePose" | "joints">): boolean;
}
