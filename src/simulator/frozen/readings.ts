import type { Pose3 } from "../../core/interfaces/manipulation-view.js";
import { conjugate, multiply, rotate } from "../../core/math/quat-wxyz.js";
import type { QuatWxyz } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import type { Physics } from "../manipulation/physics/physics.js";
import type { FrozenDescription, Reading } from "./description.js";

type Values = readonly number[];

/** Evaluates the observations of a frozen world, under the names and in the conventions of the original. */
export class FrozenReadings {
  readonly #physics: Physics;
  readonly #all: FrozenDescription["observations"];
  readonly #names: readonly string[];

  /** @param names the observations to read */
  constructor(physics: Physics, all: FrozenDescription["observations"], names: readonly string[]) {
    this.#physics = physics;
    this.#all = all;
    this.#names = names;
  }

  read(): Record<string, Values> {
    const known = new Map<string, Values>();
    return Object.fromEntries(this.#names.map((name) => [name, this.#value(name, known)]));
  }

  #value(name: string, known: Map<string, Values>): Values {
    const before = known.get(name);
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
      case "difference":
        return difference(of(reading.of[0]), of(reading.of[1]));
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

function difference(one: Values, other: Values): Values {
  return one.map((value, i) => value - (other[i] ?? 0));
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
