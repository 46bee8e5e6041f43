import { DataError } from "../../core/errors.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { EpisodeNames } from "../../runs/find-episode.js";
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
  const names = await EpisodeNames.of(run);
  const whole = names.keyOf(name);
  const numbered = whole === undefined ? /^(.+)#(\d+)$/.exec(name) : null;
  const base = numbered?.[1] ?? name;
  const number = numbered ? Number(numbered[2]) : repeat;
  const key = names.keyOf(base);
  if (key === undefined) throw names.unknown(base);
  const there = names.repeatsOf(key);
  if (number !== undefined && !there.includes(number)) {
    throw new DataError("unknown_episode", `the run has no repeat ${number} of ${key}`, {
      where: run.file("episodes"),
      hint: `it has ${there.join(", ")}`,
    });
  }
  return (line) => line.episode_key === key && (number === undefined || line.repeat === number);
}
