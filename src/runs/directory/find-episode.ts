import { DataError } from "../../core/errors.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { suggestion } from "../../core/registry.js";
import type { RunDirectory } from "./run-directory.js";

/** An error lists all episodes up to this number, else only the nearest. */
const LISTED = 12;

/** Finds episodes of a run by key or id. */
export class EpisodeNames {
  readonly #repeats = new Map<string, number[]>();
  readonly #byId = new Map<string, Set<string>>();

  private constructor(private readonly run: RunDirectory) {}

  static async of(run: RunDirectory): Promise<EpisodeNames> {
    const names = new EpisodeNames(run);
    for await (const { episode_key, episode_id, repeat } of run.episodes()) {
      const repeats = names.#repeats.get(episode_key);
      if (repeats) repeats.push(repeat);
      else names.#repeats.set(episode_key, [repeat]);
      names.#byId.set(episode_id, (names.#byId.get(episode_id) ?? new Set()).add(episode_key));
    }
    return names;
  }

  /** The key for a key or a unique id. */
  keyOf(wanted: string): string | undefined {
    const [only, ...others] = this.#byId.get(wanted) ?? [];
    return this.#repeats.has(wanted) ? wanted : others.length === 0 ? only : undefined;
  }

  repeatsOf(key: string): readonly number[] {
    return (this.#repeats.get(key) ?? []).toSorted((a, b) => a - b);
  }

  /** The error for an unknown or ambiguous name, with suggestions. */
  unknown(wanted: string): DataError {
    const same = [...(this.#byId.get(wanted) ?? [])];
    return new DataError("unknown_episode", `the run has no episode "${wanted}"`, {
      where: this.run.file("episodes"),
      hint:
        same.length > 0
          ? `several have that id: ${some(same)}`
          : nearestOf(wanted, [...this.#repeats.keys()]),
    });
  }
}

/** Finds an episode by key or unique id; of several repeats, the first line. */
export async function findEpisode(run: RunDirectory, wanted: string): Promise<EpisodeLine> {
  const line = await firstOf(run, wanted);
  if (line) return line;
  const names = await EpisodeNames.of(run);
  const key = names.keyOf(wanted);
  const found = key === undefined ? undefined : await firstOf(run, key);
  if (found) return found;
  throw names.unknown(wanted);
}

async function firstOf(run: RunDirectory, key: string): Promise<EpisodeLine | undefined> {
  for await (const line of run.episodes()) if (line.episode_key === key) return line;
  return undefined;
}

function nearestOf(wanted: string, keys: readonly string[]): string {
  if (keys.length <= LISTED) return suggestion(wanted, keys);
  const [near = ""] = suggestion(wanted, keys).split(" valid: ");
  return near.startsWith("did you mean") ? near : `the run has ${keys.length}: ${some(keys)}`;
}

function some(keys: readonly string[]): string {
  return keys.length <= LISTED ? keys.join(", ") : `${keys.slice(0, LISTED).join(", ")}, ...`;
}
