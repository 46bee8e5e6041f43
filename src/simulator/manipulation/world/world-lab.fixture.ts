import type { MjData, MjModel } from "@mujoco/mujoco";
import type { EpisodeInit } from "../../../core/episode/base.js";
import { BaseEpisode } from "../../../core/episode/base.js";
import type { QuatWxyz } from "../../../core/math/rotation.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import { STRETCH } from "../../../robots/stretch.js";
import { type ComposeOptions, worldMjcf } from "../mjcf/compose.js";
import { loadMujoco, type Mujoco } from "../physics/mujoco.js";
import { worldOf } from "./from-episode.js";
import type { ManipulationWorld } from "./world.js";

/** An episode for tests of its world. */
export function episodeWith(
  taskConfig: Readonly<Record<string, unknown>>,
  init: Partial<EpisodeInit> = {},
): BaseEpisode {
  return new BaseEpisode({
    episodeId: "e1",
    taskType: "pick_place",
    sceneId: "tabletop",
    taskConfig,
    ...init,
  });
}

export function stretchWorld(taskConfig: Readonly<Record<string, unknown>>): ManipulationWorld {
  return worldOf(episodeWith(taskConfig), STRETCH);
}

type Kind = "JOINT" | "BODY" | "SITE" | "ACTUATOR";

/** A composed world in MuJoCo, which can also apply forces to bodies. */
export class WorldLab {
  readonly mujoco: Mujoco;
  readonly model: MjModel;
  readonly data: MjData;

  private constructor(mujoco: Mujoco, xml: string) {
    this.mujoco = mujoco;
    this.model = mujoco.MjModel.from_xml_string(xml);
    this.data = new mujoco.MjData(this.model);
  }

  /** With the robot holding its start pose. */
  static async of(world: ManipulationWorld, options?: ComposeOptions): Promise<WorldLab> {
    const lab = new WorldLab(await loadMujoco(), worldMjcf(world, options));
    for (const [i, dof] of world.robot.dofs.entries()) {
      const value = world.joints[i] ?? 0;
      for (const joint of dof.joints) {
        lab.data.qpos[lab.model.jnt_qposadr[lab.id("JOINT", joint)]] = value / dof.joints.length;
      }
      const actuator = world.robot.model?.actuators[i] ?? "";
      lab.data.ctrl[lab.id("ACTUATOR", actuator)] = value;
    }
    lab.mujoco.mj_forward(lab.model, lab.data);
    return lab;
  }

  id(kind: Kind, name: string): number {
    const id = this.mujoco.mj_name2id(this.model, this.mujoco.mjtObj[`mjOBJ_${kind}`].value, name);
    if (id < 0) throw new Error(`no ${kind} ${name}`);
    return id;
  }

  run(seconds: number): void {
    const steps = Math.round(seconds / this.model.opt.timestep);
    for (let i = 0; i < steps; i++) this.mujoco.mj_step(this.model, this.data);
  }

  joint(name: string): number {
    return this.data.qpos[this.model.jnt_qposadr[this.id("JOINT", name)]];
  }

  position(body: string): Vec3 {
    const [x, y, z] = this.#row(this.data.xpos, this.id("BODY", body), 3);
    return [x, y, z] as Vec3;
  }

  rotation(body: string): QuatWxyz {
    const [w, x, y, z] = this.#row(this.data.xquat, this.id("BODY", body), 4);
    return [w, x, y, z] as QuatWxyz;
  }

  /** Angle between a body's z axis and the vertical, in degrees. */
  tiltDeg(body: string): number {
    const [, x, y] = this.rotation(body);
    return (Math.acos(Math.min(1, 1 - 2 * (x * x + y * y))) * 180) / Math.PI;
  }

  site(name: string): { readonly position: Vec3; readonly x: Vec3; readonly z: Vec3 } {
    const id = this.id("SITE", name);
    const m = this.#row(this.data.site_xmat, id, 9);
    const column = (k: number) => [m[k], m[k + 3], m[k + 6]] as unknown as Vec3;
    const position = this.#row(this.data.site_xpos, id, 3) as unknown as Vec3;
    return { position, x: column(0), z: column(2) };
  }

  massOf(body: string): number {
    return this.model.body_mass[this.id("BODY", body)];
  }

  /** Applies a force (newtons) at a site along its -x (out of a cabinet) from now on. */
  pull(body: string, site: string, newtons: number): void {
    const id = this.id("BODY", body);
    const { position, x } = this.site(site);
    const force = x.map((c) => -newtons * c) as unknown as Vec3;
    const centre = this.#row(this.data.xipos, id, 3);
    const arm = position.map((c, i) => c - (centre[i] ?? 0)) as unknown as Vec3;
    const torque = [
      arm[1] * force[2] - arm[2] * force[1],
      arm[2] * force[0] - arm[0] * force[2],
      arm[0] * force[1] - arm[1] * force[0],
    ];
    this.data.xfrc_applied.set([...force, ...torque], 6 * id);
  }

  close(): void {
    this.data.delete();
    this.model.delete();
  }

  #row(values: Float64Array, index: number, width: number): number[] {
    return Array.from(values.subarray(index * width, (index + 1) * width));
  }
}
