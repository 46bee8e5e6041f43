import { gzipSync } from "node:zlib";
import type { BaseEpisode } from "../../core/episode/base.js";
import { ConfigError, DataError } from "../../core/errors.js";
import { writeSynced } from "../write-file.js";
import type { Drops } from "./drops.js";

/** Shared by the writers of Habitat's layouts: JSON files, gzipped or not, of navigation episodes. */

const JSON_NAME = /\.json(\.gz)?$/;

export function checkJsonName(out: string, what: string): void {
  if (JSON_NAME.test(out)) return;
  throw new ConfigError("bad_out", `the name of ${what} file must end in .json or .json.gz`, {
    where: out,
  });
}

export async function writePacked(path: string, text: string): Promise<void> {
  await writeSynced(path, path.endsWith(".gz") ? gzipSync(text, { level: 9 }) : text);
}

/** Published ids are numbers. An id that would not survive the conversion to a number stays a string. */
export function numberOf(id: string): number | string {
  const number = Number(id);
  return Number.isSafeInteger(number) && String(number) === id ? number : id;
}

/** Alternative goals become several goals, as in Habitat. */
export function pointGoalsOf({
  position,
  positions,
  radius,
}: BaseEpisode["goals"]): readonly unknown[] | undefined {
  const all = positions && positions.length > 0 ? positions : position ? [position] : [];
  return all.length > 0 ? all.map((one) => ({ position: one, radius })) : undefined;
}

/** Selects the values that an episode's `info` can store: finite numbers and strings. */
export function infoOf(
  { taskConfig }: BaseEpisode,
  ...keys: readonly string[]
): Readonly<Record<string, unknown>> {
  const held = keys.filter((key) => isPlain(taskConfig[key]));
  return Object.fromEntries(held.map((key) => [key, taskConfig[key]]));
}

interface StorableFields {
  readonly info: Readonly<Record<string, unknown>>;
  readonly goals: readonly string[];
  /** The reason for dropping the others. */
  readonly why: string;
}

/** Builds an entry without its goals. */
export function startEntryOf(
  episode: BaseEpisode,
  { info, goals: goalFields, why }: StorableFields,
  drops: Drops,
): Readonly<Record<string, unknown>> {
  const { startState, goals, instruction, referenceData, taskConfig, simParams } = episode;
  drops.addOthers("start_state", startState, ["position", "rotation"], why);
  drops.addOthers("goals", goals, goalFields, why);
  drops.addOthers("instruction", instruction, [], why);
  drops.addOthers("reference_data", referenceData, [], why);
  const held = ["scene_dataset_config", ...Object.keys(info)];
  drops.addOthers("task_config", taskConfig, held, why);
  drops.addOthers("sim_params", simParams, [], why);
  return {
    episode_id: episode.episodeId,
    scene_id: episode.sceneId,
    scene_dataset_config: taskConfig.scene_dataset_config,
    start_position: startState.position,
    start_rotation: startState.rotation,
    info,
  };
}

function isPlain(value: unknown): boolean {
  return typeof value === "number" ? Number.isFinite(value) : typeof value === "string";
}

/** Rejects episodes that a layout cannot store. */
export class NavigationChecker {
  readonly #ids = new Set<string>();

  /**
   * @param layout as in "an R2R-CE file"
   * @param episodeKind kind of episodes, as in "navigation with instructions"
   */
  constructor(
    readonly target: string,
    readonly layout: string,
    readonly episodeKind: string,
    readonly out: string,
  ) {}

  notConvertible(episode: BaseEpisode, problem: string, hint: string): DataError {
    const { episodeId, taskType } = episode;
    const message = `episode ${episodeId} (${taskType}) ${problem}`;
    return new DataError("not_convertible", message, { where: this.out, hint });
  }

  /** @param lacking the additional field that the layout requires, if the episode lacks it */
  check(episode: BaseEpisode, lacking: string | undefined): void {
    if (isManipulation(episode)) {
      throw this.notConvertible(
        episode,
        `is manipulation, but ${this.target} only supports ${this.episodeKind}`,
        "valid for manipulation: native, and lerobot if there is a reference trajectory",
      );
    }
    const { position, rotation } = episode.startState;
    const field = !position ? "start_state.position" : !rotation ? "start_state.rotation" : lacking;
    if (field === undefined) return;
    const problem = `has no ${field}, which ${this.layout}s require`;
    throw this.notConvertible(episode, problem, "convert such episodes to native");
  }

  /** For layouts that identify an episode by its id alone. */
  checkId(episode: BaseEpisode): void {
    if (this.#ids.has(episode.episodeId)) {
      throw this.notConvertible(
        episode,
        `occurs in two scenes, but ${this.layout}s identify an episode by its id alone`,
        "convert each scene separately, or make the ids unique",
      );
    }
    this.#ids.add(episode.episodeId);
  }
}

function isManipulation({ startState, goals, referenceData }: BaseEpisode): boolean {
  return (
    startState.joint_positions !== undefined ||
    startState.base_pose !== undefined ||
    goals.target_object !== undefined ||
    referenceData?.trajectory !== undefined
  );
}
