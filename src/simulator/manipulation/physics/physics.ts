import { createHash } from "node:crypto";
import type { MjModel } from "@mujoco/mujoco";
import { DataError } from "../../../core/errors.js";
import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import type { PhysicsGeom } from "../visual/geom.js";
import { Anatomy } from "./anatomy.js";
import { type GeomPlaces, geomPoseAt, quatAt, quatOfMatrixAt, vec3At } from "./arrays.js";
import { type BodyPlaces, bodiesOf, type PhysicsBody } from "./bodies.js";
import { compileModel, type ModelFiles, type ModelText, wordsOf } from "./compile.js";
import { defectOf, explosionOf } from "./faults.js";
import { GeomSets } from "./geom-sets.js";
import { geomsOf } from "./geoms.js";
import { type Held, holdModel } from "./live.js";
import { loadMujoco, type Mujoco, reloadAfter } from "./mujoco.js";
import { type ElementKind, Names } from "./names.js";
import type { Scratch } from "./scratch.js";

export type { PhysicsGeom } from "../visual/geom.js";

export interface PhysicsOptions {
  /** Meshes, textures and includes, by the path under which the model names them. */
  readonly files?: ModelFiles;
  /** Said in errors: an episode, a file. */
  readonly where?: string;
  /** Seconds of a step, where the model's own is not to hold. */
  readonly timestepS?: number | undefined;
}

/**
 * One MuJoCo model and its state. The same model and the same controls give the same bits; reading changes
 * none of them. Joints are set before the first step and only driven after it.
 *
 * It lives outside the garbage collector's reach: whoever makes one calls `dispose`.
 */
export class Physics {
  readonly timestepS: number;
  readonly #names: Names;
  readonly #sets: GeomSets;
  #held: Held | undefined;
  #started = false;
  #fault: string | undefined;
  #geoms: readonly PhysicsGeom[] | undefined;

  private constructor(mujoco: Mujoco, model: MjModel, where: string) {
    this.timestepS = model.opt.timestep;
    this.#names = new Names(model, where);
    this.#sets = new GeomSets(model, this.#names);
    this.#held = holdModel(mujoco, model, this.#names);
  }

  /** Compiles a model; a DataError in MuJoCo's own words where that cannot be. */
  static async create(xml: ModelText, options: PhysicsOptions = {}): Promise<Physics> {
    const mujoco = await loadMujoco();
    const where = options.where ?? "MJCF";
    const model = compileModel(mujoco, xml, options.files ?? {}, where);
    if (options.timestepS !== undefined) model.opt.timestep = options.timestepS;
    const physics = new Physics(mujoco, model, where);
    try {
      physics.forward();
      return physics;
    } catch (error) {
      reloadAfter(error);
      physics.dispose();
      throw new DataError("bad_mjcf", `MuJoCo cannot simulate the model: ${wordsOf(error)}`, {
        where,
        cause: error,
      });
    }
  }

  /** Seconds since the start. */
  timeS(): number {
    return this.#alive.data.time;
  }

  /** Physics steps. Once the physics has diverged nothing moves any more. */
  step(count: number): void {
    const held = this.#alive;
    const { mujoco, model, data, contacts, derived } = held;
    if (this.#fault !== undefined) return;
    this.#started = true;
    const before = data.time;
    try {
      for (let i = 0; i < count; i++) mujoco.mj_step(model, data);
    } catch (error) {
      this.#fault = `MuJoCo gave up: ${wordsOf(error)}`;
    }
    contacts.forget();
    derived.outdate();
    // Where numbers explode, MuJoCo begins again at time 0; the clock shows it, but for the very first step.
    const lost = Math.abs(data.time - before - count * this.timestepS);
    const restarted = !(lost < this.timestepS / 2);
    if (restarted || before === 0) {
      this.#fault ??=
        explosionOf(held, this.#names) ?? (restarted ? "MuJoCo began again by itself" : undefined);
    }
  }

  /** Contacts and forces of joints and controls that were set; what follows is the same with and without. */
  forward(): void {
    const { mujoco, model, data, contacts, derived } = this.#alive;
    // MuJoCo starts its solver from the last solution, so an extra one would change the next step's last bits.
    const warmStart = Float64Array.from(data.qacc_warmstart);
    mujoco.mj_forward(model, data);
    data.qacc_warmstart.set(warmStart);
    contacts.forget();
    derived.allFresh();
  }

  /** As it was made. */
  reset(): void {
    const { mujoco, model, data } = this.#alive;
    mujoco.mj_resetData(model, data);
    this.#started = false;
    this.#fault = undefined;
    this.forward();
  }

  /** What went wrong; undefined while the state can be trusted. */
  diverged(): string | undefined {
    this.#fault ??= defectOf(this.#alive, this.#names);
    return this.#fault;
  }

  has(kind: ElementKind, name: string): boolean {
    return this.#names.has(kind, name);
  }

  /** Of all elements that have one. */
  names(kind: ElementKind): readonly string[] {
    return this.#names.all(kind);
  }

  /** What the model consists of; where its bodies are, as of the last step. */
  anatomy(): Anatomy {
    const { mujoco, model, data } = this.#placed();
    return new Anatomy(mujoco, model, data, this.#names);
  }

  setControl(actuator: string, value: number): void {
    if (!Number.isFinite(value)) {
      throw new RangeError(`the control of actuator "${actuator}" cannot be ${value}`);
    }
    this.#alive.views.ctrl()[this.#controlAddress(actuator)] = value;
  }

  control(actuator: string): number {
    return this.#alive.views.ctrl()[this.#controlAddress(actuator)] as number;
  }

  /** Undefined for an actuator without limits. */
  controlRange(actuator: string): readonly [low: number, high: number] | undefined {
    // The binding cannot give arrays of booleans (`actuator_ctrllimited`), only one at a time.
    const one = this.#alive.model.actuator(this.#names.id("actuator", actuator));
    const range: readonly [number, number] | undefined = one.ctrllimited
      ? [one.ctrlrange[0], one.ctrlrange[1]]
      : undefined;
    one.delete();
    return range;
  }

  /** Metres of a sliding joint, radians of a turning one; others have no single number. */
  joint(name: string): number {
    return this.#alive.joints.position(name);
  }

  jointVelocity(name: string): number {
    return this.#alive.joints.velocity(name);
  }

  /** Undefined for a joint without limits. */
  jointRange(name: string): readonly [low: number, high: number] | undefined {
    return this.anatomy().joint(name).range;
  }

  /** Of joints that move as one, as a telescope's segments do. */
  jointSum(joints: readonly string[]): number {
    return this.#alive.joints.positionSum(joints);
  }

  jointVelocitySum(joints: readonly string[]): number {
    return this.#alive.joints.velocitySum(joints);
  }

  setJoint(name: string, value: number): void {
    this.#beforeStart(`joint "${name}"`, [value]);
    const { views, joints, derived } = this.#alive;
    views.qpos()[joints.positionAddress(name)] = value;
    derived.outdate();
  }

  /** How many numbers `setPositions` takes, and how many velocities go with them. */
  counts(): { readonly positions: number; readonly velocities: number } {
    const { model } = this.#alive;
    return { positions: model.nq, velocities: model.nv };
  }

  /** All joints at once, in MuJoCo's order. */
  setPositions(values: readonly number[]): void {
    this.#beforeStart("the joints", values);
    const { views, derived } = this.#alive;
    views.qpos().set(values);
    derived.outdate();
  }

  /** Where a joint turns about or slides along, in the world. */
  jointAxis(name: string): { readonly axis: Vec3; readonly anchor: Vec3 } {
    const { data } = this.#placed();
    const id = this.#names.id("joint", name);
    return { axis: vec3At(data.xaxis, id), anchor: vec3At(data.xanchor, id) };
  }

  /** Of a body on a free joint. */
  setFreePose(body: string, { position, rotation_wxyz }: Pose3): void {
    this.#beforeStart(`body "${body}"`, [...position, ...rotation_wxyz]);
    const { model, mujoco, views } = this.#alive;
    const joint: number = model.body_jntadr[this.#names.id("body", body)];
    if (joint < 0 || views.jointTypes()[joint] !== mujoco.mjtJoint.mjJNT_FREE.value) {
      throw new DataError("not_free", `body "${body}" has no free joint, so it cannot be placed`);
    }
    views.qpos().set([...position, ...rotation_wxyz], views.positionAddresses()[joint]);
    this.#alive.derived.outdate();
  }

  body(name: string): Pose3 {
    const { xpos, xquat } = this.#placed().views;
    const id = this.#names.id("body", name);
    return { position: vec3At(xpos(), id), rotation_wxyz: quatAt(xquat(), id) };
  }

  /** Of the body's frame, in the axes of the world: metres and radians a second. */
  bodyVelocity(name: string): { readonly linear: Vec3; readonly angular: Vec3 } {
    const { mujoco, model, data, velocity, derived } = this.#alive;
    derived.velocities();
    const kind = mujoco.mjtObj.mjOBJ_XBODY.value;
    mujoco.mj_objectVelocity(model, data, kind, this.#names.id("body", name), velocity, 0);
    const view: Float64Array = velocity.GetView();
    return { linear: vec3At(view, 1), angular: vec3At(view, 0) };
  }

  site(name: string): Pose3 {
    const { sitePositions, siteMatrices } = this.#placed().views;
    const id = this.#names.id("site", name);
    return {
      position: vec3At(sitePositions(), id),
      rotation_wxyz: quatOfMatrixAt(siteMatrices(), id),
    };
  }

  /** Newtons along the normals, summed, between geoms and a body with all that hangs on it. */
  pressure(geoms: readonly string[], body: string): number {
    return this.#alive.contacts.pressure(this.#sets.named(geoms), this.#sets.ofBody(body));
  }

  /** Whether two bodies touch, each with all that hangs on it; `world` is what stands fixed by itself. */
  touching(bodyA: string, bodyB: string): boolean {
    return this.#alive.contacts.touching(this.#sets.ofBody(bodyA), this.#sets.ofBody(bodyB));
  }

  /**
   * How a site moves (rows x, y, z) and turns (about x, y, z) in the axes of the world, a column each joint;
   * row by row.
   */
  jacobian(site: string, names: readonly string[]): Float64Array {
    const { jacobian, data, joints, derived } = this.#alive;
    derived.centres();
    const columns = names.map((name) => joints.velocityAddress(name));
    return jacobian.read(data, this.#names.id("site", site), columns);
  }

  /** To ask what would be where; begins at the present positions, and belongs to this physics. */
  scratch(): Scratch {
    const { data, scratch } = this.#alive;
    scratch().copy(data);
    return scratch();
  }

  /** Of positions, velocities, activations, controls and time: equal bits, equal hash. */
  hash(): string {
    const { qpos, qvel, act, ctrl, time } = this.#alive.data;
    const digest = createHash("sha256");
    for (const array of [qpos, qvel, act, ctrl, Float64Array.of(time)]) digest.update(array);
    return digest.digest("hex");
  }

  /** For drawing; where they are, `geomPose` tells. */
  geoms(): readonly PhysicsGeom[] {
    const { mujoco, model } = this.#alive;
    this.#geoms ??= geomsOf(mujoco, model, this.#names);
    return this.#geoms;
  }

  /** By the index in `geoms()`. */
  geomPose(index: number): Pose3 {
    const { geomPositions, geomMatrices } = this.#placed().views;
    return geomPoseAt({ positions: geomPositions(), matrices: geomMatrices() }, index);
  }

  /** Of all of `geoms()`, as they are now: what follows does not change it. */
  geomPlaces(): GeomPlaces {
    const { geomPositions, geomMatrices } = this.#placed().views;
    return { positions: geomPositions().slice(), matrices: geomMatrices().slice() };
  }

  /** All bodies by their number, with a name for each: MuJoCo's own, or one made of the number. */
  bodies(): readonly PhysicsBody[] {
    return bodiesOf(this.#alive.model, this.#names);
  }

  /** Of all of `bodies()`, as they are now: three numbers a position, four (w, x, y, z) a rotation. */
  bodyPlaces(): BodyPlaces {
    const { xpos, xquat } = this.#placed().views;
    return { positions: xpos().slice(), rotations: xquat().slice() };
  }

  /** Looks along its own -z, y up. */
  camera(name: string): { readonly pose: Pose3; readonly fovyDeg: number } {
    const { model, data, derived } = this.#alive;
    derived.cameras();
    const id = this.#names.id("camera", name);
    return {
      pose: {
        position: vec3At(data.cam_xpos, id),
        rotation_wxyz: quatOfMatrixAt(data.cam_xmat, id),
      },
      fovyDeg: model.cam_fovy[id],
    };
  }

  /** Gives the memory back; a second call does nothing. */
  dispose(): void {
    this.#held?.dispose();
    this.#held = undefined;
  }

  get #alive(): Held {
    if (this.#held) return this.#held;
    throw new Error("this physics was disposed of");
  }

  /** With bodies, geoms and sites where the joints have them. */
  #placed(): Held {
    const held = this.#alive;
    held.derived.places();
    return held;
  }

  #controlAddress(actuator: string): number {
    const id = this.#names.id("actuator", actuator);
    return this.#alive.views.controlAddresses()[id] as number;
  }

  #beforeStart(what: string, values: readonly number[]): void {
    if (this.#started) {
      throw new Error(`${what} cannot be set once the physics runs: it is driven by actuators`);
    }
    if (!values.every(Number.isFinite)) {
      throw new RangeError(`${what} cannot be set to ${values.join(", ")}`);
    }
  }
}
