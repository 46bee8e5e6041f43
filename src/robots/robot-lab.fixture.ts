import loadMujoco, { type MainModule, type MjData, type MjModel } from "@mujoco/mujoco";
import type { Vec3 } from "../core/math/vec3.js";
import { type MjcfElement, mjcf, mjcfText } from "../core/mjcf/element.js";
import { joinFragments, type MjcfFragment } from "../core/mjcf/fragment.js";
import { fragmentOf, type GripperRobot } from "./descriptor.js";

let loading: Promise<MainModule> | undefined;

type Kind = "JOINT" | "BODY" | "GEOM" | "SITE" | "ACTUATOR" | "CAMERA" | "TENDON";

/** A robot in MuJoCo with the physics settings of scenes, and optional extra bodies. */
export class RobotLab {
  readonly mujoco: MainModule;
  readonly robot: GripperRobot;
  readonly body: GripperRobot["model"];
  readonly model: MjModel;
  readonly data: MjData;
  readonly #ids = new Map<string, number>();

  private constructor(mujoco: MainModule, robot: GripperRobot, xml: string) {
    this.mujoco = mujoco;
    this.robot = robot;
    this.body = robot.model;
    this.model = mujoco.MjModel.from_xml_string(xml);
    this.data = new mujoco.MjData(this.model);
  }

  static async of(robot: GripperRobot, beside: MjcfFragment = {}): Promise<RobotLab> {
    loading ??= loadMujoco();
    const xml = mjcfText(
      joinFragments("lab", SETTINGS, [fragmentOf(robot) ?? {}, { worldbody: [FLOOR] }, beside]),
    );
    return new RobotLab(await loading, robot, xml);
  }

  id(kind: Kind, name: string): number {
    const known = this.#ids.get(`${kind} ${name}`);
    if (known !== undefined) return known;
    const id = this.mujoco.mj_name2id(this.model, this.mujoco.mjtObj[`mjOBJ_${kind}`].value, name);
    if (id < 0) throw new Error(`no ${kind} ${name}`);
    this.#ids.set(`${kind} ${name}`, id);
    return id;
  }

  /** Sets the robot to a pose at rest, with motor targets that hold it. Sets the coupled finger too. */
  place(dofs: readonly number[]): void {
    const { mujoco, model, data } = this;
    mujoco.mj_resetData(model, data);
    const set = (joint: string, value: number) => {
      data.qpos[model.jnt_qposadr[this.id("JOINT", joint)]] = value;
    };
    this.robot.dofs.forEach((dof, i) => {
      for (const joint of dof.joints) set(joint, (dofs[i] ?? 0) / dof.joints.length);
    });
    set(FOLLOWER[this.robot.robotType] ?? "", dofs[this.robot.gripperDof] ?? 0);
    this.command(dofs);
    mujoco.mj_forward(model, data);
  }

  command(dofs: readonly number[]): void {
    this.body.actuators.forEach((actuator, i) => {
      this.data.ctrl[this.id("ACTUATOR", actuator)] = dofs[i];
    });
  }

  run(seconds: number, each?: () => void): void {
    const steps = Math.round(seconds / this.model.opt.timestep);
    for (let i = 0; i < steps; i++) {
      this.mujoco.mj_step(this.model, this.data);
      each?.();
    }
  }

  joint(name: string): number {
    return this.data.qpos[this.model.jnt_qposadr[this.id("JOINT", name)]];
  }

  /** The value of each degree of freedom. */
  dofs(): number[] {
    return this.robot.dofs.map(({ joints }) =>
      joints.reduce((sum, joint) => sum + this.joint(joint), 0),
    );
  }

  site(name: string): { readonly position: Vec3; readonly axes: readonly [Vec3, Vec3, Vec3] } {
    const id = this.id("SITE", name);
    const m = this.data.site_xmat.slice(9 * id, 9 * id + 9);
    return {
      position: vec3(this.data.site_xpos, id),
      axes: [
        [m[0], m[3], m[6]],
        [m[1], m[4], m[7]],
        [m[2], m[5], m[8]],
      ],
    };
  }

  endEffector() {
    return this.site(this.body.endEffectorSite);
  }

  bodyPosition(name: string): Vec3 {
    return vec3(this.data.xpos, this.id("BODY", name));
  }

  /** Names of the pairs of bodies in contact. */
  contacts(): string[] {
    const { mujoco, model, data } = this;
    const type = mujoco.mjtObj.mjOBJ_BODY.value;
    const name = (geom: number) => mujoco.mj_id2name(model, type, model.geom_bodyid[geom]);
    return Array.from({ length: data.ncon }, (_, i) => {
      const contact = data.contact.get(i);
      return `${name(contact?.geom1 ?? 0)} - ${name(contact?.geom2 ?? 0)}`;
    });
  }

  /** Contact force of a geom on other bodies along the contact normals, in newtons. */
  pressure(geom: string): number {
    const { mujoco, model, data } = this;
    const id = this.id("GEOM", geom);
    const wrench = new mujoco.DoubleBuffer(6);
    let sum = 0;
    for (let i = 0; i < data.ncon; i++) {
      const contact = data.contact.get(i);
      if (contact?.geom1 !== id && contact?.geom2 !== id) continue;
      mujoco.mj_contactForce(model, data, i, wrench);
      sum += wrench.GetView()[0] ?? 0;
    }
    wrench.delete();
    return sum;
  }

  close(): void {
    this.data.delete();
    this.model.delete();
  }
}

const FOLLOWER: Readonly<Record<string, string>> = {
  stretch: "joint_gripper_finger_right",
  stretch_re1: "joint_gripper_finger_right",
  stretch_mobile: "joint_gripper_finger_right",
  panda: "panda_finger_joint2",
};

const SETTINGS: readonly MjcfElement[] = [
  mjcf("compiler", { angle: "radian" }),
  mjcf(
    "option",
    { timestep: 0.002, integrator: "implicitfast", cone: "elliptic", impratio: 100 },
    mjcf("flag", { sleep: "enable" }),
  ),
  mjcf("size", { memory: "4M" }),
];

const FLOOR = mjcf("geom", { name: "floor", type: "plane", size: [3, 3, 0.1] });

function vec3(values: ArrayLike<number>, index: number): Vec3 {
  const at = (i: number) => values[3 * index + i] ?? Number.NaN;
  return [at(0), at(1), at(2)];
}
