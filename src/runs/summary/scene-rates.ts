import type { EpisodeLine } from "../../core/interfaces/result.js";
import type { Interval } from "../../stats/interval.js";
import { type GroupRate, GroupRates } from "./group-rates.js";

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

export class SceneRates {
  readonly #rates = new GroupRates(1);

  add(line: Pick<EpisodeLine, "task" | "episode_key" | "scene_id" | "outcome">): void {
    this.#rates.add(line.scene_id, line);
  }

  /** In the file's order, without tasks of a single scene. */
  perScene(): Record<string, readonly SceneRate[]> {
    const tasks = this.#rates.tasks.map((task) => [task, this.#rates.inOrder(task)] as const);
    const several = tasks.filter(([, scenes]) => scenes.length > 1);
    return Object.fromEntries(several.map(([task, scenes]) => [task, scenes.map(sceneRate)]));
  }

  /** For each task with invalid episodes, its rate without them and with them counted as failures. */
  invalidNotes(): string[] {
    return this.#rates.tasks.flatMap((task) => {
      const scenes = this.#rates.inOrder(task);
      const sum = (key: "success" | "count" | "invalid") =>
        scenes.reduce((total, scene) => total + scene[key], 0);
      const [success, judged, invalid] = [sum("success"), sum("count"), sum("invalid")];
      if (invalid === 0) return [];
      const all = judged + invalid;
      const without = judged === 0 ? "none could be judged" : share(success, judged);
      return [
        `${task}: ${invalid} of ${all} episodes are invalid. Success without them: ${without}; with them as failures: ${share(success, all)}`,
      ];
    });
  }
}

function sceneRate({ name, success, count, invalid, mean, ci95 }: GroupRate): SceneRate {
  return { scene_id: name, success, count, n_invalid: invalid, mean, ci95 };
}

function share(part: number, all: number): string {
  return `${((100 * part) / all).toFixed(1)} % (${part}/${all})`;
}
