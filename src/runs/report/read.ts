import type {
  EpisodeLine,
  LatencySummary,
  MetricTable,
  Outcome,
  RunInfo,
  RunSummary,
} from "../../core/interfaces/result.js";
import { FirstOf } from "../../dataset/first-of.js";
import { LatencyAggregate } from "../../stats/latency-sketch.js";
import { byText } from "../directory/ordered.js";
import type { RunDirectory } from "../directory/run-directory.js";
import type { RunPermissions } from "../recorded/recorded-benchmark.js";
import type { StressReport } from "../stress/documents.js";
import { type GroupRate, GroupRates } from "../summary/group-rates.js";
import { type FaultGroup, FaultGroups } from "./fault-groups.js";
import { summaryOf } from "./summary-of.js";

/** Number of episodes shown with images. */
const PICTURED = 12;
/** Number of failures listed over all tasks; every task lists at least a few. */
const LISTED_FAILURES = 300;
const LEAST_A_TASK = 5;
const SLOWEST = 10;

/** The content of a report, independent of its format. Its size does not grow with the run. */
export interface RunReport {
  readonly run: RunDirectory;
  /** Plugins and scenes that the report may load to draw maps and compute a summary. */
  readonly permissions: Pick<RunPermissions, "plugins" | "scenes">;
  readonly info: RunInfo;
  readonly summary: RunSummary;
  readonly tasks: readonly TaskReport[];
  /** Failures before successes, worst first, alternating between tasks. */
  readonly worst: readonly EpisodeLine[];
  /** Empty if no episode has timings. */
  readonly slowest: readonly EpisodeLine[];
  readonly faults: readonly FaultGroup[];
  /** Set if the run is the baseline of a stress test. */
  readonly stress?: StressReport | undefined;
}

export interface TaskReport {
  readonly name: string;
  readonly type: string;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly endings: readonly Ending[];
  readonly latency: LatencySummary | null;
  /** The worst failures; `outcomes.failure` is their total number. */
  readonly failures: readonly EpisodeLine[];
  /** Empty if the task has a single scene. */
  readonly scenes: readonly GroupRate[];
}

interface Ending {
  readonly reason: string;
  readonly outcomes: Readonly<Record<Outcome, number>>;
}

/** Reads a run in a single pass. */
export async function readReport(
  run: RunDirectory,
  permissions: RunReport["permissions"] = {},
): Promise<RunReport> {
  const summary = await summaryOf(run, permissions);
  const names = Object.keys(summary.per_task);
  const room = Math.max(LEAST_A_TASK, Math.floor(LISTED_FAILURES / Math.max(1, names.length)));
  const columns = new Map<string, TaskColumns>();
  for (const name of names) columns.set(name, new TaskColumns(name, summary.per_task[name], room));
  const scenes = new GroupRates(summary.repeats ?? 1);
  const faults = new FaultGroups();
  const slowest = new FirstOf<EpisodeLine>(SLOWEST, (a, b) => b.wall_ms - a.wall_ms);
  for await (const line of run.episodes()) {
    const task = columns.get(line.task) ?? new TaskColumns(line.task, {}, room);
    columns.set(line.task, task);
    task.add(line);
    scenes.add(line.scene_id, line);
    faults.add(line);
    if (line.wall_ms > 0) slowest.add(line);
  }
  const all = [...columns.values()];
  return {
    run,
    permissions,
    info: await run.info(),
    summary,
    tasks: all.map((task) => task.report(scenes.of(task.name))),
    worst: interleave(all.map((task) => task.worst)),
    slowest: slowest.items,
    faults: faults.groups,
  };
}

class TaskColumns {
  readonly #outcomes = noOutcomes();
  readonly #endings = new Map<string, Record<Outcome, number>>();
  readonly #latencies = new LatencyAggregate();
  readonly #worst: FirstOf<Ranked>;
  #type = "";

  constructor(
    readonly name: string,
    private readonly table: MetricTable = {},
    private readonly capacity: number,
  ) {
    this.#worst = new FirstOf(Math.max(capacity, PICTURED), byBadness);
  }

  add(line: EpisodeLine): void {
    this.#type ||= line.task_type;
    this.#outcomes[line.outcome]++;
    const ending = this.#endings.get(line.end_reason) ?? noOutcomes();
    this.#endings.set(line.end_reason, ending);
    ending[line.outcome]++;
    if (line.agent_latency_ms) this.#latencies.add(line.agent_latency_ms.sketch);
    if (line.outcome !== "invalid") {
      this.#worst.add({ line, badness: badness(line, this.table) });
    }
  }

  /** Worst episodes; of the repeats of one episode, only the worst. */
  get worst(): EpisodeLine[] {
    const byKey = new Map<string, EpisodeLine>();
    for (const { line } of this.#worst.items) {
      if (!byKey.has(line.episode_key)) byKey.set(line.episode_key, line);
    }
    return [...byKey.values()];
  }

  report(scenes: readonly GroupRate[]): TaskReport {
    const endings = [...this.#endings].map(([reason, outcomes]) => ({ reason, outcomes }));
    return {
      name: this.name,
      type: this.#type,
      outcomes: this.#outcomes,
      endings: endings.sort((a, b) => total(b.outcomes) - total(a.outcomes)),
      latency: this.#latencies.summary(),
      failures: this.#worst.items
        .map(({ line }) => line)
        .filter(({ outcome }) => outcome === "failure")
        .slice(0, this.capacity),
      scenes,
    };
  }
}

interface Ranked {
  readonly line: EpisodeLine;
  readonly badness: number;
}

function byBadness(a: Ranked, b: Ranked): number {
  const failed = (item: Ranked) => (item.line.outcome === "failure" ? 0 : 1);
  return (
    failed(a) - failed(b) ||
    b.badness - a.badness ||
    byText(a.line.episode_key, b.line.episode_key) ||
    a.line.repeat - b.line.repeat
  );
}

/**
 * Distance from the run's best values, from 0 (best in every metric) to 1 (worst in every metric): the mean over
 * all metrics with a direction, each scaled by the run's minimum and maximum.
 */
function badness({ metrics }: EpisodeLine, table: MetricTable): number {
  const shares: number[] = [];
  for (const [name, { direction, min, max }] of Object.entries(table)) {
    const value = metrics[name];
    if (typeof value !== "number" || min === null || max === null || max <= min) continue;
    if (direction === "higher") shares.push((max - value) / (max - min));
    else if (direction === "lower") shares.push((value - min) / (max - min));
  }
  return shares.length === 0 ? 0 : shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** Takes the first of each list, then the second of each, until there are `PICTURED`. */
function interleave(lists: readonly (readonly EpisodeLine[])[]): EpisodeLine[] {
  const taken: EpisodeLine[] = [];
  for (let turn = 0; taken.length < PICTURED; turn++) {
    const round = lists.flatMap((list) => list[turn] ?? []);
    if (round.length === 0) break;
    // Failures come before successes within a round.
    round.sort((a, b) => Number(a.outcome !== "failure") - Number(b.outcome !== "failure"));
    taken.push(...round.slice(0, PICTURED - taken.length));
  }
  return taken;
}

function noOutcomes(): Record<Outcome, number> {
  return { success: 0, failure: 0, invalid: 0 };
}

export function total({ success, failure, invalid }: Readonly<Record<Outcome, number>>): number {
  return success + failure + invalid;
}
