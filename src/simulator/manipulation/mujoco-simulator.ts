import type { BaseEpisode } from "../../core/episode/base.js";
import { ConfigError, ProtocolError } from "../../core/errors.js";
import { type Action, STOP } from "../../core/interfaces/action.js";
import type { ManipulationView } from "../../core/interfaces/manipulation-view.js";
import type { Observation } from "../../core/interfaces/observation.js";
import type {
  ResetOptions,
  SimulatorFrame,
  SimulatorOptions,
} from "../../core/interfaces/simulator.js";
import type { SceneSource } from "../../core/scene/source.js";
import type { BaseTask } from "../../core/task/base.js";
import { ActionSpace } from "../../core/task/types.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";
import { type ControlMode, makeController } from "./control/controller.js";
import { FactReader } from "./facts/read.js";
import type { ManipulationSimulator, ShownWorld } from "./manipulation-simulator.js";
import { documentsOf } from "./mjcf/documents.js";
import { MjcfLibrary } from "./mjcf/model.js";
import { type MujocoConfig, mujocoConfig } from "./mujoco-config.js";
import type { Physics } from "./physics/physics.js";
import { type Eyes, MujocoSensors } from "./sensors/mujoco-sensors.js";
import { manipulationView } from "./sensors/privileged-view.js";
import { poseList, robotState } from "./sensors/robot-state.js";
import { stepState } from "./sensors/step-state.js";
import { worldOf } from "./world/from-episode.js";
import { placeAll } from "./world/place-robot.js";
import { randomisationRecord } from "./world/randomisation.js";
import { controlSteps } from "./world/time-step.js";
import type { ManipulationWorld } from "./world/world.js";
import { KeptWorlds } from "./world/world-cache.js";
import { withRobotBodies } from "./world/world-physics.js";

/** What of a task the simulator must know beyond BaseTask; manipulation tasks have it. */
interface ManipulationTaskLike extends BaseTask {
  readonly robot: RobotDescriptor | undefined;
}

/**
 * Manipulation on MuJoCo: contacts, friction and gravity are the engine's, and nothing but the actuators moves
 * the robot. A world is made anew for every episode, from the episode alone and the files that it names.
 */
export class MujocoSimulator implements ManipulationSimulator {
  readonly recordsFacts = true;
  readonly robot: RobotDescriptor;
  readonly controlMode: ControlMode;
  readonly #task: ManipulationTaskLike;
  readonly #config: MujocoConfig;
  readonly #sensors: MujocoSensors;
  readonly #scenes: SceneSource | undefined;
  readonly #library = new MjcfLibrary();
  readonly #worlds = new KeptWorlds();
  #current: Current | undefined;

  constructor(options: SimulatorOptions) {
    const { task } = options;
    if (!hasRobot(task) || !task.robot?.model) {
      throw new ConfigError("no_robot", `the task ${task.taskType} names no robot with a body`, {
        hint: "set robot_type in the task's config; see `robot-eval list robots`",
      });
    }
    this.#task = task;
    this.robot = task.robot;
    this.#config = mujocoConfig.parse(options.config);
    this.#scenes = options.scenes;
    this.controlMode = controlMode(task);
    this.#sensors = new MujocoSensors(
      this.#config.sensors ?? task.sensorSuite.sensors,
      task.robot.model,
    );
  }

  /** With those of the world at hand: a file may lack a camera that the robot's descriptor names. */
  get missingSensors(): readonly string[] {
    return [...this.#sensors.missing, ...(this.#current?.lacking ?? [])];
  }

  get actionSpace(): ActionSpace {
    return this.#current?.actionSpace ?? this.#task.actionSpace;
  }

  get manipulation(): ManipulationView | undefined {
    return this.#current?.view;
  }

  get shown(): ShownWorld | undefined {
    return this.#current;
  }

  async reset(
    episode: BaseEpisode,
    { facts: needs }: Pick<ResetOptions, "facts"> = {},
  ): Promise<SimulatorFrame> {
    this.#leave();
    const documents = await documentsOf(episode, this.robot, this.#scenes, this.#library);
    const made = worldOf(episode, this.robot, documents, needs);
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
      const facts = needs && new FactReader(physics, world, needs, episode);
      const controller = makeController(this.controlMode, physics, this.#narrowed());
      this.#current = {
        episode,
        world,
        physics,
        facts,
        controller,
        actionSpace: this.#actionSpaceWith(controller.actionSpace),
        lacking: this.#sensors.lacking(physics),
        eyes: this.#sensors.eyes(physics, world.look),
        view: manipulationView(physics, world, episode.goals),
        substeps,
      };
    } catch (error) {
      this.#worlds.giveBack(physics);
      throw error;
    }
    return this.#firstFrame();
  }

  step(action: Action): SimulatorFrame {
    const { physics, controller, substeps } = this.#now;
    if (typeof action === "string") {
      if (action !== STOP) throw new ProtocolError("bad_action", `there is no action "${action}"`);
    } else {
      controller.apply(this.#withinLimits(action));
    }
    physics.step(substeps);
    return this.#frame();
  }

  close(): void {
    this.#leave();
    this.#worlds.dispose();
  }

  #leave(): void {
    if (this.#current) this.#worlds.giveBack(this.#current.physics);
    this.#current = undefined;
  }

  /** The robot with the task's limits, which may be narrower than its own. */
  #narrowed(): RobotDescriptor {
    const { actionSpace } = this.#task;
    const dofs = this.robot.dofs.map((dof, i) => {
      const [low, high] = actionSpace.limits(i) ?? dof.limits;
      const limits = [Math.max(low, dof.limits[0]), Math.min(high, dof.limits[1])] as const;
      return { ...dof, limits };
    });
    return { ...this.robot, dofs };
  }

  /** The controller's, under the names that the task offers beside the vector. */
  #actionSpaceWith(own: ActionSpace): ActionSpace {
    const base = this.#task.actionSpace;
    if (this.controlMode === "joint_position") return base;
    return new ActionSpace({
      name: base.name,
      actions: base.actions ?? [],
      shape: own.shape ?? [],
      range: own.range,
      ...(own.semantics ? { semantics: own.semantics } : {}),
    });
  }

  /** The task may allow less than the robot can. What is no number is left for the controller to refuse. */
  #withinLimits(action: readonly number[]): readonly number[] {
    const { actionSpace } = this.#now;
    return action.map((value, i) => {
      const [low, high] = actionSpace.limits(i) ?? [value, value];
      return Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : value;
    });
  }

  get #now(): Current {
    if (!this.#current) throw new Error("the simulator was asked before its first reset");
    return this.#current;
  }

  /** Says in which files the episode is, so that a replay in others can be told apart, and what was drawn for it. */
  #firstFrame(): SimulatorFrame {
    const { world, lacking, episode } = this.#now;
    const frame = this.#frame();
    const { scene } = world.documents ?? {};
    return {
      ...frame,
      state: {
        ...frame.state,
        ...(scene ? { scene_sha256: scene.files.sha256 } : {}),
        ...(episode.taskConfig.randomization === undefined
          ? {}
          : { randomization: randomisationRecord(world) }),
        ...(lacking.length > 0 ? { missing_sensors: lacking } : {}),
      },
    };
  }

  #frame(): SimulatorFrame {
    const { physics, facts, world } = this.#now;
    const state = robotState(physics, this.robot);
    const diverged = physics.diverged() ?? fallenThrough(physics, world);
    return {
      observation: this.#observe(state),
      state: stepState(state, poseList(physics, world), diverged),
      facts: facts?.read(),
      timeS: physics.timeS(),
    };
  }

  #observe(state: ReturnType<typeof robotState>): Observation {
    const { physics, world, episode, eyes } = this.#now;
    return this.#sensors.observe({ episode, state, poses: () => poseList(physics, world) }, eyes);
  }
}

interface Current {
  readonly episode: BaseEpisode;
  readonly world: ManipulationWorld;
  readonly physics: Physics;
  /** Absent where nobody judges. */
  readonly facts: FactReader | undefined;
  readonly controller: ReturnType<typeof makeController>;
  /** Asked for at every step, so worked out once. */
  readonly actionSpace: ActionSpace;
  readonly view: ManipulationView;
  readonly eyes: Eyes | undefined;
  /** Sensors without a camera in this world. */
  readonly lacking: readonly string[];
  /** Physics steps an action. */
  readonly substeps: number;
}

/** Metres below the floor at which a thing cannot be by any honest physics. */
const BELOW_M = 0.2;

/**
 * Steps too long, or masses too great, let things pass through table and floor without a warning. Where the floor
 * of a file is, only the file knows.
 */
function fallenThrough(
  physics: Physics,
  { objects, documents }: ManipulationWorld,
): string | undefined {
  if (documents?.scene) return undefined;
  const lost = objects.find(({ name }) => physics.body(name).position[2] < -BELOW_M);
  return lost && `${lost.name} fell through the floor`;
}

function hasRobot(task: BaseTask): task is ManipulationTaskLike {
  return "robot" in task;
}

function controlMode(task: BaseTask): ControlMode {
  const { control_mode } = task.config;
  return control_mode === "joint_delta" || control_mode === "ee_delta_pose"
    ? control_mode
    : "joint_position";
}
