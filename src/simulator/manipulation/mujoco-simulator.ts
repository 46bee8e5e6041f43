import type { BaseEpisode } from "../../core/episode/base.js";
import { ConfigError } from "../../core/errors.js";
import type { Action } from "../../core/interfaces/action.js";
import type { ManipulationView } from "../../core/interfaces/manipulation-view.js";
import type {
  PerturbedWorld,
  ResetOptions,
  SimulatorFrame,
  SimulatorOptions,
} from "../../core/interfaces/simulator.js";
import type { SceneDistance } from "../../core/scene/scene-point.js";
import type { SceneSource } from "../../core/scene/source.js";
import type { ActionSpace } from "../../core/task/types.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";
import { isApartment } from "../navigation/find-scene.js";
import type { LeasedScene } from "../navigation/scene-library.js";
import { checkPlaces } from "./apartment/checks.js";
import { CONTROL_MODES, type ControlMode } from "./control/controller.js";
import { RobotControl } from "./control/robot-control.js";
import { FactReader } from "./facts/read.js";
import type { ManipulationSimulator, ShownWorld } from "./manipulation-simulator.js";
import { documentsOf } from "./mjcf/documents.js";
import { MjcfLibrary } from "./mjcf/model.js";
import { type MujocoConfig, mujocoConfig } from "./mujoco-config.js";
import type { VisibleGroups } from "./physics/drawing/scene.js";
import { ModelCache } from "./physics/model/cache.js";
import type { Physics } from "./physics/physics.js";
import { hasRobot, type RobotTask } from "./robot-task.js";
import { type CameraRig, MujocoSensors } from "./sensors/mujoco-sensors.js";
import { BaseOdometry } from "./sensors/odometry.js";
import { manipulationView, viewBase } from "./sensors/privileged-view.js";
import { holdsObject, poseList, robotState } from "./sensors/robot-state.js";
import { stepState } from "./sensors/step-state.js";
import { type WorldSurroundings, worldOf } from "./world/from-episode.js";
import { perturbedPart } from "./world/perturbed-part.js";
import { placeAll } from "./world/place-robot.js";
import { randomisationRecord } from "./world/randomisation.js";
import { controlSteps } from "./world/time-step.js";
import type { ManipulationWorld } from "./world/world.js";
import { WorldCache } from "./world/world-cache.js";
import { withRobotBodies } from "./world/world-physics.js";

/**
 * Manipulation on MuJoCo. The engine computes contacts, friction and gravity, and the robot is moved by its
 * actuators only. Every episode gets a new world, built from the episode and the files that it names.
 */
export class MujocoSimulator implements ManipulationSimulator {
  readonly recordsFacts = true;
  readonly robot: RobotDescriptor;
  readonly controlMode: ControlMode;
  readonly #task: RobotTask;
  readonly #config: MujocoConfig;
  readonly #sensors: MujocoSensors;
  readonly #scenes: SceneSource | undefined;
  readonly #library: MjcfLibrary;
  readonly #worlds: WorldCache;
  /** The current episode's apartment. */
  #scene: Pick<LeasedScene, "release"> | undefined;
  #current: Current | undefined;

  constructor(options: SimulatorOptions) {
    const { task } = options;
    if (!hasRobot(task) || !task.robot?.model) {
      throw new ConfigError("no_robot", `the task ${task.taskType} has no robot with a model`, {
        hint: "set robot_type in the task's config; see `robot-eval list robots`",
      });
    }
    this.#task = task;
    this.robot = task.robot;
    this.#config = mujocoConfig.parse(options.config);
    this.#scenes = options.scenes;
    // Untrusted scenes leave nothing in the account's folders.
    const cache = options.scenes?.within === undefined ? new ModelCache() : undefined;
    this.#library = new MjcfLibrary(cache);
    this.#worlds = new WorldCache(cache);
    this.controlMode =
      CONTROL_MODES.find((mode) => mode === task.config.control_mode) ?? "joint_position";
    this.#sensors = new MujocoSensors(this.#config.sensors ?? task.sensorSuite.sensors, task.robot);
  }

  /** Includes cameras that the robot's descriptor names and the current model lacks. */
  get missingSensors(): readonly string[] {
    return [...this.#sensors.missing, ...this.missingCameras];
  }

  /** Sensors whose camera the current episode's model lacks. */
  get missingCameras(): readonly string[] {
    return this.#current?.missing ?? [];
  }

  /** Notes on changes of the current episode's model, and on what its images lack. */
  get notes(): readonly string[] {
    const { physics, rig } = this.#current ?? {};
    return [...(physics?.notes ?? []), ...(rig?.notes ?? [])];
  }

  get actionSpace(): ActionSpace {
    return this.#current?.control.actionSpace ?? this.#task.actionSpace;
  }

  get manipulation(): ManipulationView | undefined {
    return this.#current?.view;
  }

  /** Along the navmesh of an apartment, in the axes of the scene. */
  get distance(): SceneDistance | undefined {
    const { distanceMesh: mesh } = this.#current?.world.apartment ?? {};
    return mesh && ((from, to) => mesh.distance(from.position, to.position));
  }

  get perturbed(): PerturbedWorld | undefined {
    const { world, episode } = this.#current ?? {};
    return world && episode && perturbedPart(world, episode);
  }

  get shown(): ShownWorld | undefined {
    const current = this.#current;
    return current && { ...current, ...this.#visibleGroups(current.world) };
  }

  async reset(
    episode: BaseEpisode,
    { facts: needs }: Pick<ResetOptions, "facts"> = {},
  ): Promise<SimulatorFrame> {
    this.#leave();
    const surroundings = await this.#surroundingsOf(episode);
    const made = worldOf(episode, this.robot, surroundings, needs);
    const { control_hz, sleep } = this.#config;
    const { timestepS, substeps } = controlSteps(episode, control_hz, made.documents);
    const physics = await this.#worlds.take(
      made,
      { timestepS, sleep, drawn: this.#sensors.draws },
      `episode ${episode.episodeId}`,
    );
    try {
      const world = withRobotBodies(physics, made);
      placeAll(physics, world);
      if (world.apartment) checkPlaces(episode, world, physics);
      const facts = needs && new FactReader(physics, world, needs, episode);
      const narrowed = this.#narrowed();
      const control = new RobotControl(physics, this.#task, this.controlMode, narrowed, substeps);
      const { drive } = control;
      this.#current = {
        episode,
        world,
        physics,
        facts,
        control,
        odometry: drive && new BaseOdometry(() => drive.pose()),
        missing: this.#sensors.missingIn(physics),
        rig: this.#sensors.rig(physics, world, this.#visibleGroups(world)),
        view: manipulationView(physics, world, episode.goals, this.#viewBase(physics, drive)),
      };
    } catch (error) {
      this.#worlds.giveBack(physics);
      throw error;
    }
    return this.#firstFrame();
  }

  step(action: Action): SimulatorFrame {
    const { control } = this.#now;
    control.step(action);
    const frame = this.#frame();
    return control.drive?.inProgress ? { ...frame, inProgress: true } : frame;
  }

  hold(): Action | undefined {
    const { control } = this.#now;
    return control.drive && control.hold();
  }

  close(): void {
    this.#leave();
    this.#worlds.dispose();
  }

  #leave(): void {
    if (this.#current) this.#worlds.giveBack(this.#current.physics);
    this.#current = undefined;
    this.#scene?.release();
    this.#scene = undefined;
  }

  /** What the episode's world is made of in addition to the episode. */
  async #surroundingsOf(episode: BaseEpisode): Promise<WorldSurroundings> {
    const documents = await documentsOf(episode, this.robot, this.#scenes, this.#library);
    if (!isApartment(episode.sceneId) || !drives(this.robot)) return documents;
    const { apartmentLook, leaseApartment } = await import("./apartment/apartment-world.js");
    const { drawersOf } = await import("./apartment/drawers.js");
    const { scene, apartment } = await leaseApartment(
      episode.sceneId,
      apartmentLook(episode),
      (model) => drawersOf(episode, model),
    );
    this.#scene = scene;
    return { ...documents, apartment };
  }

  /** Scenes from files are drawn as MuJoCo draws them; generated ones have no lights of their own for that. */
  #visibleGroups({ documents }: ManipulationWorld): VisibleGroups | undefined {
    const {
      geom_groups: geomGroups,
      site_groups: siteGroups,
      skin_groups: skinGroups,
    } = this.#config;
    return documents?.scene && { geomGroups, siteGroups, skinGroups };
  }

  /** The robot, with joint limits narrowed to the task's. */
  #narrowed(): RobotDescriptor {
    const { actionSpace } = this.#task;
    const dofs = this.robot.dofs.map((dof, i) => {
      const [low, high] = actionSpace.limits(i) ?? dof.limits;
      const limits = [Math.max(low, dof.limits[0]), Math.min(high, dof.limits[1])] as const;
      return { ...dof, limits };
    });
    return { ...this.robot, dofs };
  }

  #viewBase(physics: Physics, drive: RobotControl["drive"]): ManipulationView["base"] {
    const { driving } = this.#task;
    return drive && driving && viewBase(physics, this.robot, drive, driving);
  }

  get #now(): Current {
    if (!this.#current) throw new Error("the simulator has no episode; call reset() first");
    return this.#current;
  }

  /** Adds the scene's hash, which a replay compares, the drawn randomisation and missing sensors. */
  #firstFrame(): SimulatorFrame {
    const { world, missing, episode } = this.#now;
    const frame = this.#frame();
    const hash = world.documents?.scene?.files.sha256 ?? world.apartment?.sha256;
    return {
      ...frame,
      state: {
        ...frame.state,
        ...(hash === undefined ? {} : { scene_sha256: hash }),
        ...(episode.taskConfig.randomization === undefined
          ? {}
          : { randomization: randomisationRecord(world) }),
        ...(missing.length > 0 ? { missing_sensors: missing } : {}),
      },
    };
  }

  #frame(): SimulatorFrame {
    const { episode, physics, facts, world, rig, control, odometry: base } = this.#now;
    const { drive } = control;
    const state = robotState(physics, this.robot);
    const poses = () => poseList(physics, world);
    const holds = () => holdsObject(physics, world);
    const diverged = physics.diverged() ?? fallenThrough(physics, world);
    return {
      observation: this.#sensors.observe({ episode, state, poses, holds, base }, rig),
      state: stepState(
        state,
        poses(),
        diverged,
        drive && { pose: drive.pose(), blocked: drive.blocked },
      ),
      facts: facts?.read(),
      timeS: physics.timeS(),
    };
  }
}

interface Current {
  readonly episode: BaseEpisode;
  readonly world: ManipulationWorld;
  readonly physics: Physics;
  /** Undefined if no success rule is evaluated. */
  readonly facts: FactReader | undefined;
  readonly control: RobotControl;
  /** Only of a robot that drives. */
  readonly odometry: BaseOdometry | undefined;
  readonly view: ManipulationView;
  readonly rig: CameraRig | undefined;
  /** Camera sensors whose camera this world lacks. */
  readonly missing: readonly string[];
}

/** Only a robot that drives is placed in apartments; for others, the scene's name means nothing. */
function drives({ model }: RobotDescriptor): boolean {
  return model?.base !== undefined;
}

/** Metres below the floor beyond which an object has tunnelled through it. */
const BELOW_M = 0.2;

/**
 * Long time steps and large masses let objects pass through table and floor without a warning. Scenes from files
 * are not checked, because the height of their floor is unknown.
 */
function fallenThrough(
  physics: Physics,
  { objects, documents }: ManipulationWorld,
): string | undefined {
  if (documents?.scene) return undefined;
  const lost = objects.find(({ name }) => physics.body(name).position[2] < -BELOW_M);
  return lost && `${lost.name} fell through the floor`;
}
