import type { PolicySettings } from "../../config/policy.js";
import { errorMessage } from "../../core/errors.js";
import type {
  EpisodeLine,
  RunLabels,
  RunStatus,
  RunSummary,
} from "../../core/interfaces/result.js";
import type { RunWriter } from "../../runs/directory/run-writer.js";
import { Summariser, selectedEpisodes } from "../../runs/summary/summary.js";
import type { EpisodeResult } from "../execute/worker-pool.js";
import type { ReportedGeometry } from "../execute/world-geometry.js";
import { keysOf } from "../plan/jobs.js";
import type { RunPlan } from "../plan/prepare.js";
import type { Job, JobQueue } from "../plan/queue.js";
import { EarlyStopTask } from "./early-stop.js";
import type { EvaluationEvent } from "./events.js";
import { FirstInvalid } from "./first-invalid.js";
import { GonePolicy } from "./gone-policy.js";
import type { TaskStop } from "./task-stop.js";
import type { Filming } from "./video/film.js";

export interface RecorderOptions {
  readonly plan: RunPlan;
  readonly runId: string;
  readonly labels: RunLabels;
  /** All jobs of the run, finished ones included. */
  readonly jobs: readonly Job[];
  readonly queue: JobQueue | undefined;
  /** Stopping rules by task. Default: those of the benchmark's `early_stop`. */
  readonly stops?: ReadonlyMap<string, TaskStop> | undefined;
  readonly writer: RunWriter | undefined;
  readonly onEvent?: ((event: EvaluationEvent) => void) | undefined;
  /** What follows when a policy does not return. Default: its episodes are invalid. */
  readonly whenLost?: PolicySettings["when_lost"] | undefined;
  /** A message for the user while it happens. */
  readonly onNotice?: ((text: string) => void) | undefined;
  /** A message for the reader of the run; may repeat. */
  readonly onWarning: (message: string) => void;
  /** The run cannot go on: the agent does not respond, or no episode can run. */
  readonly onGiveUp: (why: string) => void;
}

/** Records finished episodes, updates the summary, and decides which ones to retry or to leave out. */
export class Recorder {
  readonly #summariser: Summariser;
  readonly #earlyStops: ReadonlyMap<string, TaskStop>;
  #total: number;
  #done = 0;
  /** Resolves when the lines before the next one are written. */
  #before: Promise<void> = Promise.resolve();
  /** Consecutive episodes in which the agent gave no first action. */
  #absences = 0;
  readonly #firstInvalid: FirstInvalid;
  readonly #gone: GonePolicy;

  constructor(private readonly options: RecorderOptions) {
    const { plan, runId, labels } = options;
    this.#total = options.jobs.length;
    this.#summariser = new Summariser({
      runId,
      benchmark: plan.loaded.config.benchmark.name,
      agent: plan.agentSpec,
      labels,
      seed: plan.seed,
      repeats: plan.loaded.config.evaluation.repeats,
      selected: selectedEpisodes(
        Object.fromEntries(plan.tasks.map(({ task, data }) => [task.name, data])),
      ),
      tasks: Object.fromEntries(plan.tasks.map(({ task }) => [task.name, task.summaryTask])),
    });
    this.#earlyStops = options.stops ?? earlyStops(plan, options.jobs);
    this.#gone = new GonePolicy(options.whenLost ?? "continue", {
      onGiveUp: options.onGiveUp,
      onNotice: (text) => options.onNotice?.(text),
    });
    this.#firstInvalid = new FirstInvalid(plan.loaded.config.evaluation.give_up_if_first_invalid);
  }

  get total(): number {
    return this.#total;
  }

  get done(): number {
    return this.#done;
  }

  /** Counts a line that was recorded before the run was resumed. */
  addRecorded(line: EpisodeLine): void {
    this.#firstInvalid.addRecorded(line);
    this.#count(line);
  }

  /** May be called again before it resolves. Lines are written in the order of the calls. */
  save(result: EpisodeResult, job: Job): Promise<void> {
    const before = this.#before;
    const saved = this.#save(result, job, before);
    this.#before = saved.then(() => before);
    // The caller handles the rejection.
    this.#before.catch(() => {});
    return saved;
  }

  /** Writes the trajectory and the film before the line that names them. */
  async #save(
    { line, steps, faults, film, geometry: told }: EpisodeResult,
    job: Job,
    before: Promise<void>,
  ): Promise<void> {
    const { writer, queue, plan } = this.options;
    // Not even in the log, which a policy that is awaited for hours would fill.
    if (this.#gone.awaits(line)) {
      queue?.add(job);
      return;
    }
    for (const entry of faults) this.#log(line, "error", "episode_fault", entry);
    this.#watchAgent(line);
    const why = this.#firstInvalid.see(line);
    if (why !== undefined) this.options.onGiveUp(why);
    // Saved even if the line is not: assets are sent once, and later episodes may refer to them.
    const saved = told && this.#saveGeometry(line, told);
    if (canRetry(line, plan)) {
      await writer?.setAside.add(line, "tried_again");
      queue?.add({ ...job, attempt: line.attempt + 1 });
      await saved;
      return;
    }
    if (this.#earlyStops.get(line.task)?.isBeyond(line)) {
      await writer?.setAside.add(line, "after_early_stop");
      await saved;
      return;
    }
    const trajectory = steps && (await writer?.saveTrajectory(line, steps));
    const video = film && (await this.#saveFilm(line, film));
    const geometry = trajectory === undefined ? undefined : await saved;
    const named = {
      ...line,
      ...(trajectory === undefined ? {} : { trajectory }),
      ...(video === undefined ? {} : { video }),
      ...(geometry === undefined ? {} : { geometry }),
    };
    await before;
    await writer?.append(named);
    this.#count(named);
    this.#emit(named);
  }

  summary(status: RunStatus): RunSummary {
    const stops = [...this.#earlyStops].map(([task, stop]) => {
      for (const line of stop.ready()) this.#summariser.add(line);
      const rest = stop.rest();
      for (const line of rest) this.#summariser.add(line);
      // The anytime-valid interval covers the episodes in order; it is undefined if later ones are included.
      const interval = rest.length > 0 ? undefined : stop.interval();
      return [task, { result: stop.result(), interval }];
    });
    return this.#summariser.finish(status, Object.fromEntries(stops));
  }

  /** Selects recorded lines that do not count. Undefined if no task stopped early. */
  get isBeyond(): ((line: EpisodeLine) => boolean) | undefined {
    const stops = this.#earlyStops;
    if (![...stops.values()].some(({ reached }) => reached)) return undefined;
    return (line) => stops.get(line.task)?.isBeyond(line) ?? false;
  }

  /** Undefined if the film failed; the episode counts all the same. */
  async #saveFilm(line: EpisodeLine, film: Filming): Promise<string | undefined> {
    const { writer, onWarning } = this.options;
    if ("problem" in film) {
      if (film.isLasting) onWarning(film.problem);
      else this.#log(line, "warning", "no_film", { problem: film.problem });
      return undefined;
    }
    if (film.note !== undefined) onWarning(film.note);
    try {
      return await writer?.saveFilm(line, film);
    } catch (error) {
      this.#log(line, "warning", "no_film", { problem: errorMessage(error) });
      return undefined;
    }
  }

  /** Undefined if the geometry could not be saved; the episode counts all the same. */
  async #saveGeometry(line: EpisodeLine, told: ReportedGeometry): Promise<string | undefined> {
    try {
      if ("mjcf" in told) return await this.options.writer?.saveGeometry(told);
      throw new Error(told.problem);
    } catch (error) {
      this.#log(line, "warning", "no_geometry", { problem: errorMessage(error) });
      return undefined;
    }
  }

  #log(
    { episode_key, repeat, attempt }: EpisodeLine,
    level: "error" | "warning",
    event: string,
    details: object,
  ): void {
    this.options.writer?.log.add({ level, event, episode_key, repeat, attempt, ...details });
  }

  #count(line: EpisodeLine): void {
    this.#done++;
    const stop = this.#earlyStops.get(line.task);
    for (const counted of stop ? stop.offer(line) : [line]) this.#summariser.add(counted);
    if (!stop?.reached) return;
    this.options.queue?.drop(line.task);
    this.#total = this.#totalNow();
  }

  /** For tasks that stopped early, only the counted episodes. */
  #totalNow(): number {
    const { jobs, plan } = this.options;
    const { repeats } = plan.loaded.config.evaluation;
    const running = jobs.filter(({ task }) => !this.#earlyStops.get(task)?.reached).length;
    const stopped = [...this.#earlyStops.values()].filter(({ reached }) => reached);
    return stopped.reduce((sum, stop) => sum + stop.result().counted * repeats, running);
  }

  #watchAgent({ outcome, fault, error, explanation }: EpisodeLine): void {
    const absent = outcome === "invalid" && fault === "agent";
    this.#absences = absent ? this.#absences + 1 : 0;
    const { give_up_after } = this.options.plan.loaded.config.evaluation;
    if (give_up_after === 0 || this.#absences !== give_up_after) return;
    this.options.onGiveUp(
      `the agent gave no action in the last ${give_up_after} episodes; last error: ${error?.message ?? explanation}`,
    );
  }

  #emit(line: EpisodeLine): void {
    const { onEvent, plan } = this.options;
    const counts = this.#summariser.counts;
    onEvent?.({
      type: "episode",
      line,
      done: Math.min(this.#done, this.#total),
      total: this.#total,
      counts,
      running: () => {
        const summary = this.#summariser.running(line.task);
        const found = plan.tasks.find(({ task }) => task.name === line.task);
        return summary && found && { metric: found.task.instance.primaryMetric, summary };
      },
    });
  }
}

/** Data faults are not retried: the data stays the same. */
export function canRetry(
  { outcome, fault, attempt }: EpisodeLine,
  { loaded }: Pick<RunPlan, "loaded">,
): boolean {
  const { retry_invalid } = loaded.config.evaluation;
  return outcome === "invalid" && fault !== "data" && attempt <= retry_invalid;
}

/** Early-stop rules by task; empty if the benchmark has no `early_stop`. */
export function earlyStops(plan: RunPlan, jobs: readonly Job[]): Map<string, EarlyStopTask> {
  const { early_stop, repeats } = plan.loaded.config.evaluation;
  const stops = new Map<string, EarlyStopTask>();
  if (!early_stop) return stops;
  for (const { task } of plan.tasks) {
    const { primaryMetric: metric, metrics } = task.summaryTask;
    const kind = metrics.find(({ name }) => name === metric)?.kind ?? "mean";
    const order = keysOf(jobs, task.name);
    stops.set(
      task.name,
      new EarlyStopTask({
        metric,
        kind,
        halfWidth: early_stop.half_width,
        minEpisodes: early_stop.min_episodes,
        order,
        repeats,
      }),
    );
  }
  return stops;
}
