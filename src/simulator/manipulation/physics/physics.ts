import { createHash } from "node:crypto";
import type { MjModel } from "@mujoco/mujoco";
import { DataError } from "../../../core/errors.js";
import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { scale, subtract, type Vec3 } from "../../../core/math/vec3.js";
import type { PhysicsCamera, PhysicsGeom } from "../visual/geom.js";
import {
  type DrawnPlaces,
  geomPoseAt,
  quatAt,
  quatOfMatrixAt,
  readHandle,
  vec3At,
} from "./arrays.js";
import { type BodyPlaces, bodiesOf, type PhysicsBody } from "./bodies.js";
import type { ControlOrder } from "./control-order.js";
import { lensOf } from "./drawing/lens.js";
import { type DrawingOptions, drawingOf, type ModelDrawing } from "./drawing/scene.js";
import type { Engine } from "./engine/names.js";
import { divergenceFault, stateFault } from "./faults.js";
import { GeomSets } from "./geom-sets.js";
import { geomsOf } from "./geoms.js";
import { createHandles, type ModelHandles } from "./handles.js";
import { boundArena } from "./model/arena.js";
import type { ModelCache } from "./model/cache.js";
import {
  compileModel,
  type ModelFiles,
  type ModelText,
  mujocoError,
  mujocoMessage,
} from "./model/compile.js";
import { ModelInspector } from "./model/inspect.js";
import { type MeshPolygons, setPolygons } from "./model/polygons.js";
import type { ModelFields } from "./model-changes.js";
import { loadMujoco, type Mujoco, reloadAfter } from "./mujoco.js";
import { type ElementKind, Names } from "./names.js";
import { type Overlap, overlapsOf } from "./overlaps.js";
import type { Scratch } from "./scratch.js";
import type { RayHit } from "./sight/rays.js";
import { sitePose } from "./views.js";
import { setWholeState, type WholeState } from "./whole-state.js";

/**
 * Contacts at once. MuJoCo's time grows with their square, and a step cannot be interrupted: 3000 take 2 s, 13,000 take
 * 14 s. Published scenes have a few hundred.
 */
const MOST_CONTACTS = 5000;

export interface PhysicsOptions {
  /** Meshes, textures and includes, by the path in the model. */
  readonly files?: ModelFiles;
  /** The episode or file that error messages name. */
  readonly where?: string;
  /** Overrides the model's time step, in seconds. */
  readonly timestepS?: number | undefined;
  /** Has compiled models. */
  readonly cache?: ModelCache | undefined;
  /** Default: the embedded MuJoCo. */
  readonly engine?: Engine | undefined;
  /** Geoms whose contacts are computed but not reported. */
  readonly uncheckedGeoms?: readonly string[];
  /** Polygons of all meshes, in the order in which another build of MuJoCo has them. */
  readonly polygons?: readonly MeshPolygons[] | undefined;
}

/** Changes all positions and velocities in place. */
export type StateNoise = (qpos: Float64Array, qvel: Float64Array) => void;

/**
 * One MuJoCo model and its state. The same model and controls give the same bits, and reading does not change them.
 * Joints can be set before the first step only; afterwards actuators drive them.
 *
 * Its WASM memory is not garbage-collected: the owner calls `dispose`.
 */
export class Physics {
  readonly timestepS: number;
  /** What was changed in the model, for its author. */
  readonly notes: readonly string[];
  readonly #names: Names;
  readonly #sets: GeomSets;
  #handles: ModelHandles | undefined;
  #started = false;
  #fault: string | undefined;
  #noise: StateNoise | undefined;
  #geoms: readonly PhysicsGeom[] | undefined;
  /**
   * Drawings, keyed by their options. Kept because reading meshes and textures takes a second, and the next episode
   * draws them too.
   */
  readonly #drawings = new Map<string, ModelDrawing>();
  /** Changes of the look in the drawings and geoms that are kept; an episode may change sizes and colours. */
  #drawnChanges = "";

  private constructor(
    mujoco: Mujoco,
    model: MjModel,
    where: string,
    notes: readonly string[],
    uncheckedGeoms: readonly string[] = [],
  ) {
    this.notes = notes;
    this.timestepS = model.opt.timestep;
    this.#names = new Names(model, where);
    this.#sets = new GeomSets(model, this.#names, uncheckedGeoms);
    this.#handles = createHandles(mujoco, model, this.#names);
  }

  /** @throws DataError with MuJoCo's message if the model cannot be compiled */
  static async create(xml: ModelText, options: PhysicsOptions = {}): Promise<Physics> {
    const mujoco = await loadMujoco(options.engine);
    const where = options.where ?? "MJCF";
    const { notes, ...bounded } = boundArena(xml, options.files ?? {}, where);
    const model = compileModel(mujoco, bounded.xml, bounded.files, where, options.cache);
    if (options.polygons) setPolygons(model, options.polygons, where);
    if (options.timestepS !== undefined) model.opt.timestep = options.timestepS;
    let physics: Physics | undefined;
    try {
      physics = new Physics(mujoco, model, where, notes, options.uncheckedGeoms);
      physics.#checkContacts(where);
      physics.forward();
      return physics;
    } catch (error) {
      reloadAfter(error);
      physics?.dispose();
      if (error instanceof DataError) throw error;
      throw mujocoError("simulate", error, bounded.files, where);
    }
  }

  /** Counts the contacts of the initial state before MuJoCo solves for their forces. */
  #checkContacts(where: string): void {
    const { mujoco, model, data } = this.#live;
    mujoco.mj_kinematics(model, data);
    mujoco.mj_collision(model, data);
    if (data.ncon <= MOST_CONTACTS) return;
    throw new DataError("mjcf_too_large", `the model starts with ${tooMany(data.ncon)}`, {
      where,
      hint: "move bodies that overlap apart: MuJoCo would compute for minutes",
    });
  }

  /** Simulated seconds since the start. */
  timeS(): number {
    return this.#live.data.time;
  }

  /**
   * Takes `count` physics steps; none once the physics has diverged.
   *
   * @param beforeEach called before each step, to set controls
   */
  step(count: number, beforeEach?: () => void): void {
    const { mujoco, model, data } = this.#live;
    this.#advance(count, false, () => {
      beforeEach?.();
      mujoco.mj_step(model, data);
    });
  }

  /**
   * Takes `count` physics steps with a controller that reads the state within each of them. Afterwards poses and
   * velocities are as MuJoCo leaves them: those of the start of the last step. Simulators in Python observe these.
   */
  controlledSteps(count: number, order: ControlOrder, controller: () => void): void {
    const { mujoco, model, data, views } = this.#live;
    const isHalved = order === "step1_step2";
    const isTwice = order === "forward_forward_step";
    const isOnce = order === "once";
    if (isOnce) controller();
    this.#advance(count, true, () => {
      this.#noise?.(views.qpos(), views.qvel());
      if (isTwice) mujoco.mj_forward(model, data);
      if (isHalved) mujoco.mj_step1(model, data);
      else if (!isOnce) mujoco.mj_forward(model, data);
      if (!isOnce) controller();
      if (isHalved) mujoco.mj_step2(model, data);
      else mujoco.mj_step(model, data);
    });
  }

  /** Changes positions and velocities at the start of each physics step of `controlledSteps`, until it is set again. */
  setNoise(noise: StateNoise | undefined): void {
    this.#noise = noise;
  }

  /**
   * Updates everything that is derived from the state, as simulators in Python do after a control step. Unlike
   * `forward`, it changes where the solver starts, and thereby the last digits of the next step.
   *
   * @param joints positions to which joints are set before
   */
  completeStep(joints: Readonly<Record<string, number>>): void {
    const handles = this.#live;
    const { mujoco, model, data, views, contacts, derived } = handles;
    if (this.#fault !== undefined) return;
    for (const [name, position] of Object.entries(joints)) {
      views.qpos()[handles.joints.positionAddress(name)] = position;
    }
    try {
      mujoco.mj_forward(model, data);
    } catch (error) {
      this.#fault = `MuJoCo stopped: ${mujocoMessage(error)}`;
    }
    contacts.invalidate();
    derived.mark(true);
  }

  /** @param asLeft derived quantities are to be read as MuJoCo leaves them instead of updated */
  #advance(count: number, asLeft: boolean, step: () => void): void {
    const handles = this.#live;
    const { data, contacts, derived } = handles;
    if (this.#fault !== undefined) return;
    this.#started = true;
    const before = data.time;
    derived.mark(asLeft);
    try {
      for (let i = 0; i < count && this.#fault === undefined; i++) {
        step();
        if (data.ncon > MOST_CONTACTS) this.#fault = `the bodies have ${tooMany(data.ncon)}`;
      }
    } catch (error) {
      this.#fault = `MuJoCo stopped: ${mujocoMessage(error)}`;
    }
    contacts.invalidate();
    derived.mark(asLeft);
    // When the state diverges, MuJoCo resets to time 0. The clock shows it, except in the very first step.
    const lost = Math.abs(data.time - before - count * this.timestepS);
    const restarted = !(lost < this.timestepS / 2);
    if (restarted || before === 0) {
      this.#fault ??=
        divergenceFault(handles, this.#names) ??
        (restarted ? "MuJoCo reset the simulation" : undefined);
    }
  }

  /** Computes contacts and forces after joints and controls were set. Later steps are the same without it. */
  forward(): void {
    const { mujoco, model, data, contacts, derived } = this.#live;
    // The solver starts from its last solution, so an extra solution would change the last bits of the next step.
    const warmStart = Float64Array.from(data.qacc_warmstart);
    mujoco.mj_forward(model, data);
    data.qacc_warmstart.set(warmStart);
    contacts.invalidate();
    derived.mark(true);
  }

  /** Restores the initial state, and the model's numbers that `restore` changed. */
  reset(): void {
    const { mujoco, model, data, changes } = this.#live;
    changes.undo();
    mujoco.mj_resetData(model, data);
    this.#started = false;
    this.#fault = undefined;
    this.forward();
  }

  /**
   * Restores a whole state, and changes numbers of the model.
   *
   * @throws DataError if they do not fit the model
   */
  restore(state: WholeState, fields: ModelFields, where: string): void {
    this.reset();
    const { model, data, changes } = this.#live;
    changes.apply(fields, where);
    setWholeState(model, data, state, where);
    this.forward();
  }

  /** Time, positions, velocities and activations, as MuJoCo orders them. */
  wholeState(): number[] {
    const { data, views } = this.#live;
    return [data.time, ...views.qpos(), ...views.qvel(), ...data.act];
  }

  /** Why the state is invalid; undefined while it is valid. */
  diverged(): string | undefined {
    this.#fault ??= stateFault(this.#live, this.#names);
    return this.#fault;
  }

  has(kind: ElementKind, name: string): boolean {
    return this.#names.has(kind, name);
  }

  /** Names of all elements of a kind that have one. */
  names(kind: ElementKind): readonly string[] {
    return this.#names.all(kind);
  }

  /** Structure of the model, and the current poses of its bodies. */
  inspect(): ModelInspector {
    const { mujoco, model, data } = this.#placed();
    return new ModelInspector(mujoco, model, data, this.#names, this.#sets.bodies);
  }

  setControl(actuator: string, value: number): void {
    if (!Number.isFinite(value)) {
      throw new RangeError(`the control of actuator "${actuator}" must be finite, got ${value}`);
    }
    this.#live.views.ctrl()[this.#controlAddress(actuator)] = value;
  }

  control(actuator: string): number {
    return this.#live.views.ctrl()[this.#controlAddress(actuator)] as number;
  }

  /** Undefined if the actuator is unlimited. */
  controlRange(actuator: string): readonly [low: number, high: number] | undefined {
    const handle = this.#live.model.actuator(this.#names.id("actuator", actuator));
    return readHandle(handle, ({ ctrllimited, ctrlrange }) =>
      ctrllimited ? [ctrlrange[0], ctrlrange[1]] : undefined,
    );
  }

  isMocap(body: string): boolean {
    return this.#live.model.body_mocapid[this.#names.id("body", body)] >= 0;
  }

  /** Pose of a mocap body: the one that it was last given. */
  mocap(body: string): Pose3 {
    const { data } = this.#live;
    const id = this.#mocapId(body);
    return { position: vec3At(data.mocap_pos, id), rotation_wxyz: quatAt(data.mocap_quat, id) };
  }

  /** Places a mocap body, which pulls what is welded to it. MuJoCo normalises the quaternion. */
  setMocap(body: string, { position, rotation_wxyz }: Pose3): void {
    const { data } = this.#live;
    const id = this.#mocapId(body);
    data.mocap_pos.set(position, 3 * id);
    data.mocap_quat.set(rotation_wxyz, 4 * id);
  }

  /** Position of a slide joint (metres) or hinge joint (radians). */
  joint(name: string): number {
    return this.#live.joints.position(name);
  }

  jointVelocity(name: string): number {
    return this.#live.joints.velocity(name);
  }

  /** Force (N) or torque (N m) that holds the joint against gravity, Coriolis and centrifugal forces, of the last step. */
  jointBias(name: string): number {
    const { views, joints } = this.#live;
    return views.biases()[joints.velocityAddress(name)] as number;
  }

  /** Acceleration of a joint in the last step, in metres or radians per second squared. */
  jointAcceleration(name: string): number {
    const { views, joints } = this.#live;
    return views.qacc()[joints.velocityAddress(name)] as number;
  }

  /** Writes the positions of joints into `out`, in the order of the names. Faster than `joint` for a list that is reused. */
  jointPositions(names: readonly string[], out: Float64Array): void {
    this.#live.joints.readPositions(names, out);
  }

  jointVelocities(names: readonly string[], out: Float64Array): void {
    const { views, joints } = this.#live;
    joints.readDofs(names, views.qvel(), out);
  }

  /** See `jointBias`. */
  jointBiases(names: readonly string[], out: Float64Array): void {
    const { views, joints } = this.#live;
    joints.readDofs(names, views.biases(), out);
  }

  /** Inertia of joints: symmetric, row by row, in the order of the names; in `out`, if it is given. */
  inertia(names: readonly string[], out?: Float64Array): Float64Array {
    const { inertia, joints } = this.#live;
    return inertia.read(joints.velocityAddresses(names), out);
  }

  /** Undefined if the joint is unlimited. */
  jointRange(name: string): readonly [low: number, high: number] | undefined {
    return this.inspect().joint(name).range;
  }

  /** Sum of the positions of joints that move together, such as the segments of a telescope. */
  jointSum(joints: readonly string[]): number {
    return this.#live.joints.positionSum(joints);
  }

  jointVelocitySum(joints: readonly string[]): number {
    return this.#live.joints.velocitySum(joints);
  }

  setJoint(name: string, value: number): void {
    this.#beforeStart(`joint "${name}"`, [value]);
    const { views, joints, derived } = this.#live;
    views.qpos()[joints.positionAddress(name)] = value;
    derived.mark(false);
  }

  /** Number of values in `qpos` (as `setPositions` takes them) and in `qvel`. */
  counts(): { readonly positions: number; readonly velocities: number } {
    const { model } = this.#live;
    return { positions: model.nq, velocities: model.nv };
  }

  /** Sets all of `qpos`, in MuJoCo's order. */
  setPositions(values: readonly number[]): void {
    this.#beforeStart("the joints", values);
    const { views, derived } = this.#live;
    views.qpos().set(values);
    derived.mark(false);
  }

  /** Axis and anchor of a joint in world coordinates. */
  jointAxis(name: string): { readonly axis: Vec3; readonly anchor: Vec3 } {
    const { data } = this.#placed();
    const id = this.#names.id("joint", name);
    return { axis: vec3At(data.xaxis, id), anchor: vec3At(data.xanchor, id) };
  }

  /** Places a body that has a free joint. */
  setFreePose(body: string, { position, rotation_wxyz }: Pose3): void {
    this.#beforeStart(`body "${body}"`, [...position, ...rotation_wxyz]);
    const { model, mujoco, views } = this.#live;
    const joint: number = model.body_jntadr[this.#names.id("body", body)];
    if (joint < 0 || views.jointTypes()[joint] !== mujoco.mjtJoint.mjJNT_FREE.value) {
      throw new DataError("not_free", `body "${body}" has no free joint, so it cannot be placed`);
    }
    views.qpos().set([...position, ...rotation_wxyz], views.positionAddresses()[joint]);
    this.#live.derived.mark(false);
  }

  body(name: string): Pose3 {
    const { xpos, xquat } = this.#placed().views;
    const id = this.#names.id("body", name);
    return { position: vec3At(xpos(), id), rotation_wxyz: quatAt(xquat(), id) };
  }

  /** Velocity of the body's frame in world axes: metres and radians per second. */
  bodyVelocity(name: string): { readonly linear: Vec3; readonly angular: Vec3 } {
    const { mujoco, model, data, velocity, derived } = this.#live;
    derived.velocities();
    const kind = mujoco.mjtObj.mjOBJ_XBODY.value;
    mujoco.mj_objectVelocity(model, data, kind, this.#names.id("body", name), velocity, 0);
    const view: Float64Array = velocity.GetView();
    return { linear: vec3At(view, 1), angular: vec3At(view, 0) };
  }

  site(name: string): Pose3 {
    return sitePose(this.#placed().views, this.#names.id("site", name));
  }

  /**
   * Velocity of a site in world axes: metres and radians per second. It is the Jacobian times the joints' velocities, so
   * that after `controlledSteps` the poses in it are one physics step older than the velocities.
   */
  siteVelocity(name: string): { readonly linear: Vec3; readonly angular: Vec3 } {
    const { jacobian, views, derived } = this.#live;
    derived.centres();
    return jacobian.velocity(this.#names.id("site", name), views.qvel());
  }

  geom(name: string): Pose3 {
    const { geomPositions, geomMatrices } = this.#placed().views;
    const places = { positions: geomPositions(), matrices: geomMatrices() };
    return geomPoseAt(places, this.#names.id("geom", name));
  }

  /** The geoms that penetrate each other in the state of the last `forward`. */
  overlaps(): readonly Overlap[] {
    return overlapsOf(this.#live.data, this.#names, this.#sets.bodies);
  }

  /** Sum of the normal forces (newtons) between geoms and a body with its descendants. */
  pressure(geoms: readonly string[], body: string): number {
    return this.#live.contacts.pressure(this.#sets.named(geoms), this.#sets.ofBody(body));
  }

  /** Whether any of some geoms touches a body or its descendants. */
  geomsTouch(geoms: readonly string[], body: string): boolean {
    return this.#live.contacts.touching(this.#sets.named(geoms), this.#sets.ofBody(body));
  }

  /** Whether two bodies, with their descendants, touch. `world` stands for its own geoms only. */
  touching(bodyA: string, bodyB: string): boolean {
    return this.#live.contacts.touching(this.#sets.ofBody(bodyA), this.#sets.ofBody(bodyB));
  }

  /** Whether a body or its descendants touch something that is fixed to the ground, except the floor. */
  touchingObstacle(body: string): boolean {
    const { contacts, data } = this.#placed();
    return contacts.touching(this.#sets.ofBody(body), this.#sets.obstacles(data, [body]));
  }

  /** What touches a body or its descendants from outside: the other bodies, by index in `bodies()`. */
  touches(body: string): readonly { readonly body: number; readonly up: number }[] {
    return this.#live.contacts
      .touchesOf(this.#sets.ofBody(body))
      .map(({ geom, up }) => ({ body: this.#sets.bodies[geom] ?? 0, up }));
  }

  /** Sum of the normal forces between bodies, with their descendants, and what is fixed to the ground, except the floor. */
  collisionForce(bodies: readonly string[]): number {
    const { contacts, data } = this.#placed();
    const obstacles = this.#sets.obstacles(data, bodies);
    return bodies.reduce(
      (sum, body) => sum + contacts.pressure(this.#sets.ofBody(body), obstacles),
      0,
    );
  }

  /** Whether a body is fixed to the ground. */
  isFixed(body: string): boolean {
    return this.#live.model.body_weldid[this.#names.id("body", body)] === 0;
  }

  /** Indices in `geoms()` of the geoms of a body and its descendants that can touch others. */
  solidGeoms(body: string): readonly number[] {
    return this.#sets.solid(body);
  }

  /** What rays of unit length from a camera hit first; they pass through the body of the camera. */
  look(camera: string, directions: readonly Vec3[], farM: number): readonly RayHit[] {
    const { model, data, rays, derived } = this.#live;
    derived.cameras();
    const id = this.#names.id("camera", camera);
    return rays.cast(vec3At(data.cam_xpos, id), directions, model.cam_bodyid[id], farM);
  }

  /** Whether nothing that can be touched is on the straight line between two points. */
  isClear(from: Vec3, to: Vec3): boolean {
    const way = subtract(to, from);
    const lengthM = Math.hypot(...way);
    if (lengthM === 0) return true;
    const [hit] = this.#live.rays.cast(from, [scale(way, 1 / lengthM)], -1, lengthM);
    return !hit || hit.geom < 0 || hit.distanceM >= lengthM;
  }

  /**
   * Jacobian of a site: position and rotation in world axes (rows x, y, z, rx, ry, rz), one column per joint;
   * row-major; in `out`, if it is given.
   */
  jacobian(site: string, names: readonly string[], out?: Float64Array): Float64Array {
    const { jacobian, joints, derived } = this.#live;
    derived.centres();
    const columns = joints.velocityAddresses(names);
    return jacobian.read(this.#names.id("site", site), columns, out);
  }

  /** Scratch data at the current positions, for what-if computations. Shared, and owned by this physics. */
  scratch(): Scratch {
    const { data, scratch } = this.#live;
    scratch().copy(data);
    return scratch();
  }

  /** Hash of the bits of positions, velocities, activations, controls and time. */
  hash(): string {
    const { qpos, qvel, act, ctrl, time } = this.#live.data;
    const digest = createHash("sha256");
    for (const array of [qpos, qvel, act, ctrl, Float64Array.of(time)]) digest.update(array);
    return digest.digest("hex");
  }

  /** All geoms, for drawing; `geomPose` has their poses. */
  geoms(): readonly PhysicsGeom[] {
    const { mujoco, model } = this.#live;
    this.#forgetOtherLooks();
    this.#geoms ??= geomsOf(mujoco, model, this.#names, this.#sets.bodies);
    return this.#geoms;
  }

  /** @param index in `geoms()` */
  geomPose(index: number): Pose3 {
    const { geomPositions, geomMatrices } = this.#placed().views;
    return geomPoseAt({ positions: geomPositions(), matrices: geomMatrices() }, index);
  }

  /** What MuJoCo's renderer draws of the model; `drawnPlaces` has the poses. */
  drawing(options: DrawingOptions): ModelDrawing {
    const { mujoco, model } = this.#live;
    this.#forgetOtherLooks();
    const key = JSON.stringify(options);
    const drawing = this.#drawings.get(key) ?? drawingOf(mujoco, model, this.#names, options);
    this.#drawings.set(key, drawing);
    return drawing;
  }

  /** A copy of the current poses of everything that is drawn: `geoms()`, sites and lights. */
  drawnPlaces(): DrawnPlaces {
    const { views, data, derived } = this.#placed();
    derived.cameras();
    return {
      positions: views.geomPositions().slice(),
      matrices: views.geomMatrices().slice(),
      sitePositions: views.sitePositions().slice(),
      siteMatrices: views.siteMatrices().slice(),
      lightPositions: data.light_xpos.slice(),
      lightDirections: data.light_xdir.slice(),
      bodies: this.#live.model.nskin > 0 ? this.bodyPlaces() : undefined,
    };
  }

  /** All bodies in MuJoCo's order; bodies without a name get one from their index. */
  bodies(): readonly PhysicsBody[] {
    return bodiesOf(this.#live.model, this.#names);
  }

  /** A copy of the current poses of all `bodies()`. */
  bodyPlaces(): BodyPlaces {
    const { xpos, xquat } = this.#placed().views;
    return { positions: xpos().slice(), rotations: xquat().slice() };
  }

  /** Cameras look along their -z with y up. */
  camera(name: string): PhysicsCamera {
    const { mujoco, model, data, derived } = this.#live;
    derived.cameras();
    const id = this.#names.id("camera", name);
    return {
      pose: {
        position: vec3At(data.cam_xpos, id),
        rotation_wxyz: quatOfMatrixAt(data.cam_xmat, id),
      },
      fovyDeg: model.cam_fovy[id],
      lens: lensOf(mujoco, model, id),
    };
  }

  /** Frees the memory. Idempotent. */
  dispose(): void {
    this.#handles?.dispose();
    this.#handles = undefined;
  }

  #forgetOtherLooks(): void {
    const { drawn } = this.#live.changes;
    if (drawn === this.#drawnChanges) return;
    this.#drawnChanges = drawn;
    this.#geoms = undefined;
    this.#drawings.clear();
  }

  get #live(): ModelHandles {
    if (this.#handles) return this.#handles;
    throw new Error("this physics was disposed of and can no longer be used");
  }

  /** With up-to-date poses of bodies, geoms and sites. */
  #placed(): ModelHandles {
    const handles = this.#live;
    handles.derived.places();
    return handles;
  }

  #mocapId(body: string): number {
    const id: number = this.#live.model.body_mocapid[this.#names.id("body", body)];
    if (id < 0) throw new RangeError(`body "${body}" is no mocap body, so it cannot be placed`);
    return id;
  }

  #controlAddress(actuator: string): number {
    const id = this.#names.id("actuator", actuator);
    return this.#live.views.controlAddresses()[id] as number;
  }

  #beforeStart(what: string, values: readonly number[]): void {
    if (this.#started) {
      throw new Error(`${what} cannot be set once the physics runs; use the actuators`);
    }
    if (!values.every(Number.isFinite)) {
      throw new RangeError(`${what} must be set to finite values, got ${values.join(", ")}`);
    }
  }
}

function tooMany(contacts: number): string {
  return `${contacts} contacts; at most ${MOST_CONTACTS} are simulated`;
}
