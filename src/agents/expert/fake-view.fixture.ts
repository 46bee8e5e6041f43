import type {
  GripperView,
  Pose3,
  ViewFixture,
  ViewObject,
} from "../../core/interfaces/manipulation-view.js";
import { rotate } from "../../core/math/quat-wxyz.js";
import type { QuatWxyz } from "../../core/math/rotation.js";
import { add, subtract, type Vec3 } from "../../core/math/vec3.js";
import { downward, flatDistance, level, yawOf } from "./pose.js";

/**
 * A gantry without physics: three slides, a rotation and a gripper, which reach their commands at once. An object
 * between closing fingers is carried; a released object falls straight down.
 */
export class FakeWorld {
  readonly view: GripperView;
  readonly sent: (readonly number[])[] = [];
  #joints: readonly number[] = [0.2, 0, 0.5, 0, 0.04];
  readonly #objects: Map<string, ViewObject>;
  readonly #goals: Readonly<Record<string, unknown>>;
  readonly #hand: (yawRad: number) => QuatWxyz;
  #held: { readonly name: string; readonly offset: Vec3 } | undefined;
  #pulling = false;
  #opened = 0;
  /** Number of grasps that slip before one holds. */
  slips = 0;

  constructor(options: {
    readonly objects?: readonly ViewObject[];
    readonly goals: Readonly<Record<string, unknown>>;
    readonly hand?: "level" | "down";
  }) {
    this.#objects = new Map((options.objects ?? []).map((object) => [object.name, object]));
    this.#goals = options.goals;
    this.#hand = options.hand === "down" ? downward : level;
    this.view = this.#makeView(options.hand ?? "level");
  }

  get opened(): number {
    return this.#opened;
  }

  object(name: string): ViewObject {
    const found = this.#objects.get(name);
    if (!found) throw new Error(name);
    return found;
  }

  send(action: readonly number[]): void {
    this.sent.push(action);
    this.#joints = action;
    const closed = (action[4] ?? 0) < 0.01;
    if (!closed) this.#letGo();
    else if (!this.#held && !this.#pulling) this.#takeHold();
    this.#follow();
  }

  #hereNow(): Pose3 {
    const [x = 0, y = 0, z = 0, yaw = 0] = this.#joints;
    return { position: [x, y, z], rotation_wxyz: this.#hand(yaw) };
  }

  #takeHold(): void {
    const { position } = this.#hereNow();
    this.#pulling =
      "target_fixture" in this.#goals &&
      flatDistance(position, this.#fixture().handle.position) < 0.02;
    for (const object of this.#objects.values()) {
      const off = subtract(object.position, position);
      if (Math.hypot(off[0], off[1]) > 0.02 || Math.abs(off[2]) > object.sizeM[2] / 2) continue;
      if (this.slips-- > 0) return;
      this.#held = { name: object.name, offset: off };
    }
  }

  #letGo(): void {
    this.#pulling = false;
    if (!this.#held) return;
    const object = this.object(this.#held.name);
    this.#held = undefined;
    const [x, y] = object.position;
    const below = [...this.#objects.values()].filter(
      (other) => other.name !== object.name && flatDistance(other.position, object.position) < 0.05,
    );
    const top = Math.max(0, ...below.map(({ position, sizeM }) => position[2] + sizeM[2] / 2));
    this.#objects.set(object.name, { ...object, position: [x, y, top + object.sizeM[2] / 2] });
  }

  #follow(): void {
    const { position } = this.#hereNow();
    if (this.#pulling) this.#opened = Math.min(1, Math.max(0, (0.55 - position[0]) / 0.3));
    if (!this.#held) return;
    const object = this.object(this.#held.name);
    this.#objects.set(object.name, { ...object, position: add(position, this.#held.offset) });
  }

  #fixture(): ViewFixture {
    const at = (opened: number): Pose3 => ({
      position: [0.55 - 0.3 * opened, 0.1, 0.4],
      rotation_wxyz: [1, 0, 0, 0],
    });
    const opened = this.#opened;
    return { name: "drawer", kind: "drawer", opened, range: 0.3, handle: at(opened), handleAt: at };
  }

  #makeView(hand: "level" | "down"): GripperView {
    return {
      joints: () => this.#joints,
      limits: [
        [-1, 1],
        [-1, 1],
        [0, 1],
        [-4, 4],
        [0, 0.04],
      ],
      gripperDof: 4,
      gripper: { open: 0.04, closed: 0, openingM: 0.08 },
      endEffector: () => this.#hereNow(),
      fingerForces: (name) => (this.#held?.name === name ? [5, 5] : [0, 0]),
      objects: () => [...this.#objects.values()],
      fixtures: () => ("target_fixture" in this.#goals ? [this.#fixture()] : []),
      goals: this.#goals,
      solveIk: ({ position, rotation_wxyz }, options) => {
        const steep = rotate(rotation_wxyz, [1, 0, 0])[2];
        if (hand === "level" ? Math.abs(steep) > 0.01 : steep > -0.99) return undefined;
        const [cx, cy] = rotate(rotation_wxyz, [0, 1, 0]);
        const yaw = hand === "level" ? yawOf(rotation_wxyz) : Math.atan2(cy, cx);
        if (position.some((value, i) => value < (i === 2 ? 0 : -1) || value > 1)) return undefined;
        return [...position, yaw, (options?.from ?? this.#joints)[4] ?? 0];
      },
    };
  }
}
