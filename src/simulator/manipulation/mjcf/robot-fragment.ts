import { ConfigError } from "../../../core/errors.js";
import { multiply } from "../../../core/math/quat-wxyz.js";
import type { QuatWxyz } from "../../../core/math/rotation.js";
import type { MjcfAttributes, MjcfElement } from "../../../core/mjcf/element.js";
import type { MjcfFragment } from "../../../core/mjcf/fragment.js";
import { fragmentOf, type RobotDescriptor } from "../../../robots/descriptor.js";
import { PAD_PRIORITY } from "../objects/object.js";
import type { ManipulationWorld, PhysicsSpec } from "../world/world.js";
import { turn, yawQuat } from "../world/yaw.js";

/** The robot at its base pose; one that drives is at the origin, and its joints are set to the pose. */
export function robotFragment({ robot, basePose, physics }: ManipulationWorld): MjcfFragment {
  const own = fragmentOf(robot);
  if (!own) {
    throw new ConfigError(
      "robot_without_model",
      `the robot ${robot.robotType} has no model to simulate`,
      { hint: "choose a robot with a model; see `robot-eval list robots`" },
    );
  }
  const fragment = weakened(robot, own, physics);
  if (robot.model?.base) return fragment;
  return {
    ...fragment,
    worldbody: (fragment.worldbody ?? []).map((body) => placed(body, basePose, robot.robotType)),
  };
}

/** Smallest sliding friction of the finger pads. MuJoCo's default is 1. */
export function padFriction({ robot, physics, documents }: ManipulationWorld): number {
  if (physics.fingerFriction !== undefined) return physics.fingerFriction;
  const pads = new Set(robot.model?.gripper?.fingers.flat());
  const file = documents?.robotInScene ? documents.scene : documents?.robot;
  const frictions = file
    ? [...pads].filter((pad) => file.has("geom", pad)).map((pad) => file.friction(pad))
    : (fragmentOf(robot)?.worldbody ?? [])
        .flatMap(elements)
        .filter(({ attributes }) => pads.has(String(attributes.name)))
        .flatMap(({ attributes }) => numbers(attributes.friction).slice(0, 1));
  return frictions.length > 0 ? Math.min(...frictions) : 1;
}

function elements(element: MjcfElement): MjcfElement[] {
  return [element, ...element.children.flatMap(elements)];
}

const OTHER_ROTATIONS = ["euler", "axisangle", "xyaxes", "zaxis"] as const;

/** Moves a root body to the base pose; its own pose becomes relative to it. */
function placed(
  body: MjcfElement,
  [x, y, theta]: ManipulationWorld["basePose"],
  robotType: string,
): MjcfElement {
  const other = OTHER_ROTATIONS.find((name) => body.attributes[name] !== undefined);
  if (other !== undefined) {
    throw new ConfigError(
      "bad_robot_model",
      `the root body of ${robotType} is rotated with ${other}; only quat is supported`,
    );
  }
  const [px = 0, py = 0, pz = 0] = numbers(body.attributes.pos);
  const [qw = 1, qx = 0, qy = 0, qz = 0] = numbers(body.attributes.quat);
  const [dx, dy] = turn(theta, px, py);
  const quat: QuatWxyz = multiply(yawQuat(theta), [qw, qx, qy, qz]);
  return { ...body, attributes: { ...body.attributes, pos: [x + dx, y + dy, pz], quat } };
}

function numbers(value: MjcfAttributes[string]): readonly number[] {
  if (typeof value === "number") return [value];
  if (typeof value === "string") return value.trim().split(/\s+/).map(Number);
  return typeof value === "object" ? value : [];
}

/** Applies the world's finger friction and gripper force, if set. */
function weakened(
  { model, gripperDof }: RobotDescriptor,
  fragment: MjcfFragment,
  { fingerFriction, gripperForceN }: PhysicsSpec,
): MjcfFragment {
  let result = fragment;
  if (fingerFriction !== undefined) {
    const pads = new Set(model?.gripper?.fingers.flat());
    const slippery = {
      friction: [fingerFriction, fingerFriction * 0.01, 0.0001],
      priority: PAD_PRIORITY,
    };
    result = {
      ...result,
      worldbody: (result.worldbody ?? []).map((body) =>
        changed(body, (element) =>
          element.tag === "geom" && pads.has(String(element.attributes.name))
            ? slippery
            : undefined,
        ),
      ),
    };
  }
  if (gripperForceN !== undefined) {
    const gripper = gripperDof === undefined ? undefined : model?.actuators[gripperDof];
    const force = { forcerange: [-gripperForceN, gripperForceN], forcelimited: true };
    result = {
      ...result,
      actuator: (result.actuator ?? []).map((actuator) =>
        changed(actuator, ({ attributes }) => (attributes.name === gripper ? force : undefined)),
      ),
    };
  }
  return result;
}

/** A copy with changed attributes of some elements. */
function changed(
  element: MjcfElement,
  change: (element: MjcfElement) => MjcfAttributes | undefined,
): MjcfElement {
  return {
    ...element,
    attributes: { ...element.attributes, ...change(element) },
    children: element.children.map((child) => changed(child, change)),
  };
}
