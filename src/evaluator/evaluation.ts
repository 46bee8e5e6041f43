import { setImmediate as immediate } from "node:timers/promises";
import type { Crew, EpisodeResult, Seat } from "./crew.js";
import { openCrew } from "./open-crew.js";
import type { RunPlan } from "./prepare.js";
import { GivenOrder, type Job, type JobQueue, SceneOrder } from "./queue.js";
import type { VideoChoice } from "./video/film.js";
import { checkCount, type WorkerOptions, workerCount } from "./workers.js";

export interface EvaluationOptions extends WorkerOptions {
  /** Episodes under way at once in each thread, while agents think. */
  readonly concurrency?: number | undefined;
  /** By how much an episode may overrun its time before its worker is stopped. 30,000 if absent. */
  readonly workerGraceMs?: number | undefined;
  readonly savesTrajectories: boolean;
  /** With trajectories, what worlds look like whose simulators alone know it. */
  readonly keepsGeometry?: boolean | undefined;
  /** Of which episodes films are made; of none if absent. */
  readonly video?: VideoChoice | undefined;
  /** For what simulators write; known when the run has begun. */
  readonly logFolder?: Promise<string> | undefined;
}

/**
 * Episodes of one seat that are being written down while the next ones run. Their lines wait while those
 * before them are brought to the disk, which takes a second on a slow one: no reason to stop running.
 */
const MOST_KEPT = 64;

/** What is done with an episode that is over, before its seat takes the one after the next. */
export type Keep = (result: EpisodeResult, job: Job) => Promise<void>;

/** What a run has to say beside its episodes' results. */
export interface WorkEvents {
  /** What the run's reader should know. */
  readonly onWarning: (message: string) => void;
  /** There is no point in going on. */
  readonly onGiveUp: (why: string) => void;
}

/** Why a run's signal is aborted when nobody asked for it: there is no point in going on. */
export class GivenUp extends Error {
  override readonly name = "GivenUp";
}

/** Jobs that are being run, here or elsewhere. */
export interface Work {
  readonly queue: JobQueue;
  /** Sensors that are asked for and that nobody has, a sentence a task. */
  readonly missingSensors: readonly string[];
  /** Until the queue is empty, or `signal` is aborted and the episodes under way are over. */
  run(keep: Keep, signal: AbortSignal, events: WorkEvents): Promise<void>;
  close(): Promise<void>;
}

/** Jobs, and those who run them: who takes which when is decided here, and what becomes of them is not. */
export class Evaluation implements Work {
  readonly queue: JobQueue;
  readonly #crew: Crew;
  #failed = false;

  private constructor(queue: JobQueue, crew: Crew) {
    this.queue = queue;
    this.#crew = crew;
  }

  /** When all simulators and agents are ready: a wrong set-up is said before anything is written. */
  static async open(
    plan: RunPlan,
    jobs: readonly Job[],
    options: EvaluationOptions,
  ): Promise<Evaluation> {
    const { concurrency = 1, workerGraceMs, video = "none" } = options;
    const { savesTrajectories, keepsGeometry, logFolder } = options;
    checkCount(concurrency, "concurrency");
    const agents = plan.tasks.map(({ agent }) => agent);
    const workers = workerCount(options, { episodes: jobs.length, agents });
    // Whether a task may stop is told by its first episodes, so those must come first.
    const { early_stop } = plan.loaded.config.evaluation;
    const queue = early_stop ? new GivenOrder(jobs) : new SceneOrder(jobs);
    const lanes = Math.min(concurrency, Math.ceil(jobs.length / workers));
    const settings = { seed: plan.seed, savesTrajectories, keepsGeometry, video, logFolder };
    const crew = await openCrew(plan, { ...settings, workers, lanes, graceMs: workerGraceMs });
    return new Evaluation(queue, crew);
  }

  get missingSensors(): readonly string[] {
    return this.#crew.missingSensors;
  }

  async run(keep: Keep, signal?: AbortSignal): Promise<void> {
    await Promise.all(this.#crew.seats.map((seat) => this.#work(seat, keep, signal)));
  }

  close(): Promise<void> {
    return this.#crew.close();
  }

  async #work(seat: Seat, keep: Keep, signal: AbortSignal | undefined): Promise<void> {
    const next = () => (this.#failed || signal?.aborted ? undefined : this.queue.take(seat.worker));
    /** One, and the one after it where the seat takes that ahead. */
    const running: { readonly job: Job; readonly result: Promise<EpisodeResult> }[] = [];
    const begin = () => {
      const job = running.length > (seat.takesAhead ? 1 : 0) ? undefined : next();
      if (!job) return false;
      const result = seat.run(job);
      // What goes wrong in it is seen below, unless writing down an earlier one fails first.
      result.catch(() => {});
      running.push({ job, result });
      return true;
    };
    /** Those that are being written down, the oldest first. */
    const kept: Promise<void>[] = [];
    try {
      for (;;) {
        while (begin());
        if (running.length === 0) {
          // What is being kept may be tried again.
          await Promise.all(kept.splice(0));
          if (!begin()) return;
        }
        while (kept.length >= MOST_KEPT) await kept.shift();
        const first = running.shift();
        if (!first) continue;
        const { job } = first;
        const result = await first.result;
        if (this.#failed) {
          await Promise.all(kept);
          return;
        }
        const keeping = keep(result, job);
        keeping.catch(() => {
          this.#failed = true;
        });
        kept.push(keeping);
        // An episode of ours may never wait for anything: files get on only when it is their turn.
        await immediate();
      }
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }
}
