import { DataError } from "../../../core/errors.js";
import type { EpisodeLine } from "../../../core/interfaces/result.js";
import { EpisodeNames } from "../../../runs/directory/find-episode.js";
import type { RunDirectory } from "../../../runs/directory/run-directory.js";

/**
 * Finds the lines that a name selects: an episode's key or a unique id, optionally followed by `#` and a repeat
 * number. Without a number all repeats are selected.
 *
 * @throws DataError with the nearest name
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
