import { type BaseEpisode, goalPoints } from "../../core/episode/base.js";
import { DataError, ProtocolError } from "../../core/errors.js";
import { type Action, STOP } from "../../core/interfaces/action.js";
import type { Observation } from "../../core/interfaces/observation.js";
import type {
  BaseSimulator,
  PerturbedWorld,
  PrivilegedView,
  ResetOptions,
  SimulatorFrame,
  SimulatorOptions,
} from "../../core/interfaces/simulator.js";
import { hash53 } from "../../core/math/hash.js";
import { Random } from "../../core/math/random.js";
import { headingToQuatXyzw, quatXyzwToHeading, wrapAngle } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import type { SceneDistance } from "../../core/scene/scene-point.js";
import type { SceneSource } from "../../core/scene/source.js";
import { ActionSpace } from "../../core/task/types.js";
import { ahead, blocked, drive, type Pose } from "./kinematics.js";
import { type NavmeshConfig, navMeshSettings, readNavmeshConfig } from "./navmesh-config.js";
import { NavmeshSensors } from "./navmesh-sensors.js";
import { NavigationPerturbation } from "./perturbation.js";
import { distanceToGoals } from "./scene-distance.js";
import { type LeasedScene, sceneLibrary } from "./scene-library.js";
import { startOnMesh } from "./start.js";

const RAD = Math.PI / 180;
/** The camera tilts at most straight up or straight down. */
const MAX_TILT = Math.PI / 2;

/**
 * A robot on the navmesh of a scene, as in Habitat. It moves forward in steps, stops at walls or slides along
 * them, and observes the scene through cameras.
 */
export class NavmeshSimulator implements BaseSimulator {
  readonly actionSpace: ActionSpace;
  readonly missingSensors: readonly string[];
  readonly distance: SceneDistance = (from, to) =>
    this.#world.scene.navMesh.distance(from.position, to.position);
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
    this.#config = readNavmeshConfig(options.config);
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
        this.#world.scene.navMesh
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

  get perturbed(): PerturbedWorld | undefined {
    const { start, perturbation } = this.#current ?? {};
    if (!start || !perturbation?.axes.start_pose) return undefined;
    const rotation = headingToQuatXyzw(start.headingRad);
    return { start_state: { position: start.position, rotation } };
  }

  async reset(episode: BaseEpisode, { seed }: ResetOptions): Promise<SimulatorFrame> {
    const perturbation = new NavigationPerturbation(episode);
    const scene = await sceneLibrary.scene(
      episode.sceneId,
      this.#source,
      navMeshSettings(this.#config),
      { look: perturbation.look, maxTextureSize: this.#config.max_texture_size },
    );
    this.#current = undefined;
    this.#scene?.release();
    this.#scene = scene;
    const goals = goalPoints(episode).map(({ position }) => position);
    if (goals.length === 0) {
      throw new DataError("no_goal", `episode ${episode.episodeId} has no goal`, {
        hint: "public test splits omit the goals: run a split that has goals",
      });
    }
    const position = startOnMesh(episode, scene.navMesh);
    const { rotation } = episode.startState;
    const headingRad = rotation ? quatXyzwToHeading(rotation) : 0;
    this.#pose = perturbation.start({ position, headingRad }, scene.navMesh, goals);
    this.#tiltRad = 0;
    this.#step = 0;
    this.#current = {
      episode,
      scene,
      goals,
      start: this.#pose,
      distanceToGoal: distanceToGoals(scene.navMesh, goals),
      seed,
      random: new Random(hash53(`${seed}/actuation`)),
      perturbation,
    };
    const frame = this.#frame(false);
    const { axes } = perturbation;
    // The scene's hash is part of the initial state, so that re-scoring and replay can check that they use
    // the same scene.
    const randomization = perturbation.isEmpty ? {} : { randomization: { axes } };
    const state = { ...frame.state, scene_sha256: scene.sha256, ...randomization };
    return { ...frame, state };
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
    if (!this.#current) throw new Error("the simulator was used before its first reset");
    return this.#current;
  }

  #move(from: Vec3, to: Vec3): Vec3 {
    return this.#world.scene.navMesh.step(from, to, this.#config.sliding);
  }

  /** Moves one step forward; true if the step was blocked at least in part. */
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

  /** Clamps the requested speeds to the limits of the base. */
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

  /**
   * Draws no random number if the deviation is 0, so that a disabled noise source does not shift the others.
   */
  #noise(deviation: number): number {
    return deviation === 0 ? 0 : deviation * this.#world.random.normal();
  }

  #frame(collided: boolean): SimulatorFrame {
    const { position, headingRad } = this.#pose;
    return {
      observation: this.#observe(),
      state: {
        position,
        rotation: headingToQuatXyzw(headingRad),
        heading: headingRad,
        ...(this.#tiltRad === 0 ? {} : { camera_tilt: this.#tiltRad }),
        distance_to_goal: this.#world.distanceToGoal(position),
        collided,
      },
    };
  }

  #observe(): Observation {
    const { episode, scene, start, seed, perturbation } = this.#world;
    const { camera, light } = perturbation;
    return this.#sensors.observe({
      episode,
      scene,
      start,
      shot: { pose: this.#pose, tiltRad: this.#tiltRad, seed, step: this.#step, camera, light },
    });
  }
}

interface World {
  readonly episode: BaseEpisode;
  readonly scene: LeasedScene;
  readonly goals: readonly Vec3[];
  readonly start: Pose;
  readonly distanceToGoal: (position: Vec3) => number;
  readonly seed: number;
  readonly random: Random;
  readonly perturbation: NavigationPerturbation;
}

/** The action space of continuous control: `[linear m/s, angular rad/s]`, or `stop`. */
function velocitySpace(velocity: NavmeshConfig["velocity"]): ActionSpace {
  const turn = (velocity.max_angular * Math.PI) / 180;
  return new ActionSpace({
    name: "hybrid",
    actions: [STOP],
    shape: [2],
    range: [
      [-velocity.max_linear, velocity.max_linear],
      [-turn, turn],
    ],
    semantics: {
      stop: "end the episode here",
      "0": `forward speed in m/s, for ${velocity.time_step} s`,
      "1": `turning speed in rad/s, counter-clockwise, for ${velocity.time_step} s`,
    },
  });
}
