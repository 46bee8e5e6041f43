import type { RobotDescriptor } from "../../robots/descriptor.js";
import type { Physics } from "../manipulation/physics/physics.js";
import { PLAIN_LOOK, PLAIN_PHYSICS } from "../manipulation/world/randomisation.js";
import type { ManipulationWorld, ObjectSpec } from "../manipulation/world/world.js";
import type { FrozenDescription } from "./description.js";

/** Describes a frozen world to the fact reader. Objects are the bodies of the model with those names. */
export function worldOfFrozen(
  { robot, action }: Pick<FrozenDescription, "robot" | "action">,
  physics: Physics,
  objects: readonly string[],
): ManipulationWorld {
  const inspector = physics.inspect();
  const specs = objects.map((name): ObjectSpec => {
    const { pose, bounds, massKg, friction } = inspector.body(name);
    return {
      name,
      shape: bounds?.shape ?? "box",
      sizeM: bounds?.sizeM ?? [0, 0, 0],
      position: pose.position,
      rotation_wxyz: pose.rotation_wxyz,
      massKg,
      friction,
      color: [0.5, 0.5, 0.5],
    };
  });
  return {
    robot: descriptorOf(robot, action),
    basePose: [0, 0, 0],
    joints: [],
    table: undefined,
    objects: specs,
    fixtures: [],
    look: PLAIN_LOOK,
    physics: PLAIN_PHYSICS,
    robotBodies: inspector.bodiesOf([...robot.joints, ...robot.gripper_joints]),
  };
}

function descriptorOf(
  robot: FrozenDescription["robot"],
  { parts }: FrozenDescription["action"],
): RobotDescriptor {
  const hasGripper = robot.gripper_joints.length > 0;
  return {
    robotType: robot.name,
    description: "the robot of a frozen world",
    joints: [],
    dofs: [],
    ...(hasGripper ? { gripperDof: 0 } : {}),
    model: {
      actuators: parts.flatMap(({ actuators }) => actuators),
      home: [],
      endEffectorSite: robot.site,
      cameras: {},
      ...(hasGripper
        ? { gripper: { open: 1, closed: 0, fingers: robot.fingers, openingM: 0 } }
        : {}),
    },
  };
}
