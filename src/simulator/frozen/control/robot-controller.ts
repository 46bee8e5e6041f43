import { ProtocolError } from "../../../core/errors.js";
import type { Physics } from "../../manipulation/physics/physics.js";
import type { FrozenDescription, PartDescription } from "../description.js";
import { ArmInertia } from "./arm-inertia.js";
import { GripController } from "./grip.js";
import { JointPositionController } from "./joint-position.js";
import { OperationalSpaceController } from "./operational-space.js";
import type { ControllerStart, PartController } from "./part-controller.js";

interface Part {
  readonly controller: PartController;
  readonly start: number;
  readonly end: number;
  readonly actuators: readonly {
    readonly name: string;
    readonly range: readonly [number, number] | undefined;
  }[];
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
      actuators: part.actuators.map((name) => ({ name, range: physics.controlRange(name) })),
      controller: controllerOf(physics, part, inertia, start),
    }));
  }

  /** One control step. */
  step(action: readonly number[]): void {
    if (action.length !== this.#size || !action.every(Number.isFinite)) {
      throw new ProtocolError(
        "bad_action",
        `an action has ${this.#size} finite numbers, got ${action.length}: ${action.slice(0, 12).join(", ")}`,
      );
    }
    const { substeps, order } = this.#control;
    let isNew = true;
    this.#physics.controlledSteps(substeps, order, () => {
      for (const { controller, start, end, actuators } of this.#parts) {
        if (isNew) controller.setGoal(action.slice(start, end));
        const controls = controller.run();
        for (const [i, { name, range }] of actuators.entries()) {
          const value = controls[i] ?? 0;
          const clipped = range ? Math.min(range[1], Math.max(range[0], value)) : value;
          // Not finite once the state has diverged, which the physics reports.
          if (Number.isFinite(clipped)) this.#physics.setControl(name, clipped);
        }
      }
      isNew = false;
    });
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
    case "GRIP":
      return new GripController(part);
  }
}
