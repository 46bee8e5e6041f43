import type {
  ManipulationView,
  Pose3,
  ViewFixture,
} from "../../../core/interfaces/manipulation-view.js";
import { aboutAxis, multiply, rotate } from "../../../core/math/quat-wxyz.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import { solveIk } from "../control/ik.js";
import type { Physics } from "../physics/physics.js";
import { objectPose } from "../world/object-pose.js";
import type { FixtureSpec, ManipulationWorld } from "../world/world.js";
import { robotState } from "./robot-state.js";

/** The true state, as an expert may see it. */
export function manipulationView(
  physics: Physics,
  world: ManipulationWorld,
  goals: Readonly<Record<string, unknown>>,
): ManipulationView {
  const { robot } = world;
  const { model } = robot;
  if (!model) throw new Error(`${robot.robotType} has no body`);
  const { open, closed, openingM, fingers } = model.gripper;
  return {
    joints: () => robotState(physics, robot).qpos,
    limits: robot.dofs.map(({ limits }) => limits),
    gripperDof: robot.gripperDof,
    gripper: { open, closed, openingM },
    endEffector: () => physics.site(model.endEffectorSite),
    fingerForces: (object) => [
      physics.pressure(fingers[0], object),
      physics.pressure(fingers[1], object),
    ],
    objects: () =>
      world.objects.map((spec) => ({
        name: spec.name,
        shape: spec.shape,
        sizeM: spec.sizeM,
        ...objectPose(physics, spec),
      })),
    fixtures: () => world.fixtures.map((fixture) => viewFixture(physics, fixture)),
    goals,
    solveIk: (target, options) => solveIk(physics, robot, target, options),
  };
}

function viewFixture(physics: Physics, fixture: FixtureSpec): ViewFixture {
  const { name, kind, range } = fixture;
  const opened = physics.joint(`${name}_joint`) / range;
  const handle = physics.site(`${name}_handle`);
  return {
    name,
    kind,
    range,
    opened,
    handle,
    handleAt: (share) => moved(physics, fixture, handle, (share - opened) * range),
  };
}

/** The handle after its joint went on by so much: along the joint's axis, or around it. */
function moved(
  physics: Physics,
  { name, kind }: FixtureSpec,
  handle: Pose3,
  amount: number,
): Pose3 {
  const { axis, anchor } = physics.jointAxis(`${name}_joint`);
  if (kind === "drawer") {
    const [x, y, z] = handle.position;
    return {
      position: [x + axis[0] * amount, y + axis[1] * amount, z + axis[2] * amount],
      rotation_wxyz: handle.rotation_wxyz,
    };
  }
  const turn = aboutAxis(axis, amount);
  const offset: Vec3 = [
    handle.position[0] - anchor[0],
    handle.position[1] - anchor[1],
    handle.position[2] - anchor[2],
  ];
  const turned = rotate(turn, offset);
  return {
    position: [anchor[0] + turned[0], anchor[1] + turned[1], anchor[2] + turned[2]],
    rotation_wxyz: multiply(turn, handle.rotation_wxyz),
  };
}
