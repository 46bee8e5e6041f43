import { ExpertAgent } from "../../agents/expert/expert.js";
import { BaseEpisode } from "../../core/episode/base.js";
import { STOP } from "../../core/interfaces/action.js";
import { JudgedSimulator } from "../../core/rules/judged-simulator.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";
import { MujocoSimulator } from "../../simulator/manipulation/mujoco-simulator.js";
import { OpeningTask } from "../../tasks/manipulation/opening.js";
import { PickAndPlaceTask } from "../../tasks/manipulation/pick-place.js";
import { StackingTask } from "../../tasks/manipulation/stacking.js";
import type { ManipulationTask } from "../../tasks/manipulation/task.js";

const TASKS = { pick_place: PickAndPlaceTask, stacking: StackingTask, opening: OpeningTask };

/** Control steps after which the expert has failed. */
const MAX_STEPS = 800;

/** Rounds to 0.1 mm or 0.1 mrad, to keep files small. */
const rounded = (values: readonly number[]) => values.map((x) => Math.round(x * 1e4) / 1e4);

/** Runs the expert in the simulator and records its trajectory. */
export class ReferenceRecorder {
  readonly #robot: RobotDescriptor;
  #simulator: MujocoSimulator | undefined;

  constructor(robot: RobotDescriptor) {
    this.#robot = robot;
  }

  /** Returns the episode with the expert's trajectory as reference; undefined if the expert failed. */
  async record(episode: BaseEpisode): Promise<BaseEpisode | undefined> {
    const task = this.#task(episode);
    this.#simulator ??= new MujocoSimulator({ task, config: { sensors: {} } });
    const simulator = this.#simulator;
    const expert = new ExpertAgent();
    const world = new JudgedSimulator(simulator, task);
    let { state } = await world.reset(episode, { seed: 0 });
    expert.reset({
      taskType: episode.taskType,
      episodeId: episode.episodeId,
      sceneId: episode.sceneId,
      episodeKey: episode.episodeId,
      episode: episode.toDict(),
      actionSpace: simulator.actionSpace,
      seed: 0,
      manipulation: simulator.manipulation,
    });
    const qpos: number[][] = [];
    const ee_pose: number[][] = [];
    const actions: number[][] = [];
    for (let step = 0; step < MAX_STEPS && state.success !== true; step++) {
      const action = expert.act();
      if (action === STOP || typeof action === "string") return undefined;
      qpos.push(rounded(state.qpos ?? []));
      ee_pose.push(rounded(state.ee_pose ?? []));
      actions.push(rounded(action));
      ({ state } = await world.step(action));
    }
    if (state.success !== true) return undefined;
    return BaseEpisode.fromDict({
      ...episode.toDict(),
      reference_data: { trajectory: { qpos, ee_pose, actions } },
    });
  }

  close(): void {
    this.#simulator?.close();
  }

  #task({ taskType: type, goals }: BaseEpisode): ManipulationTask {
    const taskClass = Object.hasOwn(TASKS, type) ? TASKS[type as keyof typeof TASKS] : undefined;
    if (!taskClass) throw new Error(`the expert does not support ${type}`);
    const { robotType } = this.#robot;
    const robots = { find: () => this.#robot, list: () => [robotType] };
    return new taskClass({ robot_type: robotType, goals }, { robots });
  }
}
