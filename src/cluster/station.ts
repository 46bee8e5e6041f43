import type { Crew, EpisodeResult, Seat } from "../evaluator/crew.js";
import { identify, lineOf, platformFault } from "../evaluator/episode-line.js";
import { openCrew } from "../evaluator/open-crew.js";
import type { RunPlan } from "../evaluator/prepare.js";
import { type Job, SceneOrder } from "../evaluator/queue.js";
import { planFrom } from "../evaluator/worker-setup.js";
import { workerCount } from "../evaluator/workers.js";
import type { Database } from "./database/connect.js";
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
  /** An episode is over. Its seat takes the next one when this resolves. */
  readonly onResult: (result: EpisodeResult, held: HeldItem, plan: RunPlan) => Promise<void>;
  /** There is room for more. */
  readonly onRoom: () => void;
  /** It cannot go on: what was taken and is not recorded is to be given back. */
  readonly onFailure: (station: Station, error: unknown) => void;
}

/** One run in one worker: its simulators and agents, and the episodes that were taken of it. */
export class Station {
  readonly run: ClusterRun;
  readonly plan: RunPlan;
  readonly #crew: Crew;
  readonly #options: StationOptions;
  /** A seat stays in its scene where it can. */
  readonly #queue = new SceneOrder([]);
  readonly #held = new Map<Job, HeldItem>();
  readonly #underWay = new Set<Job>();
  readonly #waiting = new Set<() => void>();
  #closing = false;
  readonly #seats: Promise<unknown>;

  private constructor(run: ClusterRun, plan: RunPlan, crew: Crew, options: StationOptions) {
    this.run = run;
    this.plan = plan;
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
    return this.#underWay.size;
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
    for (;;) {
      const job = this.#closing ? undefined : this.#queue.take(seat.worker);
      if (!job) {
        if (this.#closing) return;
        await this.#more();
        continue;
      }
      const held = this.#held.get(job);
      if (!held) continue;
      this.#options.onRoom();
      this.#underWay.add(job);
      try {
        const result = await seat.run(job);
        await this.#options.onResult(result, held, this.plan);
        this.#held.delete(job);
      } catch (error) {
        this.#fail(error);
        return;
      } finally {
        this.#underWay.delete(job);
        this.#options.onRoom();
      }
    }
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
