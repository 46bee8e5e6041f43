import { isDeepStrictEqual } from "node:util";
import { BaseEpisode } from "../../core/episode/base.js";
import { isRecord } from "../../core/record.js";

type Goals = Readonly<Record<string, unknown>>;

/** Alternative ways to say where a navigation goal is. */
const LOCATIONS = ["position", "positions", "view_points", "node", "nodes"];

/** Keys that say which object, place, preset or rule a part of the goals is about. */
const IDENTITIES = ["name", "position", "object", "type", "rule"];

/**
 * Completes the goals of an episode with the benchmark's. What the episode says wins. The benchmark's details of an
 * object, a place or success criteria are left out where the episode names another one.
 */
export function withDefaultGoals(episode: BaseEpisode, defaults: Goals | undefined): BaseEpisode {
  if (!defaults) return episode;
  const goals = mergedGoals(episode.goals, defaults);
  return isDeepStrictEqual(goals, episode.goals)
    ? episode
    : BaseEpisode.fromDict({ ...episode.toDict(), goals });
}

function mergedGoals(own: Goals, defaults: Goals): Goals {
  const isLocated = LOCATIONS.some((key) => own[key] !== undefined);
  const merged: Record<string, unknown> = { ...own };
  for (const [key, value] of Object.entries(defaults)) {
    const given = own[key];
    if (given === undefined) {
      if (!isLocated || !LOCATIONS.includes(key)) merged[key] = value;
    } else if (isRecord(given) && isRecord(value) && !isOther(given, value)) {
      merged[key] = { ...value, ...given };
    }
  }
  return merged;
}

function isOther(own: Goals, defaults: Goals): boolean {
  return IDENTITIES.some(
    (key) => own[key] !== undefined && !isDeepStrictEqual(own[key], defaults[key]),
  );
}
