import type { EpisodeLine } from "../../core/interfaces/result.js";
import type { Interval } from "../../stats/interval.js";
import { repeatsInterval } from "../../stats/repeats-interval.js";
import { wilsonInterval } from "../../stats/wilson.js";

/** Success rate of a group of episodes. */
export interface GroupRate {
  readonly name: string;
  /** Null if no episode has a valid result. */
  readonly mean: number | null;
  /** 95 % Wilson interval; with repeats, the interval that accounts for their dependence. */
  readonly ci95: Interval | null;
  readonly success: number;
  /** Number of valid results, counting every repeat. */
  readonly count: number;
  readonly invalid: number;
}

interface GroupCounts {
  success: number;
  judged: number;
  invalid: number;
  /** The outcomes of each episode; filled only for runs with repeats. */
  readonly byEpisode: Map<string, number[]>;
}

/** Success rates by task and group. */
export class GroupRates {
  readonly #tasks = new Map<string, Map<string, GroupCounts>>();

  constructor(private readonly repeats: number) {}

  add(
    group: string,
    { task, episode_key, outcome }: Pick<EpisodeLine, "task" | "episode_key" | "outcome">,
  ): void {
    const groups = this.#tasks.get(task) ?? new Map<string, GroupCounts>();
    this.#tasks.set(task, groups);
    const counts = groups.get(group) ?? { success: 0, judged: 0, invalid: 0, byEpisode: new Map() };
    groups.set(group, counts);
    if (outcome === "invalid") {
      counts.invalid++;
      return;
    }
    const success = outcome === "success" ? 1 : 0;
    counts.judged++;
    counts.success += success;
    if (this.repeats <= 1) return;
    const outcomes = counts.byEpisode.get(episode_key) ?? [];
    counts.byEpisode.set(episode_key, outcomes);
    outcomes.push(success);
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

  #rate(name: string, { success, judged, invalid, byEpisode }: GroupCounts): GroupRate {
    const common = { name, success, count: judged, invalid };
    if (this.repeats <= 1) {
      const mean = judged === 0 ? null : success / judged;
      return { ...common, mean, ci95: wilsonInterval(success, judged) };
    }
    const { mean, interval } = repeatsInterval([...byEpisode.values()], { kind: "rate" });
    return { ...common, mean, ci95: interval };
  }
}

/** Of two equal rates, the one measured on more episodes comes first. */
function worstFirst(a: GroupRate, b: GroupRate): number {
  const byName = a.name < b.name ? -1 : 1;
  return (a.mean ?? 2) - (b.mean ?? 2) || b.count - a.count || byName;
}
