import type { GraspStyle } from "../../agents/expert/grasps.js";
import { downward } from "../../agents/expert/pose.js";
import { ConfigError } from "../../core/errors.js";
import type { Pose3 } from "../../core/interfaces/manipulation-view.js";
import { aboutAxis, multiply, rotate } from "../../core/math/quat-wxyz.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";
import { solveIk } from "../../simulator/manipulation/control/ik.js";
import { robotDocument } from "../../simulator/manipulation/mjcf/documents.js";
import { MjcfLibrary } from "../../simulator/manipulation/mjcf/model.js";
import { PLAIN_LOOK, PLAIN_PHYSICS } from "../../simulator/manipulation/world/randomisation.js";
import { createWorld } from "../../simulator/manipulation/world/world-physics.js";
import type { Stage } from "./stage.js";

/** The geometric limits of a robot's body that generated episodes must respect. */
export interface Reach {
  /** Metres between the open fingers. */
  readonly openingM: number;
  /** Possible hand orientations for a grasp. */
  readonly styles: readonly GraspStyle[];
  /** Whether the end effector can reach a pose from the stage's start pose and joints. */
  canReach(pose: Pose3, stage: Pick<Stage, "basePose" | "joints">): boolean;
}

/** A pose that every hand able to point down can reach: in front of the robot at table height. */
const BEFORE_IT: Pose3 = { position: [0.5, 0, 0.85], rotation_wxyz: downward(0) };

/** Computes a robot's reach with its own joints in an empty scene. Dispose of the result. */
export async function robotReach(robot: RobotDescriptor): Promise<Reach & { dispose(): void }> {
  const { model } = robot;
  if (!model?.mjcf) {
    throw new ConfigError("no_robot", `the robot ${robot.robotType} has no body model`, {
      hint: "choose a robot with a body model: `robot-eval list robots`",
    });
  }
  const { gripper } = model;
  if (!gripper) {
    throw new ConfigError("no_gripper", `the robot ${robot.robotType} has no gripper`, {
      hint: "generated episodes are about grasping; choose a robot with a gripper",
    });
  }
  const physics = await createWorld(
    {
      robot,
      basePose: [0, 0, 0],
      joints: model.home,
      table: undefined,
      objects: [],
      fixtures: [],
      look: PLAIN_LOOK,
      physics: PLAIN_PHYSICS,
      documents: await robotDocument(robot, new MjcfLibrary()),
    },
    {},
    `the robot ${robot.robotType}`,
  );
  const pointsDown = solveIk(physics, robot, BEFORE_IT, { from: model.home, axis: "x" });
  return {
    openingM: gripper.openingM,
    styles: pointsDown ? ["down"] : ["level"],
    canReach: (pose, { basePose, joints }) =>
      solveIk(physics, robot, fromBase(pose, basePose), { from: joints }) !== undefined,
    dispose: () => physics.dispose(),
  };
}

/** Converts a world pose to a base's frame. */
function fromBase(
  { position: [px, py, pz], rotation_wxyz }: Pose3,
  [x, y, theta]: readonly [number, number, number],
): Pose3 {
  const back = aboutAxis([0, 0, 1], -theta);
  return {
    position: rotate(back, [px - x, py - y, pz]),
    rotation_wxyz: multiply(back, rotation_wxyz),
  };
}
