import type { BaseEpisode } from "../../../core/episode/base.js";
import { ConfigError } from "../../../core/errors.js";
import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import type { Image, Observation } from "../../../core/interfaces/observation.js";
import type { SensorConfig } from "../../../core/task/types.js";
import type { RobotDescriptor, RobotModel } from "../../../robots/descriptor.js";
import type { SceneModel } from "../../scenes/model.js";
import { modelOf } from "../control/dofs.js";
import {
  cameraNamed,
  groupsOf,
  mujocoSensor,
  type ReadingName,
  readingNames,
} from "../mujoco-config.js";
import type { VisibleGroups } from "../physics/drawing/scene.js";
import type { Physics } from "../physics/physics.js";
import type { MujocoFrame, MujocoScene } from "../visual/mujoco-scene.js";
import { MujocoScenes } from "../visual/mujoco-scenes.js";
import { PhysicsScene } from "../visual/scene.js";
import type { ManipulationWorld } from "../world/world.js";
import type { BaseOdometry } from "./odometry.js";
import type { RobotState } from "./robot-state.js";
import { categoryNumbers } from "./semantic.js";
import { SnapshotPhysics } from "./snapshot.js";

/** The state that sensors read. */
interface Moment {
  readonly episode: BaseEpisode;
  readonly state: RobotState;
  readonly poses: () => Readonly<Record<string, Pose3>>;
  readonly holds: () => boolean;
  /** Odometry of a robot that drives; undefined for a fixed base. */
  readonly base: BaseOdometry | undefined;
}

const READINGS: Readonly<Record<ReadingName, (moment: Moment) => unknown>> = {
  instruction: ({ episode }) => episode.instruction,
  qpos: ({ state }) => state.qpos,
  qvel: ({ state }) => state.qvel,
  /** A robot that drives does not know its position in the world, so the pose is relative to its base. */
  ee_pose: ({ state, base }) => (base ? base.ownFrame(state.ee_pose) : state.ee_pose),
  gripper_state: ({ state }) => [state.gripper_state],
  held_object: ({ holds }) => [holds() ? 1 : 0],
  gps: ({ base }) => base?.gps(),
  compass: ({ base }) => base?.compass(),
  /** Privileged: a real robot cannot measure it. Only observed if the benchmark lists it. */
  object_poses: ({ poses }) => poses(),
};

const DEFAULT_SIZE = { head: [640, 480], wrist: [320, 240] } as const;

interface CameraSensor {
  readonly name: string;
  readonly kind: "rgb" | "depth" | "semantic";
  readonly camera: string;
  readonly size: { readonly width: number; readonly height: number };
  readonly ids: "category" | "instance" | "geom" | undefined;
  /** Groups that it sees instead of those of all cameras. */
  readonly groups: Partial<VisibleGroups>;
}

/** Reads the sensors that the benchmark lists. */
export class MujocoSensors {
  /** Listed sensors that this robot or simulator does not have. */
  readonly missing: readonly string[];
  readonly #readings: readonly ReadingName[];
  readonly #cameras: readonly CameraSensor[];
  readonly #headCamera: string | undefined;
  /**
   * What was drawn of apartments and of scenes from files. It is kept because the next episode in the same world draws
   * the same meshes and textures.
   */
  readonly #rigs = new WeakMap<Physics, KnownRig>();

  constructor(asked: Readonly<Record<string, SensorConfig>>, robot: RobotDescriptor) {
    const names = Object.keys(asked);
    const model = modelOf(robot);
    const readings = readingNames(robot);
    this.#headCamera = model.cameras?.head;
    this.#cameras = names.flatMap((name) => cameraSensor(name, asked[name] ?? {}, model) ?? []);
    this.#readings = names.flatMap((name) => readings.find((known) => known === name) ?? []);
    this.missing = names.filter(
      (name) =>
        !this.#readings.some((known) => known === name) &&
        !this.#cameras.some((camera) => camera.name === name),
    );
  }

  /** Whether any sensor is a camera. */
  get draws(): boolean {
    return this.#cameras.length > 0;
  }

  /** Sensors whose camera is not in the compiled model, which may come from a user's file. */
  missingIn(physics: Physics): readonly string[] {
    return this.#cameras
      .filter(({ camera }) => !physics.has("camera", camera))
      .map(({ name }) => name);
  }

  /**
   * The cameras of one episode's world; undefined if no camera sensor is listed.
   *
   * @param visible draws the world as MuJoCo does; undefined draws a generated world with the renderer's own lights
   */
  rig(
    physics: Physics,
    world: ManipulationWorld,
    visible: VisibleGroups | undefined,
  ): CameraRig | undefined {
    const { look, apartment } = world;
    const cameras = this.#cameras.filter(({ camera }) => physics.has("camera", camera));
    if (cameras.length === 0) return undefined;
    if (!visible) checkGenerated(cameras);
    const key = JSON.stringify([look, visible]);
    const known = this.#rigs.get(physics);
    const isKnown = known?.key === key && known.scenery === apartment?.model;
    const drawn = isKnown ? known.drawn : this.#drawn(physics, world, visible);
    if (apartment || visible) this.#rigs.set(physics, { key, scenery: apartment?.model, drawn });
    const { snapshots, sceneOf } = drawn;
    const notes = new Set(cameras.flatMap((camera) => notesOf(sceneOf(camera))));
    return { snapshots, sceneOf, cameras, notes: [...notes], numbersOf: numbersFor(drawn, world) };
  }

  #drawn(
    physics: Physics,
    { look, apartment }: ManipulationWorld,
    visible: VisibleGroups | undefined,
  ): Drawn {
    const names = this.#cameras.map(({ camera }) => camera);
    const snapshots = new SnapshotPhysics(
      physics,
      [...new Set(names)].filter((name) => physics.has("camera", name)),
    );
    const headCamera = this.#headCamera ?? "";
    if (visible) {
      const scenes = new MujocoScenes(snapshots, { ...visible, ...look, headCamera });
      return { snapshots, sceneOf: ({ groups }) => scenes.showing(groups) };
    }
    const scene = new PhysicsScene(snapshots, look, { headCamera, scenery: apartment?.model });
    return { snapshots, sceneOf: () => scene };
  }

  observe(moment: Moment, rig: CameraRig | undefined): Observation {
    const observation: Record<string, unknown> = {};
    for (const name of this.#readings) observation[name] = READINGS[name](moment);
    if (!rig) return observation;
    const snapshot = rig.snapshots.take();
    const frames = new Map<string, MujocoFrame>();
    for (const sensor of rig.cameras) {
      let image: Image | undefined;
      Object.defineProperty(observation, sensor.name, {
        enumerable: true,
        get: () => {
          if (image) return image;
          rig.snapshots.show(snapshot);
          image = imageOf(sensor, frameOf(sensor, rig, frames), rig.numbersOf?.(sensor));
          return image;
        },
      });
    }
    return observation;
  }
}

/** The meshes and textures of a world. */
interface Drawn {
  readonly snapshots: SnapshotPhysics;
  /** Cameras of the same groups share a scene. */
  readonly sceneOf: (camera: CameraSensor) => PhysicsScene | MujocoScene;
}

function notesOf(scene: PhysicsScene | MujocoScene): readonly string[] {
  return "notes" in scene ? scene.notes : [];
}

export interface CameraRig extends Drawn {
  /** What images lack of the model, for people. */
  readonly notes: readonly string[];
  readonly cameras: readonly CameraSensor[];
  /** Maps instance numbers to the numbers in a sensor's semantic images; undefined to keep instance numbers. */
  readonly numbersOf?: ((sensor: CameraSensor) => Uint16Array | undefined) | undefined;
}

interface KnownRig {
  /** The look and the groups that it was made for. */
  readonly key: string;
  readonly scenery: SceneModel | undefined;
  readonly drawn: Drawn;
}

/** Semantic images have categories in apartments, else bodies, unless the sensor's `ids` says otherwise. */
function numbersFor({ sceneOf }: Drawn, world: ManipulationWorld): CameraRig["numbersOf"] {
  let categories: Uint16Array | undefined;
  return (camera) => {
    const { ids = world.apartment ? "category" : "instance" } = camera;
    if (ids !== "category") return undefined;
    // Bodies have the same numbers in all scenes.
    categories ??= categoryNumbers(sceneOf(camera).instances, world);
    return categories;
  };
}

/** Refuses settings that generated scenes do not have. */
function checkGenerated(cameras: readonly CameraSensor[]): void {
  const grouped = cameras.find(({ groups }) => Object.keys(groups).length > 0);
  if (grouped) {
    throw new ConfigError(
      "no_visible_groups",
      `the sensor ${grouped.name} sets the groups that it sees, which only scenes from MJCF files have`,
      {
        hint: "remove `geom_groups`, `site_groups` and `skin_groups` from the sensor in generated scenes",
      },
    );
  }
  const other = cameras.find(({ ids }) => ids === "geom");
  if (!other) return;
  throw new ConfigError(
    "no_geom_ids",
    `the sensor ${other.name} has "ids: geom", which only scenes from MJCF files have`,
    { hint: "use `ids: category` or `ids: instance` in generated scenes" },
  );
}

/** Sensors of the same camera, size and groups share one rendering pass. */
function frameOf(
  sensor: CameraSensor,
  { sceneOf, cameras }: CameraRig,
  frames: Map<string, MujocoFrame>,
): MujocoFrame {
  const { camera, size } = sensor;
  const scene = sceneOf(sensor);
  const key = `${camera} ${size.width} ${size.height} ${JSON.stringify(sensor.groups)}`;
  let frame = frames.get(key);
  if (!frame) {
    const same = cameras.filter(
      (other) =>
        other.camera === camera &&
        sceneOf(other) === scene &&
        other.size.width === size.width &&
        other.size.height === size.height,
    );
    const wants = (kind: CameraSensor["kind"]) => same.some((other) => other.kind === kind);
    frame = scene.render(camera, size, {
      rgb: wants("rgb"),
      depth: wants("depth"),
      ids: same.some(({ kind, ids }) => kind === "semantic" && ids !== "geom"),
      geoms: same.some(({ ids }) => ids === "geom"),
    });
    frames.set(key, frame);
  }
  return frame;
}

function cameraSensor(
  name: string,
  config: SensorConfig,
  { cameras }: RobotModel,
): CameraSensor | undefined {
  const named = cameraNamed(name, cameras);
  if (!named) return undefined;
  const { kind, place, camera } = named;
  const [usualWidth, usualHeight] = DEFAULT_SIZE[place];
  const own = mujocoSensor.parse(config);
  const { width = usualWidth, height = usualHeight, ids } = own;
  return { name, kind, camera, size: { width, height }, ids, groups: groupsOf(own) };
}

function imageOf(
  { kind, ids: asked }: CameraSensor,
  { width, height, rgb, depth, geoms, ids = new Uint16Array() }: MujocoFrame,
  numbers: Uint16Array | undefined,
): Image {
  if (kind === "rgb") return { kind, width, height, data: rgb ?? new Uint8Array() };
  if (kind === "depth") return { kind, width, height, data: depth ?? new Float32Array() };
  if (asked === "geom") {
    // The background and sites, which are not geoms, have negative numbers.
    return {
      kind,
      width,
      height,
      data: Uint16Array.from(geoms ?? [], (id) => Math.max(0, id + 1)),
    };
  }
  return { kind, width, height, data: numbers ? ids.map((id) => numbers[id] ?? 0) : ids };
}
