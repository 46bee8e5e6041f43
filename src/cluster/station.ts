import type { Crew, EpisodeResult, Seat } from "../evaluator/crew.js";
import { identify, lineOf, platformFault } from "../evaluator/episode-line.js";
import { openCrew } from "../evaluator/open-crew.js";
import type { RunPlan } from "../evaluator/prepare.js";
import { type Job, SceneOrder } from "../evaluator/queue.js";
import { planFrom } from "../evaluator/worker-setup.js";
import { workerCount } from "../evaluator/workers.js";
import type { Database } from "./database/connect.js";
import { EarlyWatch } from "./early-watch.js";
import { HeldBatch, type HeldItem } from "./held-batch.js";
import type { ClusterRun } from "./runs-table.js";
import type { Taken } from "./take.js";
import { wholePlan } from "./whole-plan.js";

export interface StationOptions {
  /** Threads; as many as a local run would have if `auto`. */
  readonly workers: number | "auto";
  /** Episodes under way at once in each. */
  readonly concurrency: number;
  /** Where this worker finds the run's policy. */
  readonly agent: string | undefined;
  /** An episode is over. Its seat goes on when this resolves, which it does not wait for the database to do. */
  readonly onResult: (result: EpisodeResult, held: HeldItem, plan: RunPlan) => Promise<void>;
  /** There is room for more. */
  readonly onRoom: () => void;
  /** It cannot go on: what was taken and is not recorded is to be given back. */
  readonly onFailure: (station: Station, error: unknown) => void;
}

/** Episodes of this much time, of each seat's, are to be at hand; of very short ones so many at most. */
const AT_HAND_MS = 400;
const MOST_AT_HAND = 64;

/** An episode that a seat was given. */
interface Running {
  readonly job: Job;
  readonly held: HeldItem;
  readonly result: Promise<EpisodeResult>;
}

/** One run in one worker: its simulators and agents, and the episodes that were taken of it. */
export class Station {
  readonly run: ClusterRun;
  readonly plan: RunPlan;
  /** Undefined where the run never stops early. */
  readonly earlyWatch: EarlyWatch | undefined;
  readonly #crew: Crew;
  readonly #options: StationOptions;
  /** A seat stays in its scene where it can. */
  readonly #queue = new SceneOrder([]);
  readonly #held = new Map<Job, HeldItem>();
  /** Begun, or sent ahead of its time. */
  #underWay = 0;
  #paceMs: number | undefined;
  readonly #waiting = new Set<() => void>();
  #closing = false;
  readonly #seats: Promise<unknown>;

  private constructor(run: ClusterRun, plan: RunPlan, crew: Crew, options: StationOptions) {
    this.run = run;
    this.plan = plan;
    this.earlyWatch = EarlyWatch.of(run.run_id, plan);
    this.#crew = crew;
    this.#options = options;
    this.#seats = Promise.all(crew.seats.map((seat) => this.#work(seat)));
  }

  /** When simulators and agents are ready. @throws what is wrong with the run, or with this machine. */
  static async open(
    database: Database,
    run: ClusterRun,
    options: StationOptions,
  ): Promise<Station> {
    const { setup } = run;
    const made = await planFrom({ ...setup, agent: options.agent ?? setup.agent });
    // A recorded submission is opened with all of its task's episodes; any other agent needs none.
    const replays = made.tasks.some(({ agentRef }) => agentRef.name === "replay");
    const plan = replays ? await wholePlan(database, run.run_id, made) : made;
    const agents = plan.tasks.map(({ agent }) => agent);
    const crew = await openCrew(plan, {
      seed: setup.seed,
      savesTrajectories: setup.savesTrajectories,
      video: setup.video,
      workers: workerCount(options, { episodes: Number.MAX_SAFE_INTEGER, agents }),
      lanes: options.concurrency,
      // This thread is to answer the database while episodes run.
      isApart: true,
    });
    return new Station(run, plan, crew, options);
  }

  get missingSensors(): readonly string[] {
    return this.#crew.missingSensors;
  }

  get seats(): number {
    return this.#crew.seats.length;
  }

  /** Episodes that are not begun. */
  get backlog(): number {
    return this.#queue.size;
  }

  get underWay(): number {
    return Math.min(this.#underWay, this.seats);
  }

  /**
   * Episodes that should be at hand, not begun: those of the next moments, so that short ones are fetched
   * many at a time and no seat waits for the database.
   */
  get wants(): number {
    const each = Math.ceil(AT_HAND_MS / Math.max(1, this.#paceMs ?? AT_HAND_MS));
    return this.seats * Math.min(each, MOST_AT_HAND);
  }

  get isIdle(): boolean {
    return this.#held.size === 0;
  }

  add(taken: Taken): void {
    const batch = new HeldBatch(taken);
    for (const { job, item } of taken.jobs) {
      this.#held.set(job, { batch, item });
      this.#queue.add(job);
    }
    for (const wake of this.#waiting) wake();
  }

  /** Takes away what is not begun. */
  withdraw(): readonly HeldItem[] {
    const items: HeldItem[] = [];
    for (let job = this.#queue.take(0); job; job = this.#queue.take(0)) {
      const held = this.#held.get(job);
      this.#held.delete(job);
      if (held) items.push(held);
    }
    return items;
  }

  /** After the episodes under way. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const wake of this.#waiting) wake();
    await this.#seats;
    await this.#crew.close();
  }

  async #work(seat: Seat): Promise<void> {
    /** One, and the one after it where the seat takes that ahead. */
    const running: Running[] = [];
    for (;;) {
      while (running.length <= (seat.takesAhead ? 1 : 0) && this.#begin(seat, running));
      const first = running.shift();
      if (!first) {
        if (this.#closing) return;
        await this.#more();
        continue;
      }
      try {
        const result = await first.result;
        await this.#options.onResult(result, first.held, this.plan);
        this.#held.delete(first.job);
        this.#paceMs = ((this.#paceMs ?? result.line.wall_ms) * 7 + result.line.wall_ms) / 8;
      } catch (error) {
        this.#fail(error);
        return;
      } finally {
        this.#underWay--;
        this.#options.onRoom();
      }
    }
  }

  /** Gives the seat its next episode, if there is one. */
  #begin(seat: Seat, running: Running[]): boolean {
    const job = this.#closing ? undefined : this.#queue.take(seat.worker);
    const held = job && this.#held.get(job);
    if (!job || !held) return false;
    this.#underWay++;
    const result = seat.run(job);
    // What goes wrong in it is seen when its turn comes, unless the one before it ends all.
    result.catch(() => {});
    running.push({ job, held, result });
    this.#options.onRoom();
    return true;
  }

  #fail(error: unknown): void {
    if (this.#closing) return;
    this.#closing = true;
    for (const wake of this.#waiting) wake();
    this.#options.onFailure(this, error);
  }

  /** What was taken and is not recorded, when all seats have ended. */
  async leftovers(): Promise<readonly HeldItem[]> {
    await this.#seats;
    this.withdraw();
    const left = [...this.#held.values()];
    this.#held.clear();
    return left;
  }

  #more(): Promise<void> {
    return new Promise((done) => {
      const wake = () => {
        this.#waiting.delete(wake);
        done();
      };
      this.#waiting.add(wake);
    });
  }
}

/** What is recorded of an episode that workers died of. */
export function lostEpisode(plan: RunPlan, job: Job, times: number): EpisodeResult {
  const judged = plan.tasks.find((task) => task.judged.name === job.task)?.judged;
  if (!judged) throw new Error(`the run has no task ${job.task}`);
  const message = `${times} workers in a row were lost while they ran it`;
  const report = platformFault("worker_crashed", { code: "worker_lost", message });
  return {
    line: lineOf(judged, job, identify(job, plan.seed), report, 0),
    steps: undefined,
    faults: [{ fault: "platform", error: message }],
  };
}
