import type { EpisodeLine } from "../../core/interfaces/result.js";
import type { Interval } from "../../stats/interval.js";
import { repeatsInterval } from "../../stats/repeats-interval.js";
import { wilsonInterval } from "../../stats/wilson.js";

/** How often the episodes of a group succeeded. */
export interface GroupRate {
  readonly name: string;
  /** Null when no episode could be judged. */
  readonly mean: number | null;
  /** 95 %: Wilson's, with repeats the one that knows of them. */
  readonly ci95: Interval | null;
  /** Judged episodes, every repeat counted. */
  readonly count: number;
  readonly invalid: number;
}

interface Tally {
  success: number;
  judged: number;
  invalid: number;
  /** The outcomes of each episode, only where there are repeats. */
  readonly byEpisode: Map<string, number[]>;
}

/** Success by task and by whatever its episodes are put together by. */
export class GroupRates {
  readonly #repeats: number;
  readonly #tasks = new Map<string, Map<string, Tally>>();

  constructor(repeats: number) {
    this.#repeats = repeats;
  }

  add(group: string, { task, episode_key, outcome }: EpisodeLine): void {
    const groups = this.#tasks.get(task) ?? new Map<string, Tally>();
    this.#tasks.set(task, groups);
    const tally = groups.get(group) ?? { success: 0, judged: 0, invalid: 0, byEpisode: new Map() };
    groups.set(group, tally);
    if (outcome === "invalid") {
      tally.invalid++;
      return;
    }
    const success = outcome === "success" ? 1 : 0;
    tally.judged++;
    tally.success += success;
    if (this.#repeats <= 1) return;
    const outcomes = tally.byEpisode.get(episode_key) ?? [];
    tally.byEpisode.set(episode_key, outcomes);
    outcomes.push(success);
  }

  /** Worst first; empty where a task has only one group, which says no more than the task. */
  of(task: string): GroupRate[] {
    const groups = [...(this.#tasks.get(task) ?? [])];
    if (groups.length < 2) return [];
    return groups.map(([name, tally]) => this.#rate(name, tally)).sort(worstFirst);
  }

  #rate(name: string, { success, judged, invalid, byEpisode }: Tally): GroupRate {
    const common = { name, count: judged, invalid };
    if (this.#repeats <= 1) {
      const mean = judged === 0 ? null : success / judged;
      return { ...common, mean, ci95: wilsonInterval(success, judged) };
    }
    // The seed is for intervals that draw; a rate's does not.
    const { mean, interval } = repeatsInterval([...byEpisode.values()], { kind: "rate", seed: 0 });
    return { ...common, mean, ci95: interval };
  }
}

/** Of two rates that are the same, the one known from more episodes is the surer trouble. */
function worstFirst(a: GroupRate, b: GroupRate): number {
  const byName = a.name < b.name ? -1 : 1;
  return (a.mean ?? 2) - (b.mean ?? 2) || b.count - a.count || byName;
}
