import { ConfigError, ProtocolError } from "../../../core/errors.js";
import { type Action, STOP } from "../../../core/interfaces/action.js";
import { type ActionRange, ActionSpace } from "../../../core/task/types.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import type { Physics } from "../physics/physics.js";
import type { RobotTask } from "../robot-task.js";
import { BaseDrive } from "./base-drive.js";
import { type Controller, type ControlMode, makeController } from "./controller.js";

/** Executes actions of one episode: a vector on the joints, and a name or the vector's end on a base that drives. */
export class RobotControl {
  readonly actionSpace: ActionSpace;
  /** Undefined for a robot that does not drive. */
  readonly drive: BaseDrive | undefined;
  readonly #physics: Physics;
  readonly #controller: Controller;
  readonly #substeps: number;
  readonly #hasVelocity: boolean;

  /** @param robot with its joint limits narrowed to the task's */
  constructor(
    physics: Physics,
    task: RobotTask,
    mode: ControlMode,
    robot: RobotDescriptor,
    substeps: number,
  ) {
    this.#physics = physics;
    this.#substeps = substeps;
    const base = task.actionSpace;
    this.#controller = makeController(mode, physics, robot, base);
    const driving = robot.model?.base ? task.driving : undefined;
    this.drive = driving && baseDrive(physics, robot, driving.moves, mode, substeps);
    const velocity = driving?.velocity ?? [];
    this.#hasVelocity = velocity.length > 0;
    this.actionSpace =
      mode === "joint_position"
        ? base
        : driving
          ? withVelocity(this.#controller.actionSpace, base, velocity)
          : this.#controller.actionSpace;
  }

  /** Executes one control step of an action, which must be in the action space. */
  step(action: Action): void {
    const { drive } = this;
    if (typeof action === "string") this.#begin(action);
    else this.#apply(this.#withinLimits(action));
    drive?.beforeStep();
    this.#physics.step(this.#substeps, this.#controller.beforeStep);
    drive?.afterStep();
  }

  /** The action that keeps joints and base as they are. */
  hold(): Action {
    return [...this.#controller.hold(), ...(this.#hasVelocity ? [0, 0] : [])];
  }

  #begin(name: string): void {
    if (name === STOP) this.drive?.keep({ forwardMps: 0, turnRadps: 0 });
    else if (!this.drive?.drive(name)) {
      const names = this.actionSpace.actions?.join(", ") ?? STOP;
      throw new ProtocolError(
        "bad_action",
        `unknown action "${name}"; send a list of numbers or one of: ${names}`,
      );
    }
  }

  #apply(action: readonly number[]): void {
    if (!this.#hasVelocity) {
      this.#controller.apply(action);
      this.drive?.keep({ forwardMps: 0, turnRadps: 0 });
      return;
    }
    this.actionSpace.parse(action);
    const [forwardMps = 0, turnRadps = 0] = action.slice(-2);
    this.#controller.apply(action.slice(0, -2));
    this.drive?.keep({ forwardMps, turnRadps });
  }

  /** Clamps to the action space. Values that are not finite are left for the controller to reject. */
  #withinLimits(action: readonly number[]): readonly number[] {
    return action.map((value, i) => {
      const [low, high] = this.actionSpace.limits(i) ?? [value, value];
      return Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : value;
    });
  }
}

function baseDrive(
  physics: Physics,
  { robotType, model }: RobotDescriptor,
  moves: ConstructorParameters<typeof BaseDrive>[3],
  mode: ControlMode,
  substeps: number,
): BaseDrive | undefined {
  if (!model?.base) return undefined;
  if (mode === "ee_delta_pose") {
    throw new ConfigError("no_ee_delta_pose", `${robotType} drives and has no ee_delta_pose`, {
      hint: "set control_mode to joint_position or joint_delta",
    });
  }
  const [body = ""] = physics.inspect().bodiesOf(model.base.joints);
  return new BaseDrive(physics, model.base, body, moves, physics.timestepS * substeps);
}

/** The space of a control mode with the base's velocity, which `base` has at its end, too. */
function withVelocity(
  space: ActionSpace,
  base: ActionSpace,
  velocity: readonly (readonly [number, number])[],
) {
  const { size } = space;
  const named = Object.entries(base.semantics ?? {}).filter(([key]) => !key.startsWith("action["));
  const last = velocity.map((_, i) => {
    const text = base.semantics?.[`action[${base.size - velocity.length + i}]`] ?? "";
    return [`action[${size + i}]`, text] as const;
  });
  const range: ActionRange = [
    ...Array.from({ length: size }, (_, i) => space.limits(i) ?? ([-Infinity, Infinity] as const)),
    ...velocity,
  ];
  return new ActionSpace({
    name: space.name,
    actions: space.actions ?? [],
    shape: [size + velocity.length],
    range,
    semantics: { ...Object.fromEntries(named), ...space.semantics, ...Object.fromEntries(last) },
  });
}
