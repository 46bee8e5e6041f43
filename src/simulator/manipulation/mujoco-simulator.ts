import type { BaseEpisode } from "../../core/episode/base.js";
import { ConfigError, ProtocolError } from "../../core/errors.js";
import { type Action, STOP } from "../../core/interfaces/action.js";
import type { ManipulationView } from "../../core/interfaces/manipulation-view.js";
import type { Observation } from "../../core/interfaces/observation.js";
import type {
  BaseSimulator,
  SimulatorFrame,
  SimulatorOptions,
} from "../../core/interfaces/simulator.js";
import type { StepState } from "../../core/interfaces/step.js";
import type { BaseTask } from "../../core/task/base.js";
import { ActionSpace } from "../../core/task/types.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";
import { worldMjcf } from "./compose.js";
import { type ControlMode, makeController } from "./control/controller.js";
import { worldOf } from "./from-episode.js";
import { type Judge, makeJudge, readFacts } from "./judges/judge.js";
import { type MujocoConfig, mujocoConfig } from "./mujoco-config.js";
import { type Eyes, MujocoSensors } from "./mujoco-sensors.js";
import { Physics } from "./physics.js";
import { poseList, robotState } from "./robot-state.js";
import { manipulationView } from "./view.js";
import type { ManipulationWorld } from "./world.js";

/** Physics steps are 2 ms unless the episode says otherwise. */
const TIMESTEP_S = 0.002;

/** What of a task the simulator must know beyond BaseTask; manipulation tasks have it. */
interface ManipulationTaskLike extends BaseTask {
  readonly robot: RobotDescriptor | undefined;
}

/**
 * Manipulation on MuJoCo: contacts, friction and gravity are the engine's, and nothing but the actuators moves
 * the robot. A world is made anew for every episode, from the episode alone.
 */
export class MujocoSimulator implements BaseSimulator {
  readonly missingSensors: readonly string[];
  readonly #task: ManipulationTaskLike;
  readonly #robot: RobotDescriptor;
  readonly #config: MujocoConfig;
  readonly #sensors: MujocoSensors;
  readonly #mode: ControlMode;
  #current: Current | undefined;

  constructor(options: SimulatorOptions) {
    const { task } = options;
    if (!hasRobot(task) || !task.robot?.model) {
      throw new ConfigError("no_robot", `the task ${task.taskType} names no robot with a body`, {
        hint: "set robot_type in the task's config; see `robot-eval list robots`",
      });
    }
    this.#task = task;
    this.#robot = task.robot;
    this.#config = mujocoConfig.parse(options.config);
    this.#mode = controlMode(task);
    this.#sensors = new MujocoSensors(
      this.#config.sensors ?? task.sensorSuite.sensors,
      task.robot.model,
    );
    this.missingSensors = this.#sensors.missing;
  }

  /** The controller's, under the names that the task offers beside the vector. */
  get actionSpace(): ActionSpace {
    const base = this.#task.actionSpace;
    const own = this.#current?.controller.actionSpace;
    if (!own || this.#mode === "joint_position") return base;
    return new ActionSpace({
      name: base.name,
      actions: base.actions ?? [],
      shape: own.shape ?? [],
      range: own.range,
      ...(own.semantics ? { semantics: own.semantics } : {}),
    });
  }

  get manipulation(): ManipulationView | undefined {
    return this.#current?.view;
  }

  async reset(episode: BaseEpisode): Promise<SimulatorFrame> {
    this.close();
    const world = worldOf(episode, this.#robot);
    const timestepS = episode.simParams.time_step ?? TIMESTEP_S;
    const xml = worldMjcf(world, { timestepS, sleep: this.#config.sleep });
    const physics = await Physics.create(xml, { where: `episode ${episode.episodeId}` });
    placeRobot(physics, this.#robot, world.joints);
    const controller = makeController(this.#mode, physics, this.#robot);
    const judge = makeJudge(episode, this.#task.taskType, world);
    judge.reset();
    this.#current = {
      episode,
      world,
      physics,
      judge,
      controller,
      eyes: this.#sensors.eyes(physics, world.look),
      view: manipulationView(physics, world, episode.goals),
      substeps: Math.max(1, Math.round(1 / this.#config.control_hz / timestepS)),
    };
    return this.#frame();
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
    this.#current?.physics.dispose();
    this.#current = undefined;
  }

  /** The task may allow less than the robot can. What is no number is left for the controller to refuse. */
  #withinLimits(action: readonly number[]): readonly number[] {
    const { actionSpace } = this;
    return action.map((value, i) => {
      const [low, high] = actionSpace.limits(i) ?? [value, value];
      return Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : value;
    });
  }

  get #now(): Current {
    if (!this.#current) throw new Error("the simulator was asked before its first reset");
    return this.#current;
  }

  #frame(): SimulatorFrame {
    const { physics, judge, world } = this.#now;
    const state = robotState(physics, this.#robot);
    const diverged = physics.diverged() ?? fallenThrough(physics, world);
    const verdict = judge.update(readFacts(physics, world, judge.watches));
    const judged: StepState = {
      ...state,
      objects: poseList(physics, world),
      ...verdict,
      ...(diverged === undefined ? {} : { error: `the physics diverged: ${diverged}` }),
    };
    return { observation: this.#observe(state), state: judged, timeS: physics.timeS() };
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
  readonly judge: Judge;
  readonly controller: ReturnType<typeof makeController>;
  readonly view: ManipulationView;
  readonly eyes: Eyes | undefined;
  /** Physics steps an action. */
  readonly substeps: number;
}

/** Metres below the floor at which a thing cannot be by any honest physics. */
const BELOW_M = 0.2;

/** Steps too long, or masses too great, let things pass through table and floor without a warning. */
function fallenThrough(physics: Physics, { objects }: ManipulationWorld): string | undefined {
  const lost = objects.find(({ name }) => physics.body(name).position[2] < -BELOW_M);
  return lost && `${lost.name} fell through the floor`;
}

/** The only time that joints are set and not driven. */
function placeRobot(physics: Physics, robot: RobotDescriptor, joints: readonly number[]): void {
  for (const [i, dof] of robot.dofs.entries()) {
    const value = joints[i] ?? 0;
    for (const joint of dof.joints) physics.setJoint(joint, value / dof.joints.length);
    const actuator = robot.model?.actuators[i];
    if (actuator !== undefined) physics.setControl(actuator, value);
  }
  physics.forward();
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
