import { ProtocolError } from "../../../core/errors.js";
import type { Physics } from "../../manipulation/physics/physics.js";
import type { FrozenDescription, PartDescription } from "../description.js";
import { ArmInertia } from "./arm-inertia.js";
import { DirectController } from "./direct.js";
import { GripController } from "./grip.js";
import { JointPositionController } from "./joint-position.js";
import { JointVelocityController } from "./joint-velocity.js";
import { MocapController } from "./mocap.js";
import { OperationalSpaceController } from "./operational-space.js";
import type { ControllerStart, PartController } from "./part-controller.js";

interface Part {
  readonly controller: PartController;
  readonly start: number;
  readonly end: number;
  readonly actuators: readonly Actuator[];
}

interface Actuator {
  readonly name: string;
  /** Infinite if the actuator is unlimited. */
  readonly low: number;
  readonly high: number;
}

/** Controls all parts of the robot of a frozen world with one action vector. */
export class RobotController {
  readonly #physics: Physics;
  readonly #control: FrozenDescription["control"];
  readonly #size: number;
  readonly #parts: readonly Part[];

  constructor(
    physics: Physics,
    { action, control }: Pick<FrozenDescription, "action" | "control">,
    start: ControllerStart,
  ) {
    this.#physics = physics;
    this.#control = control;
    this.#size = action.low.length;
    const inertia = new ArmInertia(physics, start.first_inertia);
    this.#parts = action.parts.map((part) => ({
      start: part.start,
      end: part.end,
      actuators: part.actuators.map((name) => {
        const [low, high] = physics.controlRange(name) ?? [-Infinity, Infinity];
        return { name, low, high };
      }),
      controller: controllerOf(physics, part, inertia, start),
    }));
  }

  /** Executes an action for one control step. */
  step(action: readonly number[]): void {
    if (action.length !== this.#size || !action.every(Number.isFinite)) {
      throw new ProtocolError(
        "bad_action",
        `an action has ${this.#size} finite numbers, got ${action.length}: ${action.slice(0, 12).join(", ")}`,
      );
    }
    const { substeps, order, completion } = this.#control;
    let isNew = true;
    this.#physics.controlledSteps(substeps, order, () => {
      for (const { controller, start, end, actuators } of this.#parts) {
        if (isNew) controller.setGoal(action.slice(start, end));
        const controls = controller.run();
        for (let i = 0; i < actuators.length; i++) {
          const { name, low, high } = actuators[i] as Actuator;
          const clipped = Math.min(high, Math.max(low, controls[i] ?? 0));
          // Not finite once the state has diverged, which the physics reports.
          if (Number.isFinite(clipped)) this.#physics.setControl(name, clipped);
        }
      }
      isNew = false;
    });
    if (completion) this.#physics.completeStep(completion.joints);
  }
}

function controllerOf(
  physics: Physics,
  part: PartDescription,
  inertia: ArmInertia,
  start: ControllerStart,
): PartController {
  switch (part.type) {
    case "OSC_POSE":
    case "OSC_POSITION":
      return new OperationalSpaceController(physics, part, inertia, start);
    case "JOINT_POSITION":
      return new JointPositionController(physics, part, inertia);
    case "JOINT_VELOCITY":
      return new JointVelocityController(physics, part);
    case "GRIP":
      return new GripController(part);
    case "MOCAP":
      return new MocapController(physics, part);
    case "DIRECT":
      return new DirectController(physics, part);
  }
}
