import type { BaseEpisode } from "../core/episode/base.js";
import { RobotEvalError } from "../core/errors.js";
import type { WorldProblem } from "../core/interfaces/simulator.js";

/** Scenes that a problem names; further ones are counted. */
const NAMED = 3;

export interface CheckedScenes {
  readonly problems: readonly WorldProblem[];
  /** The first episode of each scene that was found. */
  readonly found: readonly BaseEpisode[];
}

/**
 * Looks for the scene of every episode, each once, and groups the scenes that fail for the same reason.
 *
 * @param find throws if a scene does not exist or cannot be used
 */
export async function checkScenes(
  episodes: readonly BaseEpisode[],
  find: (sceneId: string) => Promise<unknown>,
): Promise<CheckedScenes> {
  const scenes = new Map<string, BaseEpisode[]>();
  for (const episode of episodes) {
    const own = scenes.get(episode.sceneId) ?? [];
    own.push(episode);
    scenes.set(episode.sceneId, own);
  }
  const found: BaseEpisode[] = [];
  const failures = new Map<string, Failure[]>();
  for (const [sceneId, own] of scenes) {
    try {
      await find(sceneId);
      found.push(...own.slice(0, 1));
    } catch (error) {
      if (!(error instanceof RobotEvalError)) throw error;
      const failure = { sceneId, error, episodes: own.length };
      failures.set(error.code, [...(failures.get(error.code) ?? []), failure]);
    }
  }
  const total = { scenes: scenes.size, episodes: episodes.length };
  return { found, problems: [...failures.values()].map((group) => problemOf(group, total)) };
}

interface Failure {
  readonly sceneId: string;
  readonly error: RobotEvalError;
  readonly episodes: number;
}

function problemOf(
  failures: readonly Failure[],
  total: { readonly scenes: number; readonly episodes: number },
): WorldProblem {
  const [first] = failures;
  const lost = failures.reduce((sum, { episodes }) => sum + episodes, 0);
  const names = failures.slice(0, NAMED).map(({ sceneId }) => sceneId);
  const more = failures.length - names.length;
  const list = more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
  return {
    level: "error",
    code: first?.error.code ?? "",
    message: `${failures.length} of ${total.scenes} scenes cannot be used, so ${lost} of ${total.episodes} episodes cannot run: ${list}; the first: ${first?.error.message}`,
    where: first?.error.where,
    hint: first?.error.hint,
  };
}
