import type { Pose3 } from "../../core/interfaces/manipulation-view.js";
import { conjugate, multiply, rotate } from "../../core/math/quat-wxyz.js";
import type { QuatWxyz } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import type { Physics } from "../manipulation/physics/physics.js";
import type { FrozenDescription, Reading } from "./description.js";
import { clip, difference, euler, largestPositive, sum } from "./reading-arithmetic.js";
import type { FrozenStart } from "./start.js";

type Values = readonly number[];

/** Evaluates the observations of a frozen world, under the names and in the conventions of the original. */
export class FrozenReadings {
  readonly #physics: Physics;
  readonly #all: Readonly<Record<string, Reading>>;
  readonly #names: readonly string[];
  readonly #start: Pick<FrozenStart, "constants" | "first_values">;
  /** The values that readings of kind `previous` ask for, at the control step before. */
  readonly #before = new Map<string, Values>();
  readonly #remembered: readonly string[];
  #isFirst = true;

  /** @param names the values to read */
  constructor(
    physics: Physics,
    { observations, values }: Pick<FrozenDescription, "observations" | "values">,
    names: readonly string[],
    start: Pick<FrozenStart, "constants" | "first_values">,
  ) {
    this.#physics = physics;
    this.#all = { ...values, ...observations };
    this.#names = names;
    this.#start = start;
    this.#remembered = Object.values(this.#all).flatMap((reading) =>
      reading.kind === "previous" ? [reading.of] : [],
    );
  }

  /** Called after the reset and after every control step. */
  read(): ReadonlyMap<string, Values> {
    const known = new Map<string, Values>();
    const read = new Map(this.#names.map((name) => [name, this.#value(name, known)]));
    const now = this.#remembered.map((name) => [name, this.#value(name, known)] as const);
    for (const [name, value] of now) this.#before.set(name, value);
    this.#isFirst = false;
    return read;
  }

  #value(name: string, known: Map<string, Values>): Values {
    const before = known.get(name) ?? (this.#isFirst ? this.#start.first_values[name] : undefined);
    if (before) return before;
    const reading = this.#all[name];
    // Guards against readings that refer to themselves: the inner one is empty.
    known.set(name, []);
    const value = reading ? this.#evaluate(reading, (other) => this.#value(other, known)) : [];
    known.set(name, value);
    return value;
  }

  #evaluate(reading: Reading, of: (name: string) => Values): Values {
    const physics = this.#physics;
    switch (reading.kind) {
      case "qpos":
        return reading.joints.map((joint) => physics.joint(joint));
      case "cos_qpos":
        return reading.joints.map((joint) => Math.cos(physics.joint(joint)));
      case "sin_qpos":
        return reading.joints.map((joint) => Math.sin(physics.joint(joint)));
      case "qvel":
        return reading.joints.map((joint) => physics.jointVelocity(joint));
      case "qacc":
        return reading.joints.map((joint) => physics.jointAcceleration(joint));
      case "site_pos":
        return physics.site(reading.site).position;
      case "site_quat_xyzw":
        return xyzw(physics.site(reading.site).rotation_wxyz);
      case "body_pos":
        return physics.body(reading.body).position;
      case "body_quat_xyzw":
        return xyzw(physics.body(reading.body).rotation_wxyz);
      case "body_quat_wxyz":
        return physics.body(reading.body).rotation_wxyz;
      case "geom_pos":
        return physics.geom(reading.geom).position;
      case "geom_quat_xyzw":
        return xyzw(physics.geom(reading.geom).rotation_wxyz);
      case "site_vel":
        return physics.siteVelocity(reading.site).linear;
      case "site_angular_vel":
        return physics.siteVelocity(reading.site).angular;
      case "site_euler":
        return euler(physics.site(reading.site).rotation_wxyz);
      case "numbers":
        return reading.values;
      case "constant":
        return this.#start.constants[reading.name] ?? [];
      case "previous":
        return this.#before.get(reading.of) ?? of(reading.of);
      case "scaled":
        return of(reading.of).map((value) => value * reading.factor);
      case "clipped":
        return clip(of(reading.of), reading.low, reading.high);
      case "largest_positive":
        return largestPositive(of(reading.of));
      case "difference":
        return difference(of(reading.of[0]), of(reading.of[1]));
      case "sum":
        return sum(of(reading.of[0]), of(reading.of[1]));
      case "middle":
        return sum(of(reading.of[0]), of(reading.of[1])).map((value) => value / 2);
      case "distance":
        return [Math.hypot(...difference(of(reading.of[0]), of(reading.of[1])))];
      case "concat":
        return reading.of.flatMap((name) => of(name));
      case "relative_pos":
        return relative(poseOf(reading.object, of), poseOf(reading.frame, of)).position;
      case "relative_quat_xyzw": {
        const { object, frame } = reading;
        const [w, x, y, z] = relative(poseOf(object, of), poseOf(frame, of)).rotation_wxyz;
        // As robosuite's `mat2quat`: w is not negative.
        return w < 0 ? [-x, -y, -z, -w] : [x, y, z, w];
      }
    }
  }
}

function xyzw([w, x, y, z]: QuatWxyz): Values {
  return [x, y, z, w];
}

function poseOf(
  [position, rotation]: readonly [string, string],
  of: (name: string) => Values,
): Pose3 {
  const [px = 0, py = 0, pz = 0] = of(position);
  const [x = 0, y = 0, z = 0, w = 1] = of(rotation);
  return { position: [px, py, pz], rotation_wxyz: [w, x, y, z] };
}

function relative(object: Pose3, frame: Pose3): Pose3 {
  const back = conjugate(frame.rotation_wxyz);
  const offset: Vec3 = [
    object.position[0] - frame.position[0],
    object.position[1] - frame.position[1],
    object.position[2] - frame.position[2],
  ];
  return { position: rotate(back, offset), rotation_wxyz: multiply(back, object.rotation_wxyz) };
}
