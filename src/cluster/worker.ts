import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage } from "../core/errors.js";
import type { EpisodeResult } from "../evaluator/crew.js";
import type { RunPlan } from "../evaluator/prepare.js";
import { canBeTriedAgain } from "../evaluator/recorder.js";
import { Avoidances } from "./avoidances.js";
import type { Cluster } from "./cluster.js";
import { isAway, whenBack } from "./database/when-back.js";
import { filesOf } from "./episode-files.js";
import { discard, giveBack } from "./give-back.js";
import { HeldBatch, type HeldItem } from "./held-batch.js";
import { ResultWriter } from "./result-writer.js";
import { failRun, refuse, warnOf } from "./run-problems.js";
import { settleRun } from "./settle.js";
import { lostEpisode, Station } from "./station.js";
import { sweep } from "./sweep.js";
import { type Taken, takeBatches } from "./take.js";
import { statusOf, WorkerRow, type WorkerState } from "./worker-row.js";

export interface ClusterWorkerOptions {
  /** Threads that run episodes. */
  readonly workers?: number | "auto" | undefined;
  /** Episodes under way at once in each. */
  readonly concurrency?: number | undefined;
  /** Where this worker finds the policy: it takes only runs of such a one. */
  readonly agent?: string | undefined;
  /** Unseen for this long, a worker counts as dead. 30,000 if absent. */
  readonly lostAfterMs?: number | undefined;
  /** Ends when no run is left that it could take part in. */
  readonly untilEmpty?: boolean | undefined;
  readonly onNotice?: ((text: string) => void) | undefined;
}

/** What a worker has done and is doing. */
export interface WorkerStats extends WorkerState {
  readonly worker: string;
  /** Episodes that are taken and not begun. */
  readonly backlog: number;
  /** Results that wait to be recorded, as while the database is away. */
  readonly unrecorded: number;
  readonly isAway: boolean;
}

const LOST_AFTER_MS = 30_000;
/** Of the time after which it is lost: five beats may be missed. */
const BEATS = 6;
const SHORTEST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 3_000;
/** Runs whose simulators are kept ready while they have nothing to do. */
const MOST_STATIONS = 3;

/** Takes batches of runs, runs their episodes and records what comes of them, until it is told to stop. */
export class ClusterWorker {
  readonly #cluster: Cluster;
  readonly #options: ClusterWorkerOptions;
  readonly #row: WorkerRow;
  readonly #writer: ResultWriter;
  /** The one used last is the last. */
  readonly #stations = new Map<string, Station>();
  readonly #avoided = new Avoidances();
  /** Episodes in a row that a run's agent never began. */
  readonly #absences = new Map<string, number>();
  readonly #chores = new Set<Promise<unknown>>();
  #wake = () => {};
  #waitsForRoom = false;
  #isAway = false;
  #broken: { readonly error: unknown } | undefined;

  constructor(cluster: Cluster, options: ClusterWorkerOptions = {}) {
    this.#cluster = cluster;
    this.#options = options;
    this.#row = new WorkerRow(options.agent, options.lostAfterMs ?? LOST_AFTER_MS);
    this.#writer = new ResultWriter(cluster, this.#row.id, () => this.#noteAway());
  }

  get stats(): WorkerStats {
    const stations = [...this.#stations.values()];
    const sum = (of: (station: Station) => number) => stations.reduce((n, s) => n + of(s), 0);
    return {
      worker: this.#row.id,
      run: stations.at(-1)?.run.run_id,
      seats: stations.at(-1)?.seats ?? 0,
      underWay: sum(({ underWay }) => underWay),
      backlog: sum(({ backlog }) => backlog),
      done: this.#writer.recorded,
      unrecorded: this.#writer.waiting,
      isAway: this.#isAway,
    };
  }

  /** Until `signal` is aborted: then what is under way is finished and what is not begun is given back. */
  async run(signal: AbortSignal): Promise<void> {
    const { database } = this.#cluster;
    await whenBack(() => this.#row.beat(database, this.stats), { signal });
    const beat = setInterval(
      () => this.#background(this.#beat()),
      (this.#options.lostAfterMs ?? LOST_AFTER_MS) / BEATS,
    );
    const onAbort = () => this.#wake();
    signal.addEventListener("abort", onAbort);
    try {
      await this.#takeUntil(signal);
    } finally {
      signal.removeEventListener("abort", onAbort);
      clearInterval(beat);
      await this.#leave();
    }
    if (this.#broken) throw this.#broken.error;
  }

  async #takeUntil(signal: AbortSignal): Promise<void> {
    let waitMs = SHORTEST_WAIT_MS;
    while (!signal.aborted && !this.#broken) {
      const most = this.#room();
      if (most === 0) {
        this.#waitsForRoom = true;
        await this.#pause(LONGEST_WAIT_MS);
        this.#waitsForRoom = false;
        continue;
      }
      const taker = {
        ...{ worker: this.#row.id, agent: this.#options.agent, most },
        current: this.stats.run,
        avoids: this.#avoided.now(),
        known: (run: string) => this.#stations.get(run)?.run,
      };
      const offer = await whenBack(() => takeBatches(this.#cluster, taker), {
        signal,
        onAway: () => this.#noteAway(),
      }).catch((error: unknown) => {
        if (isAway(error)) return undefined;
        throw error;
      });
      if (!offer) return;
      this.#isAway = false;
      if (offer.taken.length > 0) {
        waitMs = SHORTEST_WAIT_MS;
        for (const taken of offer.taken) await this.#start(taken);
        continue;
      }
      if (signal.aborted) return;
      if (this.#options.untilEmpty && (await this.#isOver(offer.drained))) return;
      await this.#pause(waitMs * (0.5 + Math.random()));
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    }
  }

  /** Batches to be taken now. Half of what is wanted must be gone first, so that it is not one at a time. */
  #room(): number {
    const station = [...this.#stations.values()].at(-1);
    if (!station) return 1;
    const { backlog } = this.stats;
    if (backlog >= Math.max(station.seats, station.wants / 2)) return 0;
    return Math.ceil((station.wants - backlog) / station.run.batch);
  }

  #onRoom(): void {
    if (this.#waitsForRoom || this.stats.backlog === 0) this.#wake();
  }

  /** Whether no run is left that could still want this worker. */
  async #isOver(drained: readonly string[]): Promise<boolean> {
    if (this.stats.underWay > 0) return false;
    await this.#writer.flush();
    const avoided = await whenBack(() => statusOf(this.#cluster.database, this.#avoided.now()));
    if ([...avoided.values()].some((status) => status === "queued" || status === "running")) {
      return false;
    }
    const settled = await Promise.all(
      drained.map((run) => whenBack(() => settleRun(this.#cluster, run))),
    );
    return settled.every((isOver) => isOver);
  }

  async #start(taken: Taken): Promise<void> {
    const { run } = taken;
    let station: Station;
    try {
      station = await this.#stationFor(taken);
    } catch (error) {
      const batch = new HeldBatch(taken);
      await this.#refuse(run.run_id, error);
      await giveBack(
        this.#cluster,
        taken.jobs.map(({ item }) => ({ batch, item })),
      );
      return;
    }
    const [first] = taken.jobs;
    if (taken.isSuspect && first) {
      const held = { batch: new HeldBatch(taken), item: first.item };
      const result = lostEpisode(station.plan, first.job, taken.batch.lost);
      await this.#keep(result, held, station.plan, run.files_dir);
      return;
    }
    station.add(taken);
  }

  async #stationFor({ run }: Taken): Promise<Station> {
    const there = this.#stations.get(run.run_id);
    if (there) {
      this.#stations.delete(run.run_id);
      this.#stations.set(run.run_id, there);
      return there;
    }
    const station = await Station.open(this.#cluster.database, run, {
      workers: this.#options.workers ?? "auto",
      concurrency: this.#options.concurrency ?? 1,
      agent: this.#options.agent,
      onResult: (result, held, plan) => this.#keep(result, held, plan, run.files_dir),
      onRoom: () => this.#onRoom(),
      onFailure: (failed, error) => this.#background(this.#giveUp(failed, error)),
    });
    this.#avoided.delete(run.run_id);
    this.#stations.set(run.run_id, station);
    this.#options.onNotice?.(`at work on ${run.run_id}, ${station.seats} episodes at once`);
    await whenBack(() => warnOf(this.#cluster.database, run.run_id, station.missingSensors));
    for (const [id, other] of this.#stations) {
      if (this.#stations.size <= MOST_STATIONS) break;
      if (other.isIdle && other !== station) this.#close(id, other);
    }
    return station;
  }

  async #keep(
    result: EpisodeResult,
    held: HeldItem,
    plan: RunPlan,
    folder: string | null,
  ): Promise<void> {
    const { line, faults } = result;
    const isTriedAgain = canBeTriedAgain(line, plan);
    const files = isTriedAgain ? [] : await filesOf(result);
    await this.#watchAgent(result, held, plan);
    await this.#writer
      .add({ ...held, line, faults, isTriedAgain, files, folder })
      .catch((error: unknown) => {
        // Nothing that was run may be lost unseen: a worker that cannot record ends.
        this.#broken ??= { error };
        this.#wake();
        throw error;
      });
  }

  async #watchAgent({ line }: EpisodeResult, { batch }: HeldItem, plan: RunPlan): Promise<void> {
    const absent = line.outcome === "invalid" && line.fault === "agent";
    const absences = absent ? (this.#absences.get(batch.runId) ?? 0) + 1 : 0;
    this.#absences.set(batch.runId, absences);
    const { give_up_after } = plan.loaded.config.evaluation;
    if (give_up_after === 0 || absences !== give_up_after) return;
    const last = line.error?.message ?? line.explanation;
    const why = `the agent began none of the last ${absences} episodes of a worker, the last time: ${last}`;
    await whenBack(() => failRun(this.#cluster.database, batch.runId, why));
  }

  async #beat(): Promise<void> {
    const { database } = this.#cluster;
    await this.#row.beat(database, this.stats);
    this.#isAway = false;
    const status = await statusOf(database, [...this.#stations.keys()]);
    for (const [id, station] of this.#stations) {
      const now = status.get(id);
      if (now === "queued" || now === "running") continue;
      const items = station.withdraw();
      await (now === "paused" ? giveBack : discard)(this.#cluster, items);
      if (now !== "paused" && station.isIdle) this.#close(id, station);
    }
    await sweep(this.#cluster);
  }

  /** A run's simulators or agent failed for good: others may have more luck with it, or this one later. */
  async #giveUp(station: Station, error: unknown): Promise<void> {
    const { run_id } = station.run;
    this.#stations.delete(run_id);
    await this.#refuse(run_id, error);
    await giveBack(this.#cluster, await station.leftovers());
    await station.close();
  }

  async #refuse(runId: string, error: unknown): Promise<void> {
    const problem = errorMessage(error);
    this.#avoided.add(runId);
    this.#options.onNotice?.(`cannot run ${runId}: ${problem}`);
    await whenBack(() => refuse(this.#cluster.database, runId, this.#row.id, problem));
  }

  #close(id: string, station: Station): void {
    this.#stations.delete(id);
    this.#absences.delete(id);
    this.#background(station.close());
  }

  async #leave(): Promise<void> {
    const { database } = this.#cluster;
    for (const station of this.#stations.values()) {
      await giveBack(this.#cluster, station.withdraw());
    }
    await Promise.all([...this.#stations.values()].map((station) => station.close()));
    await Promise.allSettled(this.#chores);
    if (this.#broken) return;
    await this.#writer.flush();
    await whenBack(() => this.#row.leave(database, this.stats));
    // The last one of a run's workers to leave ends it.
    await whenBack(() => sweep(this.#cluster));
  }

  #background(work: Promise<unknown>): void {
    const chore = work
      .catch((error: unknown) => {
        if (isAway(error)) this.#noteAway();
        else this.#broken ??= { error };
        this.#wake();
      })
      .finally(() => this.#chores.delete(chore));
    this.#chores.add(chore);
  }

  #noteAway(): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.#options.onNotice?.("the database is away; waiting for it");
  }

  /** Until something happens, at most so long. */
  async #pause(ms: number): Promise<void> {
    const waiting = new AbortController();
    this.#wake = () => waiting.abort();
    await sleep(ms, undefined, { signal: waiting.signal }).catch(() => {});
    this.#wake = () => {};
  }
}
