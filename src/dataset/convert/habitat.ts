import { gzipSync } from "node:zlib";
import type { BaseEpisode } from "../../core/episode/base.js";
import { ConfigError, DataError } from "../../core/errors.js";
import type { Drops } from "./drops.js";
import { writeSynced } from "./staging.js";

/** What the writers of Habitat's layouts share: JSON files, packed or not, of navigation episodes. */

const JSON_NAME = /\.json(\.gz)?$/;

export function checkJsonName(out: string, what: string): void {
  if (JSON_NAME.test(out)) return;
  throw new ConfigError("bad_out", `${what} file's name ends in .json or .json.gz`, { where: out });
}

export async function writePacked(path: string, text: string): Promise<void> {
  await writeSynced(path, path.endsWith(".gz") ? gzipSync(text, { level: 9 }) : text);
}

/** Published ids are numbers; one that a number would not bring back stays a text. */
export function numberOf(id: string): number | string {
  const number = Number(id);
  return Number.isSafeInteger(number) && String(number) === id ? number : id;
}

/** Alternatives become several goals, as Habitat has them. */
export function pointGoalsOf({
  position,
  positions,
  radius,
}: BaseEpisode["goals"]): readonly unknown[] | undefined {
  const all = positions && positions.length > 0 ? positions : position ? [position] : [];
  return all.length > 0 ? all.map((one) => ({ position: one, radius })) : undefined;
}

/** What an episode's `info` can hold: numbers that are numbers, and texts. */
export function infoOf(
  { taskConfig }: BaseEpisode,
  ...keys: readonly string[]
): Readonly<Record<string, unknown>> {
  const held = keys.filter((key) => isPlain(taskConfig[key]));
  return Object.fromEntries(held.map((key) => [key, taskConfig[key]]));
}

/** What a file that has places for starts and goals can hold of an episode. */
interface StartPlaces {
  readonly info: Readonly<Record<string, unknown>>;
  /** Fields of the goals that it has a place for. */
  readonly goals: readonly string[];
  /** Why the others are dropped. */
  readonly why: string;
}

/** An entry without its goals. */
export function startEntryOf(
  episode: BaseEpisode,
  { info, goals: goalFields, why }: StartPlaces,
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

/** Throws for an episode that a layout cannot hold. */
export class NavigationChecker {
  readonly #ids = new Set<string>();

  /**
   * @param layout as in "an R2R-CE file"
   * @param holds what its episodes are, as in "navigation with instructions"
   */
  constructor(
    readonly target: string,
    readonly layout: string,
    readonly holds: string,
    readonly out: string,
  ) {}

  refusal(episode: BaseEpisode, problem: string, hint: string): DataError {
    const { episodeId, taskType } = episode;
    const message = `episode ${episodeId} (${taskType}) ${problem}`;
    return new DataError("not_convertible", message, { where: this.out, hint });
  }

  /** @param lacking the field that the layout needs besides and the episode does not have */
  check(episode: BaseEpisode, lacking: string | undefined): void {
    if (isManipulation(episode)) {
      throw this.refusal(
        episode,
        `is manipulation, and ${this.target} holds ${this.holds}`,
        "valid for manipulation: native, and lerobot where there is a reference trajectory",
      );
    }
    const { position, rotation } = episode.startState;
    const field = !position ? "start_state.position" : !rotation ? "start_state.rotation" : lacking;
    if (field === undefined) return;
    const problem = `has no ${field}, which ${this.layout}s must have`;
    throw this.refusal(episode, problem, "native holds such episodes");
  }

  /** For layouts that name an episode by its id alone. */
  checkId(episode: BaseEpisode): void {
    if (this.#ids.has(episode.episodeId)) {
      throw this.refusal(
        episode,
        `occurs in two scenes, and ${this.layout}s name an episode by its id alone`,
        "convert the scenes one by one, or give the episodes ids of their own",
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
