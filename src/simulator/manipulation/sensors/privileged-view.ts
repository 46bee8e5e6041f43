import type {
  ManipulationView,
  Pose3,
  ViewFixture,
} from "../../../core/interfaces/manipulation-view.js";
import { aboutAxis, multiply, rotate } from "../../../core/math/quat-wxyz.js";
import { add, scale, subtract } from "../../../core/math/vec3.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import { viewPlace } from "../apartment/view-place.js";
import type { BaseDrive } from "../control/base-drive.js";
import { DofJoints, modelOf } from "../control/dofs.js";
import { solveIk } from "../control/ik.js";
import { catalogueModel } from "../objects/catalogue/catalogue.js";
import type { Physics } from "../physics/physics.js";
import type { TaskDriving } from "../robot-task.js";
import { objectPose } from "../world/object-pose.js";
import type { FixtureSpec, ManipulationWorld } from "../world/world.js";
import { robotState } from "./robot-state.js";

/** The true state, as experts see it. */
export function manipulationView(
  physics: Physics,
  world: ManipulationWorld,
  goals: Readonly<Record<string, unknown>>,
  base?: ManipulationView["base"],
): ManipulationView {
  const { robot } = world;
  const { model } = robot;
  if (!model) throw new Error(`the robot ${robot.robotType} has no model`);
  const { gripper } = model;
  return {
    joints: () => robotState(physics, robot).qpos,
    limits: robot.dofs.map(({ limits }) => limits),
    gripperDof: robot.gripperDof,
    gripper: gripper && {
      open: gripper.open,
      closed: gripper.closed,
      openingM: gripper.openingM,
    },
    endEffector: () => physics.site(model.endEffectorSite),
    // The file of a robot's scene may place its base anywhere.
    base,
    basePose: world.documents?.robotInScene ? undefined : world.basePose,
    fingerForces: (object) => {
      const [a, b] = gripper?.fingers ?? [[], []];
      return [physics.pressure(a, object), physics.pressure(b, object)];
    },
    objects: () =>
      world.objects.map((spec) => ({
        name: spec.name,
        shape: spec.shape,
        model: spec.model,
        sizeM: spec.sizeM,
        ...(spec.model === undefined ? {} : { grasp: catalogueModel(spec.model).grasp }),
        ...objectPose(physics, spec),
      })),
    fixtures: () => world.fixtures.map((fixture) => viewFixture(physics, fixture)),
    goals,
    place: world.apartment && viewPlace(world.apartment, physics),
    solveIk: (target, options) => solveIk(physics, robot, target, options),
  };
}

/** The base of a robot that drives, with its named actions. */
export function viewBase(
  physics: Physics,
  robot: RobotDescriptor,
  drive: Pick<BaseDrive, "pose">,
  { moves, velocity }: TaskDriving,
): NonNullable<ManipulationView["base"]> {
  return {
    pose: () => drive.pose(),
    forwardStepM: moves.get("move_forward")?.amount ?? 0,
    turnRad: moves.get("turn_left")?.amount ?? 0,
    velocity: velocity !== undefined,
    handAt(joints) {
      const scratch = physics.scratch();
      const all = new DofJoints(robot, [...robot.dofs.keys()]);
      scratch.setJoints(all.names, all.positions(joints));
      const { position, rotation_wxyz } = scratch.site(modelOf(robot).endEffectorSite);
      const [x, y] = drive.pose();
      return { position: subtract(position, [x, y, 0]), rotation_wxyz };
    },
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

/** The handle's pose after its joint has moved by `amount`, along its axis (drawer) or about it (door). */
function moved(
  physics: Physics,
  { name, kind }: FixtureSpec,
  handle: Pose3,
  amount: number,
): Pose3 {
  const { axis, anchor } = physics.jointAxis(`${name}_joint`);
  if (kind === "drawer") {
    return {
      position: add(handle.position, scale(axis, amount)),
      rotation_wxyz: handle.rotation_wxyz,
    };
  }
  const turn = aboutAxis(axis, amount);
  return {
    position: add(anchor, rotate(turn, subtract(handle.position, anchor))),
    rotation_wxyz: multiply(turn, handle.rotation_wxyz),
  };
}
