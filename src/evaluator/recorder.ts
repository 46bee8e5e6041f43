import { errorMessage } from "../core/errors.js";
import type { EpisodeLine, RunStatus, RunSummary } from "../core/interfaces/result.js";
import type { RunWriter } from "../runs/run-writer.js";
import { Summariser } from "../runs/summary.js";
import type { EpisodeResult } from "./crew.js";
import { EarlyStopTask } from "./early-stop.js";
import type { EvaluationEvent } from "./events.js";
import { keyOf } from "./jobs.js";
import type { RunPlan } from "./prepare.js";
import type { Job, JobQueue } from "./queue.js";
import type { Filming } from "./video/film.js";
import type { ToldGeometry } from "./world-geometry.js";

export interface RecorderOptions {
  readonly plan: RunPlan;
  readonly runId: string;
  /** All of the run's, whoever has run them. */
  readonly jobs: readonly Job[];
  readonly queue: JobQueue | undefined;
  readonly writer: RunWriter | undefined;
  readonly onEvent?: ((event: EvaluationEvent) => void) | undefined;
  /** What the run's reader should know; the same may be said more than once. */
  readonly onWarning: (message: string) => void;
  /** There is no point in going on: the agent is not there. */
  readonly onGiveUp: (why: string) => void;
}

/** Writes down what comes of a run's episodes, sums it up, and decides what is tried again or left. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #summariser: Summariser;
  readonly #earlyStops: ReadonlyMap<string, EarlyStopTask>;
  #total: number;
  #done = 0;
  /** The one whose line comes next. */
  #before: Promise<void> = Promise.resolve();
  /** Episodes in a row that the agent never began. */
  #absences = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
    const { plan, runId } = options;
    this.#total = options.jobs.length;
    this.#summariser = new Summariser({
      runId,
      benchmark: plan.loaded.config.benchmark.name,
      agent: plan.agentSpec,
      seed: plan.seed,
      repeats: plan.loaded.config.evaluation.repeats,
      tasks: Object.fromEntries(plan.tasks.map(({ judged }) => [judged.name, judged.summaryTask])),
    });
    this.#earlyStops = earlyStops(plan, options.jobs);
  }

  get total(): number {
    return this.#total;
  }

  get done(): number {
    return this.#done;
  }

  /** A line that was there before the run was taken up again. */
  recall(line: EpisodeLine): void {
    this.#count(line);
  }

  /** Several may be on their way at once; their lines come in the order in which the episodes ended. */
  keep(result: EpisodeResult, job: Job): Promise<void> {
    const before = this.#before;
    const kept = this.#keep(result, job, before);
    this.#before = kept.then(() => before);
    // Whoever called sees the failure.
    this.#before.catch(() => {});
    return kept;
  }

  /** The trajectory and the film are written before the line that names them. */
  async #keep(
    { line, steps, faults, film, geometry: told }: EpisodeResult,
    job: Job,
    before: Promise<void>,
  ): Promise<void> {
    const { writer, queue, plan } = this.#options;
    const { episode_key, repeat, attempt } = line;
    for (const entry of faults) {
      const which = { episode_key, repeat, attempt };
      writer?.log.add({ level: "error", event: "episode_fault", ...which, ...entry });
    }
    this.#watchAgent(line);
    // Whatever becomes of the line: other episodes' worlds may have the same files, which come only once.
    const saved = told && this.#saveGeometry(line, told);
    if (canBeTriedAgain(line, plan)) {
      await writer?.setAside.add(line, "tried_again");
      queue?.add({ ...job, attempt: attempt + 1 });
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
    this.#tell(named);
  }

  summary(status: RunStatus): RunSummary {
    const stops = [...this.#earlyStops].map(([task, stop]) => {
      const rest = stop.rest();
      for (const line of rest) this.#summariser.add(line);
      // Its interval is of the episodes in their order; of those that came before their turn it knows nothing.
      const interval = rest.length > 0 ? undefined : stop.interval();
      return [task, { result: stop.result(), interval }];
    });
    return this.#summariser.finish(status, Object.fromEntries(stops));
  }

  /** Lines that are written and do not count; undefined where no task stopped early. */
  get isBeyond(): ((line: EpisodeLine) => boolean) | undefined {
    const stops = this.#earlyStops;
    if (![...stops.values()].some(({ reached }) => reached)) return undefined;
    return (line) => stops.get(line.task)?.isBeyond(line) ?? false;
  }

  /** A film that is not there costs the episode nothing; undefined then. */
  async #saveFilm(line: EpisodeLine, film: Filming): Promise<string | undefined> {
    const { writer, onWarning } = this.#options;
    if ("problem" in film) {
      if (film.isLasting) onWarning(film.problem);
      else this.#sayNoFilm(line, film.problem);
      return undefined;
    }
    if (film.note !== undefined) onWarning(film.note);
    try {
      return await writer?.saveFilm(line, film);
    } catch (error) {
      this.#sayNoFilm(line, errorMessage(error));
      return undefined;
    }
  }

  /** As with films; it may be of use to later episodes even where this one's line is not written. */
  async #saveGeometry(line: EpisodeLine, told: ToldGeometry): Promise<string | undefined> {
    const { writer } = this.#options;
    const { episode_key, repeat, attempt } = line;
    try {
      if ("mjcf" in told) return await writer?.saveGeometry(told);
      throw new Error(told.problem);
    } catch (error) {
      const problem = errorMessage(error);
      const which = { episode_key, repeat, attempt };
      writer?.log.add({ level: "warning", event: "no_geometry", ...which, problem });
      return undefined;
    }
  }

  #sayNoFilm({ episode_key, repeat, attempt }: EpisodeLine, problem: string): void {
    const which = { episode_key, repeat, attempt };
    this.#options.writer?.log.add({ level: "warning", event: "no_film", ...which, problem });
  }

  #count(line: EpisodeLine): void {
    this.#done++;
    const stop = this.#earlyStops.get(line.task);
    for (const counted of stop ? stop.offer(line) : [line]) this.#summariser.add(counted);
    if (!stop?.reached) return;
    this.#options.queue?.drop(line.task);
    this.#total = this.#totalNow();
  }

  /** Of the tasks that stopped, only what counts. */
  #totalNow(): number {
    const { jobs, plan } = this.#options;
    const { repeats } = plan.loaded.config.evaluation;
    const running = jobs.filter(({ task }) => !this.#earlyStops.get(task)?.reached).length;
    const stopped = [...this.#earlyStops.values()].filter(({ reached }) => reached);
    return stopped.reduce((sum, stop) => sum + stop.result().counted * repeats, running);
  }

  #watchAgent({ outcome, fault, error, explanation }: EpisodeLine): void {
    const absent = outcome === "invalid" && fault === "agent";
    this.#absences = absent ? this.#absences + 1 : 0;
    const { give_up_after } = this.#options.plan.loaded.config.evaluation;
    if (give_up_after === 0 || this.#absences !== give_up_after) return;
    this.#options.onGiveUp(
      `the agent began none of the last ${give_up_after} episodes, the last time: ${error?.message ?? explanation}`,
    );
  }

  #tell(line: EpisodeLine): void {
    const { onEvent, plan } = this.#options;
    const counts = this.#summariser.counts;
    onEvent?.({
      type: "episode",
      line,
      done: Math.min(this.#done, this.#total),
      total: this.#total,
      counts,
      running: () => {
        const summary = this.#summariser.running(line.task);
        const task = plan.tasks.find(({ judged }) => judged.name === line.task);
        return summary && task && { metric: task.judged.task.primaryMetric, summary };
      },
    });
  }
}

/** What is wrong with the data is wrong the next time too. */
export function canBeTriedAgain(
  { outcome, fault, attempt }: EpisodeLine,
  { loaded }: Pick<RunPlan, "loaded">,
): boolean {
  const { retry_invalid } = loaded.config.evaluation;
  return outcome === "invalid" && fault !== "data" && attempt <= retry_invalid;
}

/** By task; none where the benchmark does not ask for it. */
export function earlyStops(plan: RunPlan, jobs: readonly Job[]): Map<string, EarlyStopTask> {
  const { early_stop, repeats } = plan.loaded.config.evaluation;
  const stops = new Map<string, EarlyStopTask>();
  if (!early_stop) return stops;
  for (const { judged } of plan.tasks) {
    const { primaryMetric: metric, metrics } = judged.summaryTask;
    const kind = metrics.find(({ name }) => name === metric)?.kind ?? "mean";
    const order = [...new Set(jobs.filter(({ task }) => task === judged.name).map(keyOf))];
    stops.set(
      judged.name,
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
