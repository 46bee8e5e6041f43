import type { MjData, MjModel } from "@mujoco/mujoco";
import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { quatAt, vec3At } from "./arrays.js";
import { type Bounds, boundsOf } from "./bounds.js";
import type { Mujoco } from "./mujoco.js";
import type { Names } from "./names.js";

export interface BodyAnatomy {
  readonly pose: Pose3;
  /** On a free joint, so that it can be put anywhere. */
  readonly isFree: boolean;
  /** With all that hangs on it. */
  readonly massKg: number;
  /** Sliding friction of its first geom. */
  readonly friction: number;
  /** Of its geoms with those of all that hangs on it; undefined where there are none. */
  readonly bounds: Bounds | undefined;
}

export interface JointAnatomy {
  readonly type: "free" | "ball" | "slide" | "hinge";
  /** Undefined for a joint without limits. */
  readonly range: readonly [low: number, high: number] | undefined;
}

/** A joint that an equality constraint makes a polynomial of another. */
export interface Coupling {
  readonly joint: string;
  readonly of: string;
  /** Its value where the other has a value. */
  value(of: number): number;
  /** The other way round; undefined where the polynomial is no straight line. */
  back(joint: number): number | undefined;
}

/** In the order of MuJoCo's `mjtJoint`. */
const JOINT_TYPES = ["free", "ball", "slide", "hinge"] as const;

/** What a compiled model consists of, for whoever has not written it. Read when asked: nobody asks every step. */
export class Anatomy {
  readonly #mujoco: Mujoco;
  readonly #model: MjModel;
  readonly #data: MjData;
  readonly #names: Names;

  constructor(mujoco: Mujoco, model: MjModel, data: MjData, names: Names) {
    this.#mujoco = mujoco;
    this.#model = model;
    this.#data = data;
    this.#names = names;
  }

  body(name: string): BodyAnatomy {
    const id = this.#names.id("body", name);
    const joint: number = this.#model.body_jntadr[id];
    return {
      pose: {
        position: vec3At(this.#data.xpos, id),
        rotation_wxyz: quatAt(this.#data.xquat, id),
      },
      isFree: joint >= 0 && JOINT_TYPES[this.#model.jnt_type[joint]] === "free",
      massKg: this.#model.body_subtreemass[id],
      friction: this.#model.geom_friction[3 * Math.max(0, this.#model.body_geomadr[id])] ?? 1,
      bounds: boundsOf(this.#model, this.#data, id),
    };
  }

  joint(name: string): JointAnatomy {
    const id = this.#names.id("joint", name);
    // The binding cannot give arrays of booleans (`jnt_limited`), only one at a time.
    const one = this.#model.jnt(id);
    const isLimited = Boolean(one.limited);
    one.delete();
    const [low = 0, high = 0] = this.#model.jnt_range.subarray(2 * id, 2 * id + 2);
    return {
      type: JOINT_TYPES[this.#model.jnt_type[id]] ?? "free",
      range: isLimited ? [low, high] : undefined,
    };
  }

  /** Sliding friction. */
  friction(geom: string): number {
    return this.#model.geom_friction[3 * this.#names.id("geom", geom)];
  }

  /** Whether an actuator brings what it drives to where its control says, and does not only push or turn it. */
  isServo(actuator: string): boolean {
    const id = this.#names.id("actuator", actuator);
    const affine = this.#mujoco.mjtBias.mjBIAS_AFFINE.value;
    return (
      this.#model.actuator_biastype[id] === affine && this.#model.actuator_biasprm[10 * id + 1] < 0
    );
  }

  /** The topmost named bodies that these joints move, which all that hangs on them belongs to. */
  bodiesOf(joints: readonly string[]): readonly string[] {
    const parents: Int32Array = this.#model.body_parentid;
    const moved = new Set<number>(
      joints.map((name) => this.#model.jnt_bodyid[this.#names.id("joint", name)]),
    );
    const chain = (body: number): number[] =>
      body === 0 ? [] : [...chain(parents[body] as number), body];
    const tops = new Set<string>();
    for (let body = 1; body < parents.length; body++) {
      const all = chain(body);
      const first = all.findIndex((one) => moved.has(one));
      const top =
        first < 0 ? undefined : all.slice(first).find((one) => this.#bodyName(one) !== "");
      if (top !== undefined) tops.add(this.#bodyName(top));
    }
    return [...tops];
  }

  /** Those that hold from the start. Both sides count from where the model has its joints. */
  couplings(): readonly Coupling[] {
    const { eq_type, eq_obj1id, eq_obj2id, eq_data, qpos0, jnt_qposadr, neq } = this.#model;
    const type = this.#mujoco.mjtEq.mjEQ_JOINT.value;
    return Array.from({ length: neq }, (_, i) => i).flatMap((i): Coupling[] => {
      const [first, second]: [number, number] = [eq_obj1id[i], eq_obj2id[i]];
      if (eq_type[i] !== type || second < 0 || !this.#isActive(i)) return [];
      const rest: number = qpos0[jnt_qposadr[first]];
      const restOf: number = qpos0[jnt_qposadr[second]];
      const [a = 0, b = 0, c = 0, d = 0, e = 0] = eq_data.subarray(11 * i, 11 * i + 5);
      const isStraight = c === 0 && d === 0 && e === 0 && b !== 0;
      return [
        {
          joint: this.#names.name("joint", first),
          of: this.#names.name("joint", second),
          value: (of) => {
            const x = of - restOf;
            return rest + a + x * (b + x * (c + x * (d + x * e)));
          },
          back: (joint) => (isStraight ? restOf + (joint - rest - a) / b : undefined),
        },
      ];
    });
  }

  #isActive(equality: number): boolean {
    const one = this.#model.eq(equality);
    const isActive = Boolean(one.active0);
    one.delete();
    return isActive;
  }

  #bodyName(id: number): string {
    return this.#names.name("body", id);
  }
}
