import type { BaseEpisode } from "../../core/episode/base.js";
import { DataError } from "../../core/errors.js";
import { hash53 } from "../../core/math/hash.js";
import { Random } from "../../core/math/random.js";
import { wrapAngle } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { type CameraOffset, cameraPose } from "../axes/camera.js";
import { type LightChange, lighting } from "../axes/light.js";
import { type AxisValue, axisValues } from "../axes/values.js";
import type { NavMesh } from "../navmesh/navmesh.js";
import type { ApartmentLook } from "../scenes/apartment/apartment.js";
import type { Pose } from "./kinematics.js";
import { NAVMESH_AXES } from "./navmesh-config.js";

/** Directions that are tried for a moved start. */
const TRIES = 32;
/** A moved start is on the navmesh if snapping moves it by less. */
const ON_MESH_M = 0.02;
/** Change of the heading per metre. */
const TURN_RAD_PER_M = 1;

const axes = axisValues(NAVMESH_AXES);
type Axes = Readonly<Partial<Record<(typeof NAVMESH_AXES)[number], AxisValue>>>;

/** The perturbations of one episode, from its `task_config.randomization.axes`. */
export class NavigationPerturbation {
  readonly axes: Axes;
  readonly camera: CameraOffset | undefined;
  readonly light: LightChange | undefined;
  readonly look: ApartmentLook | undefined;

  constructor(private readonly episode: BaseEpisode) {
    this.axes = axesOf(episode);
    const { camera_pose, lighting: lights, scene_look } = this.axes;
    this.camera = camera_pose && cameraPose(camera_pose.value, this.#random("camera_pose"));
    this.light = lights && lighting(lights.value, this.#random("lighting"));
    this.look = scene_look && { share: scene_look.value, seed: this.#seed("scene_look") };
  }

  get isEmpty(): boolean {
    return Object.keys(this.axes).length === 0;
  }

  /** The start, moved to a place on the navmesh from which the goals are still reachable. */
  start(pose: Pose, navMesh: NavMesh, goals: readonly Vec3[]): Pose {
    const { value: byM } = this.axes.start_pose ?? {};
    if (byM === undefined) return pose;
    const random = this.#random("start_pose");
    const turn = (random.uniform() < 0.5 ? -1 : 1) * TURN_RAD_PER_M * byM;
    for (let i = 0; i < TRIES; i++) {
      const angle = 2 * Math.PI * random.uniform();
      const [x, y, z] = pose.position;
      const wanted = [x + byM * Math.cos(angle), y, z + byM * Math.sin(angle)] as const;
      const position = navMesh.snap(wanted);
      if (!position || Math.hypot(position[0] - wanted[0], position[2] - wanted[2]) > ON_MESH_M) {
        continue;
      }
      if (!goals.some((goal) => Number.isFinite(navMesh.distance(position, goal)))) continue;
      return { position, headingRad: wrapAngle(pose.headingRad + turn) };
    }
    throw new DataError(
      "no_room",
      `episode ${this.episode.episodeId}: there is no free place ${byM} m from the start`,
    );
  }

  #random(axis: keyof Axes): Random {
    return new Random(hash53(`${axis}:${this.#seed(axis)}`));
  }

  #seed(axis: keyof Axes): number | string {
    return this.axes[axis]?.seed ?? this.episode.episodeId;
  }
}

function axesOf({ taskConfig, episodeId }: BaseEpisode): Axes {
  const { randomization } = taskConfig;
  if (typeof randomization !== "object" || randomization === null || !("axes" in randomization)) {
    return {};
  }
  const result = axes.safeParse(randomization.axes);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = ["task_config.randomization.axes", ...(issue?.path ?? [])].join(".");
  throw new DataError("bad_episode", issue?.message ?? "not valid", {
    where: `episode ${episodeId}, ${field}`,
  });
}
