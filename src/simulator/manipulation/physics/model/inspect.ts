import type { MjData, MjModel } from "@mujoco/mujoco";
import type { Pose3 } from "../../../../core/interfaces/manipulation-view.js";
import { quatAt, readHandle, vec3At } from "../arrays.js";
import { type Bounds, boundsOf } from "../bounds.js";
import type { Mujoco } from "../mujoco.js";
import type { Names } from "../names.js";

export interface BodyInfo {
  readonly pose: Pose3;
  /** Whether it has a free joint and can therefore be placed. */
  readonly isFree: boolean;
  /** Mass of the body and its descendants. */
  readonly massKg: number;
  /** Sliding friction of its first geom. */
  readonly friction: number;
  /** Around the geoms of the body and its descendants; undefined if they have none. */
  readonly bounds?: Bounds | undefined;
}

export interface JointInfo {
  readonly type: "free" | "ball" | "slide" | "hinge";
  /** Undefined if the joint is unlimited. */
  readonly range?: readonly [low: number, high: number] | undefined;
}

export interface ActuatorInfo {
  /** Whether it pulls its joint or tendon to a position that the control determines, as `<position>` does. */
  readonly isServo: boolean;
  /** Whether its control is a force or torque, as with `<motor>`. */
  readonly isMotor: boolean;
  /** The joint that it drives directly. */
  readonly joint: string | undefined;
  /** N or N m at the joint per unit of control. */
  readonly forcePerControl: number;
  /** The control with which a servo rests at a length of its joint or tendon; undefined if its gain is not constant. */
  controlAtRest(length: number): number | undefined;
}

/** An equality constraint that makes one joint a polynomial of another. */
export interface Coupling {
  readonly joint: string;
  readonly of: string;
  /** The joint's position for a position of the other. */
  value(of: number): number;
  /** The inverse of `value`; undefined if the polynomial is not linear. */
  back(joint: number): number | undefined;
}

/** In the order of MuJoCo's `mjtJoint`. */
const JOINT_TYPES = ["free", "ball", "slide", "hinge"] as const;

/** Reads the structure of a compiled model. Nothing is cached; do not use it at every step. */
export class ModelInspector {
  readonly #mujoco: Mujoco;
  readonly #model: MjModel;
  readonly #data: MjData;
  readonly #names: Names;
  readonly #bodies: Int32Array;

  /** @param bodies of geoms */
  constructor(mujoco: Mujoco, model: MjModel, data: MjData, names: Names, bodies: Int32Array) {
    this.#mujoco = mujoco;
    this.#model = model;
    this.#data = data;
    this.#names = names;
    this.#bodies = bodies;
  }

  body(name: string): BodyInfo {
    const id = this.#names.id("body", name);
    const joint: number = this.#model.body_jntadr[id];
    return {
      pose: {
        position: vec3At(this.#data.xpos, id),
        rotation_wxyz: quatAt(this.#data.xquat, id),
      },
      isFree: joint >= 0 && JOINT_TYPES[this.#model.jnt_type[joint]] === "free",
      massKg: this.#model.body_subtreemass[id],
      friction: this.#model.geom_friction[3 * Math.max(0, this.#bodies.indexOf(id))] ?? 1,
      bounds: boundsOf(this.#model, this.#data, this.#bodies, id),
    };
  }

  joint(name: string): JointInfo {
    const id = this.#names.id("joint", name);
    const isLimited = readHandle(this.#model.jnt(id), ({ limited }) => Boolean(limited));
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

  actuator(name: string): ActuatorInfo {
    const id = this.#names.id("actuator", name);
    const model = this.#model;
    const { mjtBias, mjtGain, mjtTrn, mjtDyn } = this.#mujoco;
    const hasBias = (kind: { readonly value: number }) =>
      model.actuator_biastype[id] === kind.value;
    const [offset = 0, stiffness = 0] = model.actuator_biasprm.subarray(10 * id, 10 * id + 2);
    const gain: number = model.actuator_gainprm[10 * id];
    const isFixed = model.actuator_gaintype[id] === mjtGain.mjGAIN_FIXED.value;
    const drivesJoint = model.actuator_trntype[id] === mjtTrn.mjTRN_JOINT.value;
    return {
      isServo: hasBias(mjtBias.mjBIAS_AFFINE) && stiffness < 0,
      isMotor:
        isFixed &&
        hasBias(mjtBias.mjBIAS_NONE) &&
        model.actuator_dyntype[id] === mjtDyn.mjDYN_NONE.value,
      joint: drivesJoint ? this.#names.name("joint", model.actuator_trnid[2 * id]) : undefined,
      forcePerControl: gain * model.actuator_gear[6 * id],
      controlAtRest: (length) => (isFixed ? -(offset + stiffness * length) / gain : undefined),
    };
  }

  /** The topmost named bodies that these joints move. */
  bodiesOf(joints: readonly string[]): readonly string[] {
    const parents: Int32Array = this.#model.body_parentid;
    const moved = new Set<number>(
      joints.map((joint) => this.#model.jnt_bodyid[this.#names.id("joint", joint)]),
    );
    const chain = (body: number): number[] =>
      body === 0 ? [] : [...chain(parents[body] as number), body];
    const name = (body: number) => this.#names.name("body", body);
    const tops = new Set<string>();
    for (let body = 1; body < parents.length; body++) {
      const all = chain(body);
      const first = all.findIndex((one) => moved.has(one));
      const top =
        first < 0
          ? undefined
          : all
              .slice(first)
              .map(name)
              .find((one) => one !== "");
      if (top !== undefined) tops.add(top);
    }
    return [...tops];
  }

  /** Couplings that are active at the start. MuJoCo's polynomials are relative to the joints' initial positions. */
  couplings(): readonly Coupling[] {
    const { eq_type, eq_obj1id, eq_obj2id, eq_data, qpos0, jnt_qposadr, neq } = this.#model;
    const type = this.#mujoco.mjtEq.mjEQ_JOINT.value;
    const isActive = (equality: number) =>
      readHandle(this.#model.eq(equality), ({ active0 }) => Boolean(active0));
    return Array.from({ length: neq }, (_, i) => i).flatMap((i): Coupling[] => {
      const [first, second]: [number, number] = [eq_obj1id[i], eq_obj2id[i]];
      if (eq_type[i] !== type || second < 0 || !isActive(i)) return [];
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
}
