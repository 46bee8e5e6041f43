import type { ScenePoint } from "../scene/scene-point.js";
import {
  type EpisodeDict,
  type Goals,
  type Instruction,
  parseEpisode,
  type ReferenceData,
  type SimParams,
  type StartState,
} from "./schemas.js";

/**
 * The arguments of an episode. The objects inside (start state, goals, ...) are sent and stored
 * unchanged, so their keys are in snake_case.
 */
export interface EpisodeInit {
  readonly episodeId: string;
  readonly taskType: string;
  readonly sceneId: string;
  readonly startState?: StartState;
  readonly goals?: Goals;
  readonly instruction?: Instruction;
  readonly referenceData?: ReferenceData | null;
  readonly taskConfig?: Readonly<Record<string, unknown>>;
  readonly simParams?: SimParams;
}

/**
 * One episode of any task: its start state, instruction and goals. The constructor validates it. Whether
 * the task type exists is checked by the registry when a benchmark is loaded.
 *
 * @example
 * const episode = new BaseEpisode({
 *   episodeId: "vln_001",
 *   taskType: "vln",
 *   sceneId: "scene_001",
 *   startState: { position: [1.5, 0, 2.3], rotation: [0, 0, 0, 1] },
 *   instruction: { text: "Walk to the kitchen" },
 *   goals: { position: [3, 1, 2.3], radius: 0.2 },
 * });
 * BaseEpisode.fromDict(episode.toDict());
 */
export class BaseEpisode {
  readonly episodeId: string;
  readonly taskType: string;
  readonly sceneId: string;
  /**
   * Navigation: `{position: [x, y, z], rotation: [x, y, z, w], node?}`.
   * Manipulation: `{base_pose: [x, y, theta], joint_positions: [...]}`.
   */
  readonly startState: StartState;
  /**
   * Navigation: `{position, radius}`, or alternatives in `positions` or `view_points`; `node`(s) on a
   * graph. Manipulation: `{target_object, target_location, success_criteria}`.
   */
  readonly goals: Goals;
  /** `{text, tokens}` */
  readonly instruction: Instruction;
  /** Navigation: `{path, nodes?, dense_path?}`. Manipulation: `{trajectory: {qpos, ee_pose, actions}}`. */
  readonly referenceData: ReferenceData | null;
  /** Robot, objects, randomisation: whatever the task reads. */
  readonly taskConfig: Readonly<Record<string, unknown>>;
  /** `{max_steps, timeout (wall-clock s), time_step (physics s)}`; takes precedence over the task's config. */
  readonly simParams: SimParams;

  /** @param checked the validated dict, if validation was done before */
  constructor(init: EpisodeInit, where?: string, checked?: EpisodeDict) {
    const dict =
      checked ??
      parseEpisode(
        {
          episode_id: init.episodeId,
          task_type: init.taskType,
          scene_id: init.sceneId,
          start_state: init.startState,
          goals: init.goals,
          instruction: init.instruction,
          reference_data: init.referenceData,
          task_config: init.taskConfig,
          sim_params: init.simParams,
        },
        where,
      );
    this.episodeId = dict.episode_id;
    this.taskType = dict.task_type;
    this.sceneId = dict.scene_id;
    this.startState = dict.start_state;
    this.goals = dict.goals;
    this.instruction = dict.instruction;
    this.referenceData = dict.reference_data;
    this.taskConfig = dict.task_config;
    this.simParams = dict.sim_params;
  }

  /** Makes an episode from its wire and disk form, which the constructor validates. */
  static fromDict(dict: unknown, where?: string): BaseEpisode {
    const raw = (typeof dict === "object" && dict !== null ? dict : {}) as EpisodeDict;
    return new BaseEpisode(initOf(raw), where);
  }

  /**
   * Makes an episode from the `toDict` of another thread of this process, without validation, which takes about 0.1
   * ms.
   */
  static fromCheckedDict(dict: EpisodeDict): BaseEpisode {
    return new BaseEpisode(initOf(dict), undefined, dict);
  }

  /**
   * The wire and disk form. Start state and goals stay nested, because both have a `position`.
   */
  toDict(): EpisodeDict {
    return {
      episode_id: this.episodeId,
      task_type: this.taskType,
      scene_id: this.sceneId,
      start_state: this.startState,
      goals: this.goals,
      instruction: this.instruction,
      reference_data: this.referenceData,
      task_config: this.taskConfig,
      sim_params: this.simParams,
    };
  }
}

function initOf(dict: EpisodeDict): EpisodeInit {
  return {
    episodeId: dict.episode_id,
    taskType: dict.task_type,
    sceneId: dict.scene_id,
    startState: dict.start_state,
    goals: dict.goals,
    instruction: dict.instruction,
    referenceData: dict.reference_data,
    taskConfig: dict.task_config,
    simParams: dict.sim_params,
  };
}

/**
 * Alternative goals of a navigation episode: its view points, else its goal positions.
 *
 * @example
 * const goals = { positions: [[3, 0, 1], [5, 0, 2]] as Vec3[] };
 * const episode = new BaseEpisode({ episodeId: "1", taskType: "objectnav", sceneId: "flat", goals });
 * goalPoints(episode).length; // 2
 */
export function goalPoints(episode: BaseEpisode): ScenePoint[] {
  const { view_points, positions, position, nodes, node } = episode.goals;
  if (view_points && view_points.length > 0) return view_points.map((p) => ({ position: p }));
  if (positions && positions.length > 0) {
    return positions.map((p, i) => ({ position: p, node: nodes?.[i] }));
  }
  return position ? [{ position, node }] : [];
}

/**
 * The reference path as places, with node names where the dataset has them.
 *
 * @example
 * const referenceData = { path: [[0, 0, 0], [3, 0, 1]] as Vec3[], nodes: ["hall", "kitchen"] };
 * const init = { episodeId: "1", taskType: "vln", sceneId: "flat", referenceData };
 * referencePoints(new BaseEpisode(init), "path")[1]?.node; // "kitchen"
 */
export function referencePoints(episode: BaseEpisode, which: "path" | "dense"): ScenePoint[] {
  const reference = episode.referenceData;
  if (which === "dense" && reference?.dense_path) {
    return reference.dense_path.map((position) => ({ position }));
  }
  return (reference?.path ?? []).map((position, i) => ({ position, node: reference?.nodes?.[i] }));
}

/** Identifies an episode within a benchmark. It includes the scene, because published files repeat ids across scenes. */
export function episodeKey(task: string, sceneId: string, episodeId: string): string {
  // Scene ids contain slashes; with slashes in episode ids too, two episodes could have the same key.
  const id = episodeId.replaceAll("%", "%25").replaceAll("/", "%2F");
  return `${task}/${sceneId}/${id}`;
}
