import type {
  EpisodeLine,
  LatencySummary,
  MetricTable,
  Outcome,
  RunInfo,
  RunSummary,
} from "../../core/interfaces/result.js";
import { LatencyTally } from "../../stats/latency-sketch.js";
import type { RunDirectory } from "../run-directory.js";
import { type FaultGroup, FaultGroups } from "./fault-groups.js";
import { FirstOf } from "./first-of.js";
import { type GroupRate, GroupRates } from "./group-rates.js";
import { summaryOf } from "./summary-of.js";

/** Episodes that are shown with a picture. */
const PICTURED = 12;
/** Failures that are listed, over all tasks; each task has room for a few however many there are. */
const LISTED_FAILURES = 300;
const LEAST_A_TASK = 5;
const SLOWEST = 10;

/** All that a report says of a run, whatever it is written as. Its size does not grow with the run's. */
export interface RunReport {
  readonly run: RunDirectory;
  readonly info: RunInfo;
  readonly summary: RunSummary;
  readonly tasks: readonly TaskReport[];
  /** Failures before successes, the farthest from what is best first; the tasks take turns. */
  readonly worst: readonly EpisodeLine[];
  /** Empty where nothing was timed. */
  readonly slowest: readonly EpisodeLine[];
  readonly faults: readonly FaultGroup[];
}

export interface TaskReport {
  readonly name: string;
  readonly type: string;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly endings: readonly Ending[];
  readonly latency: LatencySummary | null;
  /** The worst of them; `outcomes.failure` says how many there are. */
  readonly failures: readonly EpisodeLine[];
  /** Empty where the task has a single scene. */
  readonly scenes: readonly GroupRate[];
}

interface Ending {
  readonly reason: string;
  readonly outcomes: Readonly<Record<Outcome, number>>;
}

/** Reads a run once from end to end. */
export async function readReport(run: RunDirectory): Promise<RunReport> {
  const summary = await summaryOf(run);
  const names = Object.keys(summary.per_task);
  const room = Math.max(LEAST_A_TASK, Math.floor(LISTED_FAILURES / Math.max(1, names.length)));
  const tallies = new Map<string, TaskTally>();
  for (const name of names) tallies.set(name, new TaskTally(name, summary.per_task[name], room));
  const scenes = new GroupRates(summary.repeats ?? 1);
  const faults = new FaultGroups();
  const slowest = new FirstOf<EpisodeLine>(SLOWEST, (a, b) => b.wall_ms - a.wall_ms);
  for await (const line of run.episodes()) {
    const tally = tallies.get(line.task) ?? new TaskTally(line.task, {}, room);
    tallies.set(line.task, tally);
    tally.add(line);
    scenes.add(line.scene_id, line);
    faults.add(line);
    if (line.wall_ms > 0) slowest.add(line);
  }
  const all = [...tallies.values()];
  return {
    run,
    info: await run.info(),
    summary,
    tasks: all.map((tally) => tally.report(scenes.of(tally.name))),
    worst: inTurns(all.map((tally) => tally.worst)),
    slowest: slowest.items,
    faults: faults.groups,
  };
}

class TaskTally {
  readonly name: string;
  readonly #table: MetricTable;
  readonly #outcomes = noOutcomes();
  readonly #endings = new Map<string, Record<Outcome, number>>();
  readonly #latencies = new LatencyTally();
  readonly #worst: FirstOf<Ranked>;
  readonly #room: number;
  #type = "";

  constructor(name: string, table: MetricTable = {}, room: number) {
    this.name = name;
    this.#table = table;
    this.#room = room;
    this.#worst = new FirstOf(Math.max(room, PICTURED), byBadness);
  }

  add(line: EpisodeLine): void {
    this.#type ||= line.task_type;
    this.#outcomes[line.outcome]++;
    const ending = this.#endings.get(line.end_reason) ?? noOutcomes();
    this.#endings.set(line.end_reason, ending);
    ending[line.outcome]++;
    if (line.agent_latency_ms) this.#latencies.add(line.agent_latency_ms.sketch);
    if (line.outcome !== "invalid") {
      this.#worst.add({ line, badness: badness(line, this.#table) });
    }
  }

  /** Repeats of one episode tell the same story: the worst of them will do. */
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
        .slice(0, this.#room),
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
 * How far from the best, as a share of the way from the run's best value to its worst, over the metrics that
 * have a better and a worse: 0 is best in all of them, 1 worst.
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

/** The first of each, then the second of each, until there are enough. */
function inTurns(lists: readonly (readonly EpisodeLine[])[]): EpisodeLine[] {
  const taken: EpisodeLine[] = [];
  for (let turn = 0; taken.length < PICTURED; turn++) {
    const round = lists.flatMap((list) => list[turn] ?? []);
    if (round.length === 0) break;
    // A task with failures goes before one that has none left to show.
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

/** By code unit, the same in every locale. */
function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
