import { DataError } from "../../core/errors.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { findEpisode } from "../../runs/episode-map.js";
import type { RunDirectory } from "../../runs/run-directory.js";

/**
 * Tells the lines that a name means: an episode's key, an id that only one episode has, or either with
 * `#` and the number of a repeat behind it. Without a number all repeats are meant.
 *
 * @throws DataError that suggests the nearest name
 */
export async function chooseEpisode(
  run: RunDirectory,
  name: string,
  repeat?: number,
): Promise<(line: EpisodeLine) => boolean> {
  const numbered = /^(.+)#(\d+)$/.exec(name);
  const repeats = new Map<string, number[]>();
  const byId = new Map<string, Set<string>>();
  for await (const line of run.episodes()) {
    const { episode_key, episode_id } = line;
    repeats.set(episode_key, [...(repeats.get(episode_key) ?? []), line.repeat]);
    byId.set(episode_id, (byId.get(episode_id) ?? new Set()).add(episode_key));
  }
  const keyOf = (wanted: string): string | undefined => {
    const [only, ...others] = byId.get(wanted) ?? [];
    return repeats.has(wanted) ? wanted : others.length === 0 ? only : undefined;
  };
  const whole = keyOf(name);
  const number = whole === undefined && numbered ? Number(numbered[2]) : repeat;
  const base = whole === undefined && numbered?.[1] !== undefined ? numbered[1] : name;
  const key = whole ?? keyOf(base) ?? (await findEpisode(run, base)).episode_key;
  const there = repeats.get(key) ?? [];
  if (number !== undefined && !there.includes(number)) {
    throw new DataError("unknown_episode", `the run has no repeat ${number} of ${key}`, {
      where: run.file("episodes"),
      hint: `it has ${there.sort((a, b) => a - b).join(", ")}`,
    });
  }
  return (line) => line.episode_key === key && (number === undefined || line.repeat === number);
}
