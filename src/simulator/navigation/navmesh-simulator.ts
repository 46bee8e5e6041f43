import { type BaseEpisode, goalPlaces } from "../../core/episode/base.js";
import { ConfigError, DataError, ProtocolError } from "../../core/errors.js";
import { type Action, STOP } from "../../core/interfaces/action.js";
import type { Observation } from "../../core/interfaces/observation.js";
import type {
  BaseSimulator,
  PrivilegedView,
  ResetOptions,
  SimulatorFrame,
  SimulatorOptions,
} from "../../core/interfaces/simulator.js";
import { hash53 } from "../../core/math/hash.js";
import { Random } from "../../core/math/random.js";
import { headingToQuatXyzw, quatXyzwToHeading, wrapAngle } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import type { SceneDistance } from "../../core/scene/place.js";
import type { SceneSource } from "../../core/scene/source.js";
import type { ActionSpace } from "../../core/task/types.js";
import { type LeasedScene, sceneLibrary } from "../scenes/library.js";
import { ahead, blocked, drive, type Pose } from "./kinematics.js";
import { type NavmeshConfig, navMeshSettings, navmeshConfig } from "./navmesh-config.js";
import { NavmeshSensors } from "./navmesh-sensors.js";
import { type Geodesic, geodesicOf } from "./scene-distance.js";
import { startOnMesh } from "./start.js";
import { velocitySpace } from "./velocity.js";

const RAD = Math.PI / 180;
/** Looking straight up or down is as far as a camera tilts. */
const MAX_TILT = Math.PI / 2;

/**
 * A body that walks on the navmesh of a scene, as in Habitat: it stands on the surface, moves ahead by
 * steps, is stopped by what the mesh leaves out or slides along it, and sees through cameras.
 */
export class NavmeshSimulator implements BaseSimulator {
  readonly actionSpace: ActionSpace;
  readonly missingSensors: readonly string[];
  readonly distance: SceneDistance = (from, to) =>
    this.#world.geodesic.distance(from.position, to.position);
  readonly privileged: PrivilegedView;

  readonly #config: NavmeshConfig;
  readonly #source: SceneSource | undefined;
  readonly #sensors: NavmeshSensors;
  #scene: LeasedScene | undefined;
  #current: World | undefined;
  #pose: Pose = { position: [0, 0, 0], headingRad: 0 };
  #tiltRad = 0;
  #step = 0;

  constructor(options: SimulatorOptions) {
    const parsed = navmeshConfig.safeParse(options.config);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new ConfigError(
        "bad_simulator",
        `simulator.${issue?.path.join(".")}: ${issue?.message}`,
      );
    }
    this.#config = parsed.data;
    this.#source = options.scenes;
    const asked = this.#config.sensors ?? options.task.sensorSuite.sensors;
    this.#sensors = new NavmeshSensors(asked);
    this.missingSensors = this.#sensors.missing;
    const { actionSpace } = options.task;
    this.actionSpace = actionSpace.shape ? velocitySpace(this.#config.velocity) : actionSpace;
    this.privileged = {
      place: () => ({ position: this.#pose.position }),
      heading: () => this.#pose.headingRad,
      turnRad: this.#config.turn_angle * RAD,
      goals: () => this.#world.goals.map((position) => ({ position })),
      distance: this.distance,
      shortestPath: (to) =>
        this.#world.geodesic
          .path(this.#pose.position, to.position)
          .map((position) => ({ position })),
      ahead: (from, headingRad) => ({
        position: this.#move(
          from.position,
          ahead(from.position, headingRad, this.#config.forward_step),
        ),
      }),
    };
  }

  async reset(episode: BaseEpisode, { seed }: ResetOptions): Promise<SimulatorFrame> {
    const scene = await sceneLibrary.scene(
      episode.sceneId,
      this.#source,
      navMeshSettings(this.#config),
    );
    this.#current = undefined;
    this.#scene?.release();
    this.#scene = scene;
    const goals = goalPlaces(episode).map(({ position }) => position);
    if (goals.length === 0) {
      throw new DataError("no_goal", `episode ${episode.episodeId} has no goal`, {
        hint: "test splits come without goals; they can be run by their owners only",
      });
    }
    const position = startOnMesh(episode, scene.navMesh);
    const { rotation } = episode.startState;
    this.#pose = { position, headingRad: rotation ? quatXyzwToHeading(rotation) : 0 };
    this.#tiltRad = 0;
    this.#step = 0;
    this.#current = {
      episode,
      scene,
      goals,
      start: this.#pose,
      geodesic: geodesicOf(scene, this.#config.geodesic),
      seed,
      chance: new Random(hash53(`${seed}/actuation`)),
    };
    const frame = this.#frame(false);
    // The scene is part of the initial state: re-scoring and replay can tell that they have the same one.
    return { ...frame, state: { ...frame.state, scene_sha256: scene.sha256 } };
  }

  step(action: Action): SimulatorFrame {
    this.#step++;
    if (typeof action !== "string") return this.#frame(this.#drive(action));
    const { turn_angle, tilt_angle } = this.#config;
    switch (action) {
      case STOP:
        return this.#frame(false);
      case "turn_left":
        this.#turn(turn_angle * RAD);
        return this.#frame(false);
      case "turn_right":
        this.#turn(-turn_angle * RAD);
        return this.#frame(false);
      case "move_forward":
        return this.#frame(this.#forward());
      case "look_up":
        this.#tilt(tilt_angle * RAD);
        return this.#frame(false);
      case "look_down":
        this.#tilt(-tilt_angle * RAD);
        return this.#frame(false);
      default:
        throw new ProtocolError("bad_action", `the navmesh simulator has no action "${action}"`);
    }
  }

  close(): void {
    this.#scene?.release();
    this.#scene = undefined;
    this.#current = undefined;
  }

  get #world(): World {
    if (!this.#current) throw new Error("the simulator was asked before its first reset");
    return this.#current;
  }

  #move(from: Vec3, to: Vec3): Vec3 {
    return this.#world.scene.navMesh.step(from, to, this.#config.sliding);
  }

  /** True if it was blocked, at least in part. */
  #forward(): boolean {
    const { position, headingRad } = this.#pose;
    const { forward } = this.#config.actuation_noise;
    const distance = Math.max(0, this.#config.forward_step + this.#noise(forward));
    const asked = ahead(position, headingRad, distance);
    const reached = this.#move(position, asked);
    this.#pose = { position: reached, headingRad };
    return blocked(position, asked, reached);
  }

  #drive(action: readonly number[]): boolean {
    const [linear = 0, angular = 0] = this.#withinLimits(action);
    const { forward, turn } = this.#config.actuation_noise;
    const { time_step } = this.#config.velocity;
    const { blocked: bumped, ...pose } = drive(
      this.#pose,
      linear + this.#noise(forward) / time_step,
      angular + (this.#noise(turn) * RAD) / time_step,
      time_step,
      (from, to) => this.#move(from, to),
    );
    this.#pose = { ...pose, headingRad: wrapAngle(pose.headingRad) };
    return bumped;
  }

  /** A base cannot go faster than it can, whatever it is told. */
  #withinLimits(action: readonly number[]): number[] {
    return action.map((value, i) => {
      const [low, high] = this.actionSpace.limits(i) ?? [value, value];
      return Math.min(high, Math.max(low, value));
    });
  }

  #turn(rad: number): void {
    const noise = this.#noise(this.#config.actuation_noise.turn) * RAD;
    this.#pose = { ...this.#pose, headingRad: wrapAngle(this.#pose.headingRad + rad + noise) };
  }

  #tilt(rad: number): void {
    this.#tiltRad = Math.min(MAX_TILT, Math.max(-MAX_TILT, this.#tiltRad + rad));
  }

  /** Draws nothing where there is no noise, so that switching it on is the only thing that changes chance. */
  #noise(deviation: number): number {
    return deviation === 0 ? 0 : deviation * this.#world.chance.normal();
  }

  #frame(collided: boolean): SimulatorFrame {
    const { goals, geodesic } = this.#world;
    const { position, headingRad } = this.#pose;
    return {
      observation: this.#observe(),
      state: {
        position,
        rotation: headingToQuatXyzw(headingRad),
        heading: headingRad,
        ...(this.#tiltRad === 0 ? {} : { camera_tilt: this.#tiltRad }),
        distance_to_goal: geodesic.distanceToAny(position, goals),
        collided,
      },
    };
  }

  #observe(): Observation {
    const { episode, scene, start, seed } = this.#world;
    return this.#sensors.observe({
      episode,
      scene,
      start,
      shot: { pose: this.#pose, tiltRad: this.#tiltRad, seed, step: this.#step },
    });
  }
}

interface World {
  readonly episode: BaseEpisode;
  readonly scene: LeasedScene;
  readonly goals: readonly Vec3[];
  readonly start: Pose;
  readonly geodesic: Geodesic;
  readonly seed: number;
  readonly chance: Random;
}
