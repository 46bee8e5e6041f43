import type { BaseEpisode } from "../core/episode/base.js";
import type { Profile } from "../core/profiles.js";

type InstructionLimit = Pick<Profile, "name" | "instructionsPerPath">;

/**
 * Separates the episodes that a profile scores from further instructions of the same path. The published R2R
 * val_seen has one of these: path 757 has four instructions, and the official evaluator scores three.
 */
export class ScoredInstructions {
  readonly #unscored: string[] = [];

  constructor(private readonly profile: InstructionLimit) {}

  /** Whether the episode is scored. Remembers those that are not for the note, so call it once per episode. */
  includes(episode: BaseEpisode): boolean {
    if (isScored(episode, this.profile)) return true;
    this.#unscored.push(episode.episodeId);
    return false;
  }

  /** States which episodes are not scored; undefined if all are. */
  get note(): string | undefined {
    const { name, instructionsPerPath } = this.profile;
    const count = this.#unscored.length;
    if (count === 0) return undefined;
    // Sorted, because the episodes of a run are read concurrently.
    const named = [...this.#unscored].sort().slice(0, 5).join(", ");
    const rest = count > 5 ? ", ..." : "";
    return `profile ${name} scores the first ${instructionsPerPath} instructions of a path, as the official R2R evaluator does; ${count === 1 ? "1 episode is" : `${count} episodes are`} not scored: ${named}${rest}`;
  }
}

export function isScored(episode: BaseEpisode, { instructionsPerPath }: InstructionLimit): boolean {
  const index = instructionIndex(episode);
  return instructionsPerPath === undefined || index === undefined || index < instructionsPerPath;
}

/** The number of an R2R instruction within its path, from 0: 3 in `757_3`. Undefined for other datasets. */
export function instructionIndex({ episodeId, taskConfig }: BaseEpisode): number | undefined {
  const { path_id } = taskConfig;
  if (typeof path_id !== "string" || !episodeId.startsWith(`${path_id}_`)) return undefined;
  const index = episodeId.slice(path_id.length + 1);
  return /^\d+$/.test(index) ? Number(index) : undefined;
}
