import type { EpisodeLine } from "../../core/interfaces/result.js";
import type { Interval } from "../../stats/interval.js";
import { meanInterval } from "../../stats/mean-interval.js";
import { repeatsInterval } from "../../stats/repeats-interval.js";

/** Success rate of a group of episodes. */
export interface GroupRate {
  readonly name: string;
  /** Null if no episode has a valid result. */
  readonly mean: number | null;
  /** 95 % Wilson interval that accounts for shared scenes and for repeats. */
  readonly ci95: Interval | null;
  readonly success: number;
  /** Number of valid results, counting every repeat. */
  readonly count: number;
  readonly invalid: number;
}

interface GroupCounts {
  invalid: number;
  /** The valid results in order, with the episode and scene of each. */
  readonly outcomes: number[];
  readonly episodes: string[];
  readonly scenes: string[];
}

/** Success rates by task and group. */
export class GroupRates {
  readonly #tasks = new Map<string, Map<string, GroupCounts>>();

  constructor(private readonly repeats: number) {}

  add(
    group: string,
    {
      task,
      episode_key,
      scene_id,
      outcome,
    }: Pick<EpisodeLine, "task" | "episode_key" | "scene_id" | "outcome">,
  ): void {
    const groups = this.#tasks.get(task) ?? new Map<string, GroupCounts>();
    this.#tasks.set(task, groups);
    const counts = groups.get(group) ?? { invalid: 0, outcomes: [], episodes: [], scenes: [] };
    groups.set(group, counts);
    if (outcome === "invalid") {
      counts.invalid++;
      return;
    }
    counts.outcomes.push(outcome === "success" ? 1 : 0);
    counts.episodes.push(episode_key);
    counts.scenes.push(scene_id);
  }

  get tasks(): readonly string[] {
    return [...this.#tasks.keys()];
  }

  /** In the order of the first episodes. */
  inOrder(task: string): GroupRate[] {
    return [...(this.#tasks.get(task) ?? [])].map(([name, counts]) => this.#rate(name, counts));
  }

  /** Worst first; empty for a single group, whose rate equals the task's. */
  of(task: string): GroupRate[] {
    const groups = this.inOrder(task);
    return groups.length < 2 ? [] : groups.sort(worstFirst);
  }

  #rate(name: string, { outcomes, episodes, scenes, invalid }: GroupCounts): GroupRate {
    const success = outcomes.reduce((sum, outcome) => sum + outcome, 0);
    const common = { name, success, count: outcomes.length, invalid };
    if (this.repeats <= 1) {
      const mean = outcomes.length === 0 ? null : success / outcomes.length;
      const { interval } = meanInterval(outcomes, { kind: "rate", clusters: scenes });
      return { ...common, mean, ci95: interval };
    }
    const byEpisode = new Map<string, { readonly scene: string; readonly values: number[] }>();
    for (const [i, key] of episodes.entries()) {
      const episode = byEpisode.get(key) ?? { scene: scenes[i] ?? "", values: [] };
      byEpisode.set(key, episode);
      episode.values.push(outcomes[i] ?? 0);
    }
    const groups = [...byEpisode.values()];
    const { mean, interval } = repeatsInterval(
      groups.map(({ values }) => values),
      { kind: "rate", clusters: groups.map(({ scene }) => scene) },
    );
    return { ...common, mean, ci95: interval };
  }
}

/** Sorts the lowest rate first; of two equal rates, the one measured on more episodes comes first. */
function worstFirst(a: GroupRate, b: GroupRate): number {
  const byName = a.name < b.name ? -1 : 1;
  return (a.mean ?? 2) - (b.mean ?? 2) || b.count - a.count || byName;
}
