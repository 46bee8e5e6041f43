import type { EpisodeLine } from "../../core/interfaces/result.js";
import type { Interval } from "../../stats/interval.js";
import { wilsonInterval } from "../../stats/wilson.js";

/** Success rate of a scene. */
export interface SceneRate {
  readonly scene_id: string;
  readonly success: number;
  /** Valid episodes. */
  readonly count: number;
  readonly n_invalid: number;
  /** Null without valid episodes. */
  readonly mean: number | null;
  /** Wilson, 95 %. */
  readonly ci95: Interval | null;
}

interface Tally {
  success: number;
  judged: number;
  invalid: number;
}

/** Success rates by scene. */
export class SceneRates {
  readonly #tasks = new Map<string, Map<string, Tally>>();

  add({ task, scene_id, outcome }: Pick<EpisodeLine, "task" | "scene_id" | "outcome">): void {
    const scenes = this.#tasks.get(task) ?? new Map<string, Tally>();
    this.#tasks.set(task, scenes);
    const tally = scenes.get(scene_id) ?? { success: 0, judged: 0, invalid: 0 };
    scenes.set(scene_id, tally);
    if (outcome === "invalid") tally.invalid++;
    else tally.judged++;
    if (outcome === "success") tally.success++;
  }

  /** In the file's order, without tasks of a single scene. */
  perScene(): Record<string, readonly SceneRate[]> {
    const several = [...this.#tasks].filter(([, scenes]) => scenes.size > 1);
    return Object.fromEntries(
      several.map(([task, scenes]) => [task, [...scenes].map(([id, tally]) => rateOf(id, tally))]),
    );
  }

  /** For each task with invalid episodes, its rate without them and with them counted as failures. */
  invalidNotes(): string[] {
    return [...this.#tasks].flatMap(([task, scenes]) => {
      const tallies = [...scenes.values()];
      const sum = (key: keyof Tally) => tallies.reduce((total, tally) => total + tally[key], 0);
      const [success, judged, invalid] = [sum("success"), sum("judged"), sum("invalid")];
      if (invalid === 0) return [];
      const all = judged + invalid;
      const without = judged === 0 ? "none could be judged" : share(success, judged);
      return [
        `${task}: ${invalid} of ${all} episodes are invalid. Success without them: ${without}; with them as failures: ${share(success, all)}`,
      ];
    });
  }
}

function rateOf(scene_id: string, { success, judged, invalid }: Tally): SceneRate {
  return {
    scene_id,
    success,
    count: judged,
    n_invalid: invalid,
    mean: judged === 0 ? null : success / judged,
    ci95: wilsonInterval(success, judged),
  };
}

function share(part: number, all: number): string {
  return `${((100 * part) / all).toFixed(1)} % (${part}/${all})`;
}
