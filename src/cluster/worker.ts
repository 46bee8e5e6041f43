import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage, RobotEvalError } from "../core/errors.js";
import type { EpisodeLine } from "../core/interfaces/result.js";
import type { EpisodeResult } from "../evaluator/crew.js";
import type { RunPlan } from "../evaluator/prepare.js";
import { canBeTriedAgain } from "../evaluator/recorder.js";
import { AgentWatch } from "./agent-watch.js";
import { Avoidances } from "./avoidances.js";
import type { Cluster } from "./cluster.js";
import { isAway, type WaitOptions, whenBack } from "./database/when-back.js";
import { filesOf } from "./episode-files.js";
import { discard, giveBack } from "./give-back.js";
import { HeldBatch, type HeldItem } from "./held-batch.js";
import { ResultWriter } from "./result-writer.js";
import { refuse, warnOf } from "./run-problems.js";
import { settleRun } from "./settle.js";
import { lostEpisode, Station } from "./station.js";
import { Stations } from "./stations.js";
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
  /** How long one that leaves waits for a database that is away. 20,000 if absent. */
  readonly leaveWithinMs?: number | undefined;
  readonly onNotice?: ((text: string) => void) | undefined;
  /** An episode is over, and its result is on the way to the database. */
  readonly onEpisode?: ((line: EpisodeLine) => void) | undefined;
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
/** Slurm and Kubernetes kill half a minute after they asked for the end. */
const LEAVE_WITHIN_MS = 20_000;
/** Of the time after which it is lost: five beats may be missed. */
const BEATS = 6;
const SHORTEST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 3_000;

/** Takes batches of runs, runs their episodes and records what comes of them, until it is told to stop. */
export class ClusterWorker {
  readonly #cluster: Cluster;
  readonly #options: ClusterWorkerOptions;
  readonly #row: WorkerRow;
  readonly #writer: ResultWriter;
  readonly #stations = new Stations();
  readonly #avoided = new Avoidances();
  readonly #agents: AgentWatch;
  readonly #chores = new Set<Promise<unknown>>();
  /** Aborted when one that leaves has waited long enough for the database. */
  readonly #patience = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #isLeaving = false;
  #wake = () => {};
  #waitsForRoom = false;
  #isAway = false;
  #broken: { readonly error: unknown } | undefined;

  constructor(cluster: Cluster, options: ClusterWorkerOptions = {}) {
    this.#cluster = cluster;
    this.#options = options;
    this.#agents = new AgentWatch(cluster.database);
    this.#row = new WorkerRow(options.agent, options.lostAfterMs ?? LOST_AFTER_MS);
    this.#writer = new ResultWriter(cluster, this.#row.id, this.#wait);
  }

  get stats(): WorkerStats {
    return {
      worker: this.#row.id,
      ...this.#stations.state,
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
    const onAbort = () => {
      this.#isLeaving = true;
      if (this.#isAway) this.#hurry();
      this.#wake();
    };
    signal.addEventListener("abort", onAbort);
    try {
      await this.#takeUntil(signal);
    } finally {
      clearInterval(beat);
      await this.#leave();
      signal.removeEventListener("abort", onAbort);
      clearTimeout(this.#timer);
    }
    this.#checkLoss();
  }

  async #takeUntil(signal: AbortSignal): Promise<void> {
    let waitMs = SHORTEST_WAIT_MS;
    while (!signal.aborted && !this.#broken) {
      const most = this.#stations.room;
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
        known: (run: string) => this.#stations.find(run)?.run,
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

  #onRoom(): void {
    if (this.#waitsForRoom || this.stats.backlog === 0) this.#wake();
  }

  /** Whether no run is left that could still want this worker. */
  async #isOver(drained: readonly string[]): Promise<boolean> {
    if (this.stats.underWay > 0) return false;
    await this.#writer.flush();
    const avoided = await whenBack(
      () => statusOf(this.#cluster.database, this.#avoided.now()),
      this.#wait,
    );
    if ([...avoided.values()].some((status) => status === "queued" || status === "running")) {
      return false;
    }
    const settled = await Promise.all(
      drained.map((run) => whenBack(() => settleRun(this.#cluster, run), this.#wait)),
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
        this.#wait,
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
    const there = this.#stations.use(run.run_id);
    if (there) return there;
    const station = await Station.open(this.#cluster.database, run, {
      workers: this.#options.workers ?? "auto",
      concurrency: this.#options.concurrency ?? 1,
      agent: this.#options.agent,
      onResult: (result, held, plan) => this.#keep(result, held, plan, run.files_dir),
      onRoom: () => this.#onRoom(),
      onFailure: (failed, error) => this.#background(this.#giveUp(failed, error)),
    });
    this.#avoided.delete(run.run_id);
    this.#stations.add(station);
    this.#options.onNotice?.(`at work on ${run.run_id}, ${station.seats} episodes at once`);
    await whenBack(
      () => warnOf(this.#cluster.database, run.run_id, station.missingSensors),
      this.#wait,
    );
    for (const other of this.#stations.surplus) this.#close(other);
    return station;
  }

  async #keep(
    result: EpisodeResult,
    held: HeldItem,
    plan: RunPlan,
    folder: string | null,
  ): Promise<void> {
    const { line, faults } = result;
    this.#options.onEpisode?.(line);
    const isTriedAgain = canBeTriedAgain(line, plan);
    const files = isTriedAgain ? [] : await filesOf(result);
    await this.#agents.see(line, held.batch.runId, plan);
    await this.#writer
      .add({ ...held, line, faults, isTriedAgain, files, folder })
      .catch((error: unknown) => {
        // Nothing that was run may be lost unseen: a worker that cannot record ends.
        this.#broken ??= { error };
        this.#wake();
        throw error;
      });
  }

  async #beat(): Promise<void> {
    const { database } = this.#cluster;
    await this.#row.beat(database, this.stats);
    this.#isAway = false;
    const status = await statusOf(database, this.#stations.runs);
    for (const station of this.#stations) {
      const now = status.get(station.run.run_id);
      if (now === "queued" || now === "running") {
        await station.earlyWatch?.look(database);
        continue;
      }
      const items = station.withdraw();
      await (now === "paused" ? giveBack : discard)(this.#cluster, items, this.#wait);
      if (now !== "paused" && station.isIdle) this.#close(station);
    }
    await sweep(this.#cluster);
  }

  /** A run's simulators or agent failed for good: others may have more luck with it, or this one later. */
  async #giveUp(station: Station, error: unknown): Promise<void> {
    this.#stations.remove(station);
    await this.#refuse(station.run.run_id, error);
    await giveBack(this.#cluster, await station.leftovers(), this.#wait);
    await station.close();
  }

  async #refuse(runId: string, error: unknown): Promise<void> {
    const problem = errorMessage(error);
    this.#avoided.add(runId);
    this.#options.onNotice?.(`cannot run ${runId}: ${problem}`);
    await whenBack(() => refuse(this.#cluster.database, runId, this.#row.id, problem), this.#wait);
  }

  #close(station: Station): void {
    this.#stations.remove(station);
    this.#agents.forget(station.run.run_id);
    this.#background(station.close());
  }

  /** What it had taken and could not give back is missed by others, and run by them. */
  async #leave(): Promise<void> {
    await this.#leaveInOrder().catch((error: unknown) => {
      if (!isAway(error) || this.#writer.waiting > 0) this.#broken ??= { error };
      else this.#options.onNotice?.("the database is still away: left without a word");
    });
  }

  async #leaveInOrder(): Promise<void> {
    const { database } = this.#cluster;
    const stations = [...this.#stations];
    const given = Promise.all(
      stations.map((station) => giveBack(this.#cluster, station.withdraw(), this.#wait)),
    );
    await given.catch(() => {});
    await Promise.all(stations.map((station) => station.close()));
    await Promise.allSettled(this.#chores);
    if (this.#broken) return;
    await given;
    await this.#writer.flush();
    await whenBack(() => this.#row.leave(database, this.stats), this.#wait);
    // The last one of a run's workers to leave ends it.
    await whenBack(() => sweep(this.#cluster), this.#wait);
  }

  #checkLoss(): void {
    if (!this.#broken) return;
    const { error } = this.#broken;
    if (!isAway(error)) throw error;
    const lost = `${this.#writer.waiting} results could not be recorded`;
    throw new RobotEvalError("not_recorded", lost, {
      where: this.#cluster.database.where,
      hint: "the database was away for too long; other workers run these episodes again",
      exitCode: 1,
      cause: error,
    });
  }

  get #wait(): WaitOptions {
    return { signal: this.#patience.signal, onAway: () => this.#noteAway() };
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

  /** From now on: an episode under way may take longer, and its database may be there. */
  #hurry(): void {
    const waitMs = this.#options.leaveWithinMs ?? LEAVE_WITHIN_MS;
    this.#timer ??= setTimeout(() => this.#patience.abort(), waitMs);
  }

  #noteAway(): void {
    if (this.#isLeaving) this.#hurry();
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
